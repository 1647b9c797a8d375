// Where everything stands. The document says what the fabric was built as: trees and multistage networks have layers
// (this file), dragonflies are rings of groups, tori, meshes and HyperX are grids, and what has no structure is laid
// out by forces. Neighbours are drawn together as one box where there are too many of them, and a box can be opened.
import type { Fabric } from "./document";
import { graphLayout } from "./fabric-graph";
import { gridLayout } from "./fabric-grid";
import { ringLayout } from "./fabric-ring";

export interface Rect { x: number; y: number; w: number; h: number }
// `label` is what the drawing says; labelOf says it in full.
export interface Box { nodes: number[]; label: string; key: string; isHost: boolean }
export interface Edge { from: number; to: number; ports: number[] }  // boxes, and the link directions between them
// A line with its bend, as a quadratic curve. A link that leads where no line can follow is drawn as two ends.
export type Stroke = [x: number, y: number, bendX: number, bendY: number, toX: number, toY: number];
export interface Path { strokes: Stroke[]; mid: [number, number] }
export interface Frame {  // around a group
  label: string; at: [number, number]; align: "left" | "center"; outline: [number, number][];
}
export interface Title { text: string; x: number; y: number; align: CanvasTextAlign; baseline: CanvasTextBaseline }
// Everything in CSS pixels.
export interface Place {
  width: number; height: number; rects: Rect[]; paths: Path[]; frames: Frame[]; titles: Title[];
}
export interface Layout {
  boxes: Box[]; edges: Edge[];
  sideways: boolean;                                    // tanks fill from the left
  loose?: boolean;                                      // names may be wider than their boxes
  hint?: string;                                        // what only this kind of drawing has
  boxOf(node: number, asReceiver: boolean): number;     // -1: not shown
  place(width: number): Place;
}

export function layout(f: Fabric, width: number, opened: Set<string>): Layout {
  if (f.shape === "graph") return graphLayout(f);
  if (f.shape === "ring") return ringLayout(f, opened);
  if (f.shape === "grid") return gridLayout(f, width, opened);
  return layeredLayout(f, width, opened);
}

// Boxes opened on the way to a node, so that a root stands alone. A grid that is opened shows one part only, so it
// stays as it is.
export function openAround(f: Fabric, width: number, node: number, opened: Set<string>): void {
  if (f.shape === "grid" || f.shape === "graph") return;
  for (let depth = 0; depth < 12; ++depth) {
    const found = layout(f, width, opened);
    const box = found.boxes[found.boxOf(node, false)];
    if (!box || box.nodes.length === 1) return;
    opened.add(box.key);
  }
}

// --- what all of them need ---

export function labelOf(f: Fabric, nodes: number[]): string {
  const first = f.names[nodes[0]!]!, last = f.names[nodes[nodes.length - 1]!]!;
  return nodes.length === 1 ? first : `${first} … ${last} (${nodes.length})`;
}

// In a drawing: what tells a node from its like, or how many there are.
export const shortLabel = (f: Fabric, nodes: number[]) =>
  (nodes.length === 1 ? f.shortNames[nodes[0]!]! : `×${nodes.length}`);

export function edgesOf(f: Fabric, boxOf: (node: number, asReceiver: boolean) => number): Edge[] {
  const edges = new Map<number, Edge>();
  for (let p = 0; p < f.ports; ++p) {
    if (f.to[p]! < 0) continue;
    const from = boxOf(f.owner[p]!, false), to = boxOf(f.owner[f.to[p]!]!, true);
    if (from === to || from < 0 || to < 0) continue;
    const key = from * 65536 + to;
    const edge = edges.get(key);
    if (edge) edge.ports.push(p);
    else edges.set(key, { from, to, ports: [p] });
  }
  return [...edges.values()];
}

// The switch of each host.
export function homes(f: Fabric): Int32Array {
  const home = new Int32Array(f.hosts).fill(-1);
  for (let p = f.ports - 1; p >= 0; --p)
    if (f.owner[p]! < f.hosts && f.to[p]! >= 0) home[f.owner[p]!] = f.owner[f.to[p]!]!;
  return home;
}

export const centre = (r: Rect): [number, number] => [r.x + r.w / 2, r.y + r.h / 2];
const APART = 1.6;  // the two directions of a cable run side by side

export function straight([ax, ay]: [number, number], [bx, by]: [number, number]): Path {
  return curved([ax, ay], [(ax + bx) / 2, (ay + by) / 2], [bx, by]);
}
export function curved([ax, ay]: [number, number], [cx, cy]: [number, number], [bx, by]: [number, number]): Path {
  const apart = APART / (Math.hypot(bx - ax, by - ay) || 1), ox = -(by - ay) * apart, oy = (bx - ax) * apart;
  return { strokes: [[ax + ox, ay + oy, cx + ox, cy + oy, bx + ox, by + oy]],
    mid: [(ax + 2 * cx + bx) / 4 + ox, (ay + 2 * cy + by) / 4 + oy] };
}

