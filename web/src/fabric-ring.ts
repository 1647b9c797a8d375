// Dragonfly and dragonfly+: the groups stand around a ring. Hosts are outside, then leaves or routers, then spines;
// cables inside a group stay near the ring, cables between groups cross the middle. Where there are too many switches
// a group is one box for each of its layers, and can be opened; where there are too many groups, neighbours share one.
import type { Fabric } from "./document";
import { centre, curved, edgesOf, homes, shortLabel, straight, type Box, type Frame, type Layout, type Place,
  type Rect } from "./fabric-layout";
import { withoutCommonBeginning } from "./shown";

const MOST_SWITCHES = 240, MOST_GROUPS = 120;
const DEPTH = [1, 0.84, 0.66];  // hosts, first and second layer of switches, of the radius

interface Group { name: string; layers: number[][] }              // by layer: nodes
interface Spot { at: number; depth: number; share: number; group: number }  // along the ring 0..1; which layer

function groupsOf(f: Fabric): Group[] {
  const groups = f.groupNames.map((name): Group => ({ name, layers: [[], [], []] }));
  homes(f).forEach((home, h) => { if (home >= 0) groups[f.group[home - f.hosts]!]!.layers[0]!.push(h); });
  for (let n = f.hosts; n < f.nodes; ++n) groups[f.group[n - f.hosts]!]!.layers[1 + f.level[n]!]!.push(n);
  if (groups.length <= MOST_GROUPS) return groups;
  const together = Math.ceil(groups.length / MOST_GROUPS), merged: Group[] = [];
  for (let g = 0; g < groups.length; g += together) {
    const some = groups.slice(g, g + together);
    merged.push({ name: `${some[0]!.name}–${some[some.length - 1]!.name}`,
      layers: [0, 1, 2].map((l) => some.flatMap((one) => one.layers[l]!)) });
  }
  return merged;
}

// The boxes of a group's layer: every node, or all of them, or the hosts of each switch.
function partsOf(group: Group, layer: number, whole: boolean, hostsOf: Map<number, number[]>): number[][] {
  const nodes = group.layers[layer]!;
  if (nodes.length === 0) return [];
  if (whole) return [nodes];
  if (layer > 0 || nodes.length <= 2 * group.layers[1]!.length) return nodes.map((n) => [n]);
  return group.layers[1]!.map((s) => hostsOf.get(s) ?? []).filter((list) => list.length > 0);
}

export function ringLayout(f: Fabric, opened: Set<string>): Layout {
  const groups = groupsOf(f), hostsOf = new Map<number, number[]>();
  homes(f).forEach((home, h) => hostsOf.set(home, [...(hostsOf.get(home) ?? []), h]));
  const many = f.nodes - f.hosts > MOST_SWITCHES || groups.length < f.groupNames.length;
  const boxes: Box[] = [], spots: Spot[] = [], boxOfNode = new Int32Array(f.nodes).fill(-1);
  const parts = groups.map((group) => {
    const key = `r${group.name}`, whole = many && !opened.has(key);
    return { key, whole, layers: [0, 1, 2].map((l) => partsOf(group, l, whole, hostsOf)) };
  });
  const weight = (g: number) => Math.max(1, ...parts[g]!.layers.map((list) => list.length)) + 1;
  const total = groups.reduce((sum, _, g) => sum + weight(g), 0);
  const spans: [number, number][] = [];
  let at = 0;
  groups.forEach((_, g) => {
    const from = (at + 0.5) / total, to = (at + weight(g) - 0.5) / total;
    spans.push([from, to]);
    at += weight(g);
    parts[g]!.layers.forEach((list, depth) => {
      const names = withoutCommonBeginning(list.map((nodes) => shortLabel(f, nodes)));
      list.forEach((nodes, i) => {
        for (const node of nodes) boxOfNode[node] = boxes.length;
        boxes.push({ nodes, label: names[i]!, isHost: depth === 0,
          key: parts[g]!.whole ? parts[g]!.key : `${parts[g]!.key}:${depth}:${i}` });
        const share = (to - from) / list.length;
        spots.push({ at: from + (i + 0.5) * share, depth, share, group: g });
      });
    });
  });
  const boxOf = (node: number) => boxOfNode[node]!;
  const edges = edgesOf(f, boxOf);
  const place = (width: number): Place => {
    const ring = ellipse(width);
    const rects = spots.map((spot): Rect => {
      const [x, y] = ring.point(spot.at, DEPTH[spot.depth]!), room = spot.share * ring.length * DEPTH[spot.depth]! - 2;
      const [most, tallest] = spot.depth === 0 ? [22, 10] : [38, 16];
      const w = Math.max(3, Math.min(most, room)), h = Math.max(3, Math.min(tallest, room));
      return { x: x - w / 2, y: y - h / 2, w, h };
    });
    const paths = edges.map((e) => {
      const a = centre(rects[e.from]!), b = centre(rects[e.to]!), mid = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] as const;
      const near = spots[e.from]!.group === spots[e.to]!.group;
      if (near && spots[e.from]!.depth !== spots[e.to]!.depth) return straight(a, b);
      // Towards the middle: a little inside a group, the more the further groups are apart.
      const pull = near ? 0.1 : 0.25 + 0.5 * Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1]) / (1.2 * ring.height));
      return curved(a, [mid[0] + (ring.x - mid[0]) * pull, mid[1] + (ring.y - mid[1]) * pull], b);
    });
    const deepest = parts.some((p) => p.layers[2]!.length > 0) ? 0.6 : 0.77;
    const frames = spans.map(([from, to], g): Frame => {
      const steps = Array.from({ length: 9 }, (_, i) => from + ((to - from) * i) / 8);
      return { label: groups[g]!.name, at: ring.point((from + to) / 2, 1.11), align: "center",
        outline: [...steps.map((s) => ring.point(s, 1.05)), ...steps.reverse().map((s) => ring.point(s, deepest))] };
    });
    return { width, height: ring.height, rects, paths, frames, titles: [] };
  };
  return { boxes, edges, sideways: false, boxOf, place };
}

// An ellipse that fits the page; points are found by the length along it, so that groups have equal room.
function ellipse(width: number): { x: number; y: number; height: number; length: number;
                                   point: (at: number, depth: number) => [number, number] } {
  const height = Math.min(660, Math.max(360, width * 0.62)), x = width / 2, y = height / 2;
  const rx = Math.min(width, height * 1.7) / 2 / 1.17, ry = height / 2 / 1.17, steps = 720;
  const along = [0];
  for (let i = 1; i <= steps; ++i) {
    const a = (2 * Math.PI * (i - 0.5)) / steps;
    along.push(along[i - 1]! + Math.hypot(rx * Math.cos(a), ry * Math.sin(a)) * ((2 * Math.PI) / steps));
  }
  const length = along[steps]!;
  const point = (at: number, depth: number): [number, number] => {
    const wanted = at * length;
    let low = 0, high = steps;
    while (high - low > 1) {
      const mid = (low + high) >> 1;
      if (along[mid]! <= wanted) low = mid;
      else high = mid;
    }
    const part = (wanted - along[low]!) / (along[high]! - along[low]! || 1);
    const angle = (2 * Math.PI * (low + part)) / steps;
    return [x + rx * depth * Math.sin(angle), y - ry * depth * Math.cos(angle)];
  };
  return { x, y, height, length, point };
}
