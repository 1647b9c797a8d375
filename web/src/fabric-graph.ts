// A fabric without a known structure: switches repel each other and cables pull; the start is a circle, so the result
// is always the same. Hosts stand in a bunch at their switch.
import type { Fabric } from "./document";
import { centre, edgesOf, homes, shortLabel, straight, type Box, type Layout, type Place, type Rect }
  from "./fabric-layout";

interface Spot { x: number; y: number; isHost: boolean }  // 0..1

export function graphLayout(f: Fabric): Layout {
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
  const boxes: Box[] = [], spots: Spot[] = [];
  const boxOfNode = new Int32Array(f.nodes).fill(0);
  for (let s = 0; s < switches; ++s) {
    boxOfNode[f.hosts + s] = boxes.length;
    boxes.push({ nodes: [f.hosts + s], label: shortLabel(f, [f.hosts + s]), key: `s${s}`, isHost: false });
    spots.push({ x: 0.15 + 0.7 * x[s]!, y: 0.15 + 0.7 * y[s]!, isHost: false });
  }
  addHosts(f, boxes, spots, boxOfNode);
  const boxOf = (node: number) => boxOfNode[node]!;
  const edges = edgesOf(f, boxOf);
  const place = (width: number): Place => {
    const height = Math.min(width, 620);
    const rects = spots.map((spot): Rect => {
      const w = spot.isHost ? 20 : 34, h = spot.isHost ? 12 : 24;
      return { x: spot.x * width - w / 2, y: 15 + spot.y * (height - 30) - h / 2, w, h };
    });
    return { width, height, rects, frames: [], titles: [],
      paths: edges.map((e) => straight(centre(rects[e.from]!), centre(rects[e.to]!))) };
  };
  return { boxes, edges, sideways: false, loose: true, boxOf, place };
}

function addHosts(f: Fabric, boxes: Box[], spots: Spot[], boxOfNode: Int32Array): void {
  const bySwitch = new Map<number, number[]>();
  homes(f).forEach((home, h) => {
    const at = home < 0 ? f.hosts : home;
    if (!bySwitch.has(at)) bySwitch.set(at, []);
    bySwitch.get(at)!.push(h);
  });
  for (const [at, hosts] of bySwitch) {
    const home = spots[boxOfNode[at]!]!;
    const outward = Math.atan2(home.y - 0.5, home.x - 0.5 || 1e-3);
    const groups = hosts.length <= 8 ? hosts.map((h) => [h]) : [hosts];
    groups.forEach((nodes, i) => {
      const angle = outward + (i - (groups.length - 1) / 2) * 0.5;
      for (const node of nodes) boxOfNode[node] = boxes.length;
      boxes.push({ nodes, label: shortLabel(f, nodes), key: `h${nodes[0]}`, isHost: true });
      spots.push({ x: home.x + 0.11 * Math.cos(angle), y: home.y + 0.11 * Math.sin(angle), isHost: true });
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
