// Where everything stands. Trees and multistage networks have layers: hosts, then switches level by level; neighbours
// of a layer are drawn together as one box when there are too many of them, and a box can be opened. Other graphs are
// laid out by forces. Positions are in 0..1 along a layer and across the layers.
import type { Fabric } from "./document";

export interface Box {
  layer: number; nodes: number[];
  along: number; across: number; size: number;  // centre, and length along the layer
  label: string; opened: boolean; key: string;
}
export interface Edge { from: number; to: number; ports: number[] }  // boxes, and the link directions between them
export interface Layout {
  boxes: Box[]; edges: Edge[]; layers: { title: string; nodes: number }[];
  graph: boolean;      // laid out by forces: `along` is x, `across` is y
  sideways: boolean;   // layers from left to right
  boxOf(node: number, asReceiver: boolean): number;
}

interface Layer { title: string; nodes: number[]; receivers: boolean }

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
  const layers: Layer[] = [{ title: f.shape === "umin" ? "senders" : "hosts", nodes: hosts, receivers: false }];
  for (const level of [...levels.keys()].sort((a, b) => a - b))
    layers.push({ title: `${word} ${level}`, nodes: levels.get(level)!.sort(byPosition), receivers: false });
  if (f.shape === "umin") layers.push({ title: "receivers", nodes: hosts, receivers: true });
  return layers;
}

// Neighbours that form one box: a power of the fabric's arity, so that boxes end where subtrees end.
function chunkSize(nodes: number, most: number, arity: number): number {
  let size = 1;
  const step = arity >= 2 && arity <= 16 ? arity : 2;
  while (Math.ceil(nodes / size) > most) size *= step;
  return size;
}

function label(f: Fabric, nodes: number[]): string {
  const first = f.names[nodes[0]!]!, last = f.names[nodes[nodes.length - 1]!]!;
  return nodes.length === 1 ? first : `${first} … ${last} (${nodes.length})`;
}

function boxesOfLayer(f: Fabric, layer: Layer, index: number, most: number, opened: Set<string>): Box[] {
  const boxes: Box[] = [];
  const add = (from: number, to: number) => {
    const key = `${index}:${from}-${to}`;
    if (to - from > 1 && opened.has(key)) {
      const size = chunkSize(to - from, 16, f.arity);
      for (let at = from; at < to; at += size) add(at, Math.min(to, at + size));
      return;
    }
    const nodes = layer.nodes.slice(from, to);
    boxes.push({ layer: index, nodes, along: 0, across: 0, size: 0, label: label(f, nodes), opened: false, key });
  };
  const size = chunkSize(layer.nodes.length, most, f.arity);
  for (let at = 0; at < layer.nodes.length; at += size) add(at, Math.min(layer.nodes.length, at + size));
  boxes.forEach((box, i) => {
    box.along = (i + 0.5) / boxes.length;
    box.size = 1 / boxes.length;
  });
  return boxes;
}

function edgesOf(f: Fabric, boxOf: (node: number, asReceiver: boolean) => number): Edge[] {
  const edges = new Map<number, Edge>();
  for (let p = 0; p < f.ports; ++p) {
    if (f.to[p]! < 0) continue;
    const from = boxOf(f.owner[p]!, false), to = boxOf(f.owner[f.to[p]!]!, true);
    if (from === to) continue;
    const key = from * 65536 + to;
    const edge = edges.get(key);
    if (edge) edge.ports.push(p);
    else edges.set(key, { from, to, ports: [p] });
  }
  return [...edges.values()];
}

export function layout(f: Fabric, most: number, opened: Set<string>): Layout {
  if (f.shape === "graph") return graphLayout(f);
  const layers = layersOf(f);
  const boxes: Box[] = [];
  const sender = new Int32Array(f.nodes).fill(-1), receiver = new Int32Array(f.nodes).fill(-1);
  layers.forEach((layer, index) => {
    for (const box of boxesOfLayer(f, layer, index, most, opened)) {
      box.across = layers.length === 1 ? 0.5 : index / (layers.length - 1);
      for (const node of box.nodes) (layer.receivers ? receiver : sender)[node] = boxes.length;
      boxes.push(box);
    }
  });
  const boxOf = (node: number, asReceiver: boolean) =>
    asReceiver && receiver[node]! >= 0 ? receiver[node]! : sender[node]!;
  return {
    boxes, edges: edgesOf(f, boxOf), layers: layers.map((l) => ({ title: l.title, nodes: l.nodes.length })),
    graph: false, sideways: f.shape !== "tree", boxOf,
  };
}

// Boxes opened on the way to a node, so that a root stands alone.
export function openAround(f: Fabric, most: number, node: number, opened: Set<string>): void {
  for (let depth = 0; depth < 12; ++depth) {
    const found = layout(f, most, opened);
    const box = found.boxes[found.boxOf(node, false)];
    if (!box || box.nodes.length === 1) return;
    opened.add(box.key);
  }
}

