// Torus, mesh and HyperX: switches on a grid. Two dimensions are a plane; each further one gives more planes, side by
// side. A link to a neighbour is a line, one to another switch of a HyperX row an arc. Links that close a ring, lead to
// another plane or leave the part that is shown are drawn as two ends: where they leave, and where they arrive. Where
// there are too many switches, a block of them is one box; opened, it is shown alone.
import type { Fabric } from "./document";
import { centre, curved, homes, shortLabel, straight, type Box, type Edge, type Layout, type Path, type Place,
  type Rect, type Title } from "./fabric-layout";

type Three = [number, number, number];  // along the first, the second and all further dimensions
const DIMENSIONS = [0, 1, 2] as const;

interface View {
  from: Three; to: Three;   // what is shown, in switches
  block: Three;             // switches of a box
  cells: Three;             // boxes
}

function sizesOf(f: Fabric): Three {
  return [f.sizes[0] ?? 1, f.sizes[1] ?? 1, f.sizes.slice(2).reduce((a, b) => a * b, 1)];
}

// The part that was opened last, in blocks few enough to be told apart.
function viewOf(f: Fabric, width: number, opened: Set<string>): View {
  const key = [...opened].filter((k) => k.startsWith("b:")).at(-1), all = sizesOf(f);
  const ends = key ? key.slice(2).split(",").map(Number) : [0, 0, 0, ...all];
  const from = ends.slice(0, 3) as Three, to = ends.slice(3) as Three, block: Three = [1, 1, 1];
  const cells = () => DIMENSIONS.map((i) => Math.ceil((to[i] - from[i]) / block[i])) as Three;
  const most = Math.max(64, Math.min(640, width / 2)), planes = width < 560 ? 4 : 12;
  while (cells()[2] > planes) block[2] *= 2;
  while (cells().reduce((a, b) => a * b) > most) ++block[cells()[0] >= cells()[1] ? 0 : 1];
  return { from, to, block, cells: cells() };
}

const inside = (v: View, at: Three) => DIMENSIONS.every((i) => at[i] >= v.from[i] && at[i] < v.to[i]);
const cellOf = (v: View, at: Three) => DIMENSIONS.map((i) => Math.floor((at[i] - v.from[i]) / v.block[i])) as Three;

export function gridLayout(f: Fabric, width: number, opened: Set<string>): Layout {
  const [sx, sy] = sizesOf(f), view = viewOf(f, width, opened), { cells, block, from, to } = view;
  const place3 = (s: number): Three => [s % sx, Math.floor(s / sx) % sy, Math.floor(s / (sx * sy))];
  const boxes: Box[] = [], cellOfBox: Three[] = [];
  const partOfBox: [number, number][] = [];  // of the hosts of its cell: which box of how many
  const boxOfNode = new Int32Array(f.nodes).fill(-1), atCell = new Map<number, number[]>();
  const number = (c: Three) => c[0] + cells[0] * (c[1] + cells[1] * c[2]);
  for (let n = f.hosts; n < f.nodes; ++n) {
    const at = place3(n - f.hosts);
    if (!inside(view, at)) continue;
    const cell = number(cellOf(view, at));
    if (!atCell.has(cell)) atCell.set(cell, []);
    atCell.get(cell)!.push(n);
  }
  const add = (nodes: number[], cell: Three, part: [number, number], key: string) => {
    for (const node of nodes) boxOfNode[node] = boxes.length;
    // A name of many dimensions is long; the plane's title has its other coordinates.
    const isShort = f.sizes.length <= 3 || nodes.length > 1 || nodes[0]! < f.hosts;
    const name = isShort ? shortLabel(f, nodes) : place3(nodes[0]! - f.hosts).slice(0, 2).join(".");
    boxes.push({ nodes, label: name, key, isHost: nodes[0]! < f.hosts });
    cellOfBox.push(cell);
    partOfBox.push(part);
  };
  const hostsOf = new Map<number, number[]>();
  homes(f).forEach((home, h) => hostsOf.set(home, [...(hostsOf.get(home) ?? []), h]));
  for (const [, nodes] of [...atCell].sort((a, b) => a[0] - b[0])) {
    const cell = cellOf(view, place3(nodes[0]! - f.hosts));
    const low = DIMENSIONS.map((i) => from[i] + cell[i] * block[i]);
    const high = DIMENSIONS.map((i) => Math.min(to[i], low[i]! + block[i]));
    add(nodes, cell, [0, 0], `b:${[...low, ...high].join(",")}`);
    const hosts = nodes.flatMap((n) => hostsOf.get(n) ?? []);
    const parts = nodes.length === 1 && hosts.length <= 4 ? hosts.map((h) => [h]) : hosts.length > 0 ? [hosts] : [];
    parts.forEach((list, i) => add(list, cell, [i, parts.length], `h${list[0]}`));
  }
  const boxOf = (node: number) => boxOfNode[node]!;
  const { edges, ways } = edgesOfGrid(f, place3, boxOf, cellOfBox);
  const place = (w: number): Place => {
    const plan = planes(w, view), rects = boxes.map((box, b) => rectOf(plan, box, cellOfBox[b]!, partOfBox[b]!));
    const paths = edges.map((e, i) => pathOf(f, plan, rects, e, ways[i]!));
    return { width: w, height: plan.height, rects, paths, frames: [], titles: titlesOf(f, view, plan) };
  };
  const hint = ways.some((way) => way.leaves)
    ? "A line that stops short beside a switch leads to the opposite edge, to another plane, or out of view. " : "";
  return { boxes, edges, sideways: false, hint, boxOf, place };
}