// --- layers ---

interface Layer { title: string; nodes: number[]; receivers: boolean; groups: Int32Array | null }
interface Slot { box: number; layer: number; from: number; to: number }  // of a layer's length, 0..1

function layersOf(f: Fabric): Layer[] {
  const levels = new Map<number, number[]>();
  for (let n = f.hosts; n < f.nodes; ++n) {
    const level = f.level[n]!;
    if (!levels.has(level)) levels.set(level, []);
    levels.get(level)!.push(n);
  }
  const byPosition = (a: number, b: number) => f.position[a]! - f.position[b]! || a - b;
  const hosts = Array.from({ length: f.hosts }, (_, n) => n).sort(byPosition);
  const word = f.shape === "tree" ? "level" : "stage";
  const home = f.group.length > 0 ? homes(f) : null;
  const groupOf = (n: number): number =>
    (n < 0 ? -1 : n < f.hosts ? groupOf(home![n]!) : f.group[n - f.hosts]!);
  const layer = (title: string, nodes: number[], receivers = false): Layer =>
    ({ title, nodes, receivers, groups: home ? Int32Array.from(nodes, groupOf) : null });
  const layers = [layer(f.shape === "umin" ? "senders" : "hosts", hosts)];
  for (const level of [...levels.keys()].sort((a, b) => a - b))
    layers.push(layer(f.levelNames[level] ?? `${word} ${level}`, levels.get(level)!.sort(byPosition)));
  if (f.shape === "umin") layers.push(layer("receivers", hosts, true));
  return layers;
}

// Neighbours that form one box: a power of the fabric's arity, so that boxes end where subtrees end.
function chunkSize(nodes: number, most: number, arity: number): number {
  let size = 1;
  const step = arity >= 2 && arity <= 16 ? arity : 2;
  while (Math.ceil(nodes / size) > most) size *= step;
  return size;
}

// Where the boxes of a layer begin. They end where groups end, as far as there is room for that.
function beginnings(layer: Layer, most: number, arity: number): number[] {
  const count = layer.nodes.length;
  const every = (from: number, to: number, size: number) =>
    Array.from({ length: Math.ceil((to - from) / size) }, (_, i) => from + i * size);
  if (count <= most || !layer.groups) return every(0, count, chunkSize(count, most, arity));
  const starts = [0];
  for (let i = 1; i < count; ++i) if (layer.groups[i] !== layer.groups[i - 1]) starts.push(i);
  if (starts.length > most) return starts.filter((_, i) => i % Math.ceil(starts.length / most) === 0);
  const boxes = Math.floor(most / starts.length);
  return starts.flatMap((from, i) => {
    const to = starts[i + 1] ?? count;
    return every(from, to, Math.ceil((to - from) / boxes));
  });
}

function layeredLayout(f: Fabric, width: number, opened: Set<string>): Layout {
  const sideways = f.shape !== "tree";
  const most = sideways ? 48 : Math.max(8, Math.min(64, Math.floor(width / 14)));
  const layers = layersOf(f), boxes: Box[] = [], slots: Slot[] = [];
  const sender = new Int32Array(f.nodes).fill(-1), receiver = new Int32Array(f.nodes).fill(-1);
  const groupsAt: Map<number, number[]>[] = [];  // by layer: the boxes of each group, in order
  layers.forEach((layer, index) => {
    const inGroups = new Map<number, number[]>();
    const add = (from: number, to: number) => {
      const key = `${index}:${from}-${to}`;
      if (to - from > 1 && opened.has(key)) {
        const size = chunkSize(to - from, 16, f.arity);
        for (let at = from; at < to; at += size) add(at, Math.min(to, at + size));
        return;
      }
      const nodes = layer.nodes.slice(from, to), group = layer.groups?.[from] ?? -1;
      for (const node of nodes) (layer.receivers ? receiver : sender)[node] = boxes.length;
      if (!inGroups.has(group)) inGroups.set(group, []);
      inGroups.get(group)!.push(boxes.length);
      slots.push({ box: boxes.length, layer: index, from: 0, to: 0 });
      boxes.push({ nodes, label: shortLabel(f, nodes), key, isHost: nodes[0]! < f.hosts });
    };
    const starts = beginnings(layer, most, f.arity);
    starts.forEach((from, i) => add(from, starts[i + 1] ?? layer.nodes.length));
    groupsAt.push(inGroups);
  });
  spreadOut(slots, groupsAt);
  const boxOf = (node: number, asReceiver: boolean) =>
    asReceiver && receiver[node]! >= 0 ? receiver[node]! : sender[node]!;
  const edges = edgesOf(f, boxOf);
  const place = (width: number): Place => {
    const at = placeLayers(width, sideways, layers, slots);
    const paths = edges.map((e) => straight(centre(at.rects[e.from]!), centre(at.rects[e.to]!)));
    const frames = sideways ? [] : framesOf(f, groupsAt, at.rects);
    // On a narrow page there is room for the names of groups or of layers.
    return { ...at, paths, frames, titles: frames.length > 0 && width < NARROW ? [] : at.titles };
  };
  return { boxes, edges, sideways, boxOf, place };
}

