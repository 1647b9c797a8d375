// The fabric at one moment: which ports are roots, which are held back, how full buffers are (docs/results.md, "Roots
// and victims"). The program says which links are roots.
import { unpackNibbles, type Fabric, type FramesData } from "./document";

export const HELD_BACK = 2;  // steps of the document: held back for at least 5 % of the time

export interface Frames {
  count: number; from: number[]; to: number[];
  roots: number[][];  // by frame
  load: Uint8Array; fill: Uint8Array; wait: Uint8Array;  // by port, then by frame
}

export async function unpackFrames(data: FramesData, ports: number): Promise<Frames> {
  const length = ports * data.count;
  const [load, fill, wait] = await Promise.all(
    [unpackNibbles(data.load, length), unpackNibbles(data.fill, length), unpackNibbles(data.wait, length)]);
  return { count: data.count, from: data.from_s, to: data.to_s, roots: data.roots,
    load: load!, fill: fill!, wait: wait! };
}

export interface Moment { roots: number[]; victims: number[]; fullest: number }

export function momentOf(fabric: Fabric, frames: Frames, frame: number): Moment {
  const { to, ports } = fabric;
  const waiting: number[] = [];
  let fullest = 0;
  for (let p = 0; p < ports; ++p) {
    if (to[p]! < 0) continue;
    const at = p * frames.count + frame;
    if (frames.fill[at]! > fullest) fullest = frames.fill[at]!;
    if (frames.wait[at]! >= HELD_BACK) waiting.push(p);
  }
  const roots = frames.roots[frame]!;
  const isRoot = new Set(roots);
  return { roots, victims: waiting.filter((p) => !isRoot.has(p)), fullest };
}

// Held back ports per frame, for the strip above the time slider. One pass, without the search for roots.
export function victimsOverTime(fabric: Fabric, frames: Frames): Uint32Array {
  const counts = new Uint32Array(frames.count);
  for (let p = 0; p < fabric.ports; ++p)
    if (fabric.to[p]! >= 0)
      for (let f = 0, at = p * frames.count; f < frames.count; ++f, ++at)
        if (frames.wait[at]! >= HELD_BACK) ++counts[f];
  return counts;
}