// How a link is drawn: as a line between its boxes, or as ends that point into `leaves`, `arrives` (unit vectors).
interface Way { leaves: [number, number] | null; arrives: [number, number]; steps: Three }

function edgesOfGrid(f: Fabric, place3: (s: number) => Three, boxOf: (node: number) => number,
                     cellOfBox: Three[]): { edges: Edge[]; ways: Way[] } {
  const found = new Map<string, number>(), edges: Edge[] = [], ways: Way[] = [];
  const size = sizesOf(f);
  for (let p = 0; p < f.ports; ++p) {
    if (f.to[p]! < 0) continue;
    const a = f.owner[p]!, b = f.owner[f.to[p]!]!, from = boxOf(a), to = boxOf(b);
    if (from === to || (from < 0 && to < 0)) continue;
    let way: Way = { leaves: null, arrives: [0, 0], steps: [0, 0, 0] };
    if (a >= f.hosts && b >= f.hosts) {
      const at = place3(a - f.hosts), next = place3(b - f.hosts);
      const i = DIMENSIONS.find((d) => at[d] !== next[d])!;
      const wraps = f.wraps && size[i] > 2 && Math.abs(at[i] - next[i]) === size[i] - 1;
      // Along the third axis a further dimension may wrap, too, but planes are never joined by lines.
      const up = wraps ? next[i] < at[i] : next[i] > at[i];
      if (from >= 0 && to >= 0) way.steps = DIMENSIONS.map((d) => cellOfBox[to]![d] - cellOfBox[from]![d]) as Three;
      if (i === 2 || wraps || from < 0 || to < 0) {
        const sign = up ? 1 : -1;
        const out: [number, number] = i === 0 ? [sign, 0] : i === 1 ? [0, sign] : [0.7 * sign, -0.7 * sign];
        way = { ...way, leaves: out, arrives: [-out[0], -out[1]] };
      }
    } else if (from < 0 || to < 0) continue;
    const key = `${from},${to},${way.leaves}`;
    const known = found.get(key);
    if (known !== undefined) { edges[known]!.ports.push(p); continue; }
    found.set(key, edges.length);
    edges.push({ from, to, ports: [p] });
    ways.push(way);
  }
  return { edges, ways };
}

interface Planes {
  columns: number; cellW: number; cellH: number; planeW: number; planeH: number; left: number; height: number;
}
const GAP = 26, TOP = 18;