// A group of hosts and leaves has a column of its own, as wide as its longest layer needs; layers that do not belong to
// these groups use the whole length, with gaps between groups of their own.
function spreadOut(slots: Slot[], groupsAt: Map<number, number[]>[]): void {
  const columns = [...groupsAt[0]!.keys()], gap = columns.length > 1 || groupsAt.some((g) => g.size > 1) ? 0.6 : 0;
  const longest = (g: number) => Math.max(...groupsAt.map((layer) => layer.get(g)?.length ?? 0));
  const spread = (list: number[], from: number, to: number) => list.forEach((box, i) => {
    slots[box]!.from = from + ((to - from) * i) / list.length;
    slots[box]!.to = from + ((to - from) * (i + 1)) / list.length;
  });
  const inColumns = (keys: number[], weight: (g: number) => number, layers: Map<number, number[]>[]) => {
    const total = keys.reduce((sum, g) => sum + weight(g) + gap, 0);
    let at = 0;
    for (const g of keys) {
      const from = at + gap / 2;
      for (const layer of layers) spread(layer.get(g) ?? [], from / total, (from + weight(g)) / total);
      at += weight(g) + gap;
    }
  };
  const own = groupsAt.filter((layer) => [...layer.keys()].every((g) => columns.includes(g)));
  inColumns(columns, longest, own);
  for (const layer of groupsAt)
    if (!own.includes(layer)) inColumns([...layer.keys()], (g) => layer.get(g)!.length, [layer]);
}

const NARROW = 560;
const MARGIN = { right: 14, top: 30, bottom: 14 };

function placeLayers(width: number, sideways: boolean, layers: Layer[], slots: Slot[]):
    { width: number; height: number; rects: Rect[]; titles: Title[] } {
  const count = layers.length, narrow = width < NARROW;
  const height = sideways ? Math.min(560, Math.max(320, width * 0.5)) : Math.min(560, 90 * count + 40);
  const left = sideways || narrow ? 14 : 112, inner = width - left - MARGIN.right;
  const room = height - MARGIN.top - MARGIN.bottom;
  const text = ({ title, nodes }: Layer) => (narrow ? title.replace("stage ", "st. ") : `${title} (${nodes.length})`);
  if (sideways) {
    const step = inner / count, w = Math.min(34, step * 0.4);
    return { width, height,
      rects: slots.map((s) => {
        const long = (s.to - s.from) * room, h = Math.max(1.5, long - (long > 5 ? 2 : 0.4));
        return { x: left + (s.layer + 0.5) * step - w / 2, y: MARGIN.top + ((s.from + s.to) / 2) * room - h / 2, w, h };
      }),
      titles: layers.map((layer, i) => ({ text: text(layer), x: left + (i + 0.5) * step, y: 8, align: "center",
        baseline: "top" })) };
  }
  const step = room / count, h = Math.min(26, step * 0.42);
  const middle = (layer: number) => height - MARGIN.bottom - (layer + 0.5) * step;
  return { width, height,
    rects: slots.map((s) => {
      const long = (s.to - s.from) * inner, w = Math.max(1.5, Math.min(60, long - (long > 5 ? 2 : 0.4)));
      return { x: left + ((s.from + s.to) / 2) * inner - w / 2, y: middle(s.layer) - h / 2, w, h };
    }),
    titles: layers.map((layer, i) => (narrow
      ? { text: text(layer), x: 4, y: middle(i) - h / 2 - 2, align: "left", baseline: "bottom" }
      : { text: text(layer), x: 4, y: middle(i), align: "left", baseline: "middle" })) };
}

// Around the boxes of each group that has some of its own.
function framesOf(f: Fabric, groupsAt: Map<number, number[]>[], rects: Rect[]): Frame[] {
  const frames: Frame[] = [];
  const wanted = [...new Set(groupsAt.flatMap((layer) => [...layer.keys()]))].filter((g) => g >= 0);
  if (wanted.length < 2 || wanted.length > 40) return [];
  for (const g of wanted) {
    const own = groupsAt.flatMap((layer) => layer.get(g) ?? []).map((box) => rects[box]!);
    const x0 = Math.min(...own.map((r) => r.x)) - 4, x1 = Math.max(...own.map((r) => r.x + r.w)) + 4;
    const y0 = Math.min(...own.map((r) => r.y)) - 8, y1 = Math.max(...own.map((r) => r.y + r.h)) + 6;
    frames.push({ label: f.groupNames[g] ?? "", at: [x0 + 4, y0 - 3], align: "left",
      outline: [[x0, y0], [x1, y0], [x1, y1], [x0, y1]] });
  }
  return frames;
}