// --- graphs ---

// Switches repel each other and cables pull; the start is a circle, so the result is always the same. Hosts stand in a
// bunch at their switch.
function graphLayout(f: Fabric): Layout {
  const switches = f.nodes - f.hosts;
  const x = new Float64Array(switches), y = new Float64Array(switches);
  for (let s = 0; s < switches; ++s) {
    x[s] = Math.cos((2 * Math.PI * s) / switches);
    y[s] = Math.sin((2 * Math.PI * s) / switches);
  }
  const cables: [number, number][] = [];
  for (let p = 0; p < f.ports; ++p) {
    const a = f.owner[p]! - f.hosts, b = f.to[p]! < 0 ? -1 : f.owner[f.to[p]!]! - f.hosts;
    if (a >= 0 && b > a) cables.push([a, b]);
  }
  if (switches > 2 && switches <= 600) relax(x, y, cables);
  normalise(x);
  normalise(y);
  const boxes: Box[] = [];
  const boxOfNode = new Int32Array(f.nodes).fill(0);
  for (let s = 0; s < switches; ++s) {
    boxOfNode[f.hosts + s] = boxes.length;
    boxes.push({ layer: 1, nodes: [f.hosts + s], along: 0.15 + 0.7 * x[s]!, across: 0.15 + 0.7 * y[s]!, size: 0,
      label: f.names[f.hosts + s]!, opened: false, key: `s${s}` });
  }
  addHosts(f, boxes, boxOfNode);
  const boxOf = (node: number) => boxOfNode[node]!;
  return {
    boxes, edges: edgesOf(f, boxOf),
    layers: [{ title: "hosts", nodes: f.hosts }, { title: "switches", nodes: switches }],
    graph: true, sideways: false, boxOf,
  };
}

function addHosts(f: Fabric, boxes: Box[], boxOfNode: Int32Array): void {
  const bySwitch = new Map<number, number[]>();
  const port = new Int32Array(f.hosts).fill(-1);
  for (let p = f.ports - 1; p >= 0; --p) if (f.owner[p]! < f.hosts) port[f.owner[p]!] = p;
  for (let h = 0; h < f.hosts; ++h) {
    const peer = port[h]! < 0 ? -1 : f.to[port[h]!]!;
    const at = peer < 0 ? f.hosts : f.owner[peer]!;
    if (!bySwitch.has(at)) bySwitch.set(at, []);
    bySwitch.get(at)!.push(h);
  }
  for (const [at, hosts] of bySwitch) {
    const home = boxes[boxOfNode[at]!]!;
    const outward = Math.atan2(home.across - 0.5, home.along - 0.5 || 1e-3);
    const groups = hosts.length <= 8 ? hosts.map((h) => [h]) : [hosts];
    groups.forEach((nodes, i) => {
      const angle = outward + (i - (groups.length - 1) / 2) * 0.5;
      for (const node of nodes) boxOfNode[node] = boxes.length;
      boxes.push({ layer: 0, nodes, along: home.along + 0.11 * Math.cos(angle),
        across: home.across + 0.11 * Math.sin(angle), size: 0, label: label(f, nodes), opened: false,
        key: `h${nodes[0]}` });
    });
  }
}

function relax(x: Float64Array, y: Float64Array, cables: [number, number][]): void {
  const n = x.length, rounds = n > 200 ? 120 : 300, ideal = 2 / Math.sqrt(n);
  const dx = new Float64Array(n), dy = new Float64Array(n);
  for (let round = 0; round < rounds; ++round) {
    dx.fill(0);
    dy.fill(0);
    for (let a = 0; a < n; ++a)
      for (let b = a + 1; b < n; ++b) {
        const vx = x[a]! - x[b]!, vy = y[a]! - y[b]!, d2 = Math.max(1e-4, vx * vx + vy * vy);
        const push = (ideal * ideal) / d2;
        dx[a]! += vx * push; dy[a]! += vy * push; dx[b]! -= vx * push; dy[b]! -= vy * push;
      }
    for (const [a, b] of cables) {
      const vx = x[a]! - x[b]!, vy = y[a]! - y[b]!, pull = Math.sqrt(vx * vx + vy * vy) / ideal;
      dx[a]! -= vx * pull; dy[a]! -= vy * pull; dx[b]! += vx * pull; dy[b]! += vy * pull;
    }
    const most = 0.1 * (1 - round / rounds);
    for (let a = 0; a < n; ++a) {
      const length = Math.hypot(dx[a]!, dy[a]!) || 1, step = Math.min(most, length);
      x[a]! += (dx[a]! / length) * step;
      y[a]! += (dy[a]! / length) * step;
    }
  }
}

function normalise(values: Float64Array): void {
  const low = Math.min(...values), high = Math.max(...values);
  for (let i = 0; i < values.length; ++i) values[i] = high > low ? (values[i]! - low) / (high - low) : 0.5;
}