// As many planes side by side as make the cells largest.
function planes(width: number, { cells }: View): Planes {
  let best: Planes | null = null;
  for (let columns = 1; columns <= cells[2]; ++columns) {
    const rows = Math.ceil(cells[2] / columns);
    const wide = (width - GAP * (columns + 1)) / (columns * cells[0]);
    const high = (720 - rows * (GAP + TOP)) / (rows * cells[1]);
    const cellW = Math.min(wide, 120, high / 0.72), cellH = cellW * (cells[1] === 1 ? 0.9 : 0.72);
    if (cellW <= (best?.cellW ?? 0)) continue;
    const planeW = cells[0] * cellW + GAP, planeH = cells[1] * cellH + GAP + TOP;
    const left = (width - columns * planeW) / 2 + GAP / 2;
    best = { columns, cellW, cellH, planeW, planeH, left, height: rows * planeH };
  }
  return best!;
}

function cellCentre(plan: Planes, cell: Three): [number, number] {
  const column = cell[2] % plan.columns, row = Math.floor(cell[2] / plan.columns);
  return [plan.left + column * plan.planeW + (cell[0] + 0.5) * plan.cellW,
    row * plan.planeH + TOP + GAP / 2 + (cell[1] + 0.5) * plan.cellH];
}

// The switch in the middle of its cell, its hosts at the lower right.
function rectOf(plan: Planes, box: Box, cell: Three, [i, parts]: [number, number]): Rect {
  const [x, y] = cellCentre(plan, cell), { cellW, cellH } = plan;
  if (!box.isHost) {
    const w = Math.max(3, Math.min(40, cellW * 0.44)), h = Math.max(3, Math.min(18, cellH * 0.34));
    return { x: x - w / 2, y: y - h / 2, w, h };
  }
  const w = Math.max(2, Math.min(14, (cellW * 0.42) / parts - 1)), h = Math.max(2, Math.min(8, cellH * 0.14));
  return { x: x + cellW * 0.06 + i * (w + 1), y: y + cellH * 0.3, w, h };
}

function pathOf(f: Fabric, plan: Planes, rects: Rect[], e: Edge, way: Way): Path {
  if (way.leaves) {
    const strokes: Path["strokes"] = [], mid: [number, number][] = [];
    const end = (rect: Rect, [dx, dy]: [number, number], side: number) => {
      const [x, y] = centre(rect), ox = -dy * side, oy = dx * side;
      const reach = [rect.w / 2 + plan.cellW * 0.24, rect.h / 2 + plan.cellH * 0.28];
      const to: [number, number] = [x + dx * reach[0]! + ox, y + dy * reach[1]! + oy];
      strokes.push([x + ox, y + oy, x + ox, y + oy, to[0], to[1]]);
      mid.push(to);
    };
    if (e.from >= 0) end(rects[e.from]!, way.leaves, 1.6);
    if (e.to >= 0) end(rects[e.to]!, way.arrives, -1.6);
    return { strokes, mid: mid[0]! };
  }
  const a = centre(rects[e.from]!), b = centre(rects[e.to]!), [x, y] = way.steps;
  if (!f.allJoined || Math.abs(x) + Math.abs(y) < 2) return straight(a, b);
  // Arcs above the row and to the left of the column, the further the higher.
  const lift = (steps: number, room: number) => Math.min(room, room * (0.35 + 0.12 * Math.abs(steps)));
  return curved(a, [(a[0] + b[0]) / 2 - (y !== 0 ? lift(y, plan.cellW * 0.8) : 0),
    (a[1] + b[1]) / 2 - (x !== 0 ? lift(x, plan.cellH * 0.9) : 0)], b);
}

function titlesOf(f: Fabric, view: View, plan: Planes): Title[] {
  if (sizesOf(f)[2] === 1) return [];
  return Array.from({ length: view.cells[2] }, (_, z): Title => {
    const [x, y] = cellCentre(plan, [0, 0, z]), low = view.from[2] + z * view.block[2];
    const high = Math.min(view.to[2], low + view.block[2]) - 1;
    return { text: high > low ? `planes ${planeName(f, low)} to ${planeName(f, high)}` : `plane ${planeName(f, low)}`,
      x: x - plan.cellW / 2, y: y - plan.cellH / 2 - 4, align: "left", baseline: "bottom" };
  });
}
// Its coordinates in the further dimensions, as they stand in the names of switches.
function planeName(f: Fabric, plane: number): string {
  const digits: number[] = [];
  for (const size of f.sizes.slice(2)) { digits.push(plane % size); plane = Math.floor(plane / size); }
  return digits.join(".");
}
