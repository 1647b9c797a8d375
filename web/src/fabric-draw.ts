// Paints one moment of the fabric on a canvas. Links are coloured by load; a link that is held back is drawn on top in
// orange, a root in red with a diamond, so that the congestion tree stands out from its background. A switch is a tank:
// the level in it is the fill of its fullest buffer.
import type { Fabric } from "./document";
import type { Box, Layout, Path, Place, Rect } from "./fabric-layout";
import type { Frames, Moment } from "./fabric-state";
import { cssColour, loadColours, textOn } from "./palette";

interface Painted { load: number; wait: number; root: boolean; victim: boolean }

function paintOf(ports: number[], frames: Frames, frame: number, roots: Set<number>): Painted {
  const out = { load: 0, wait: 0, root: false, victim: false };
  for (const p of ports) {
    const at = p * frames.count + frame;
    if (frames.load[at]! > out.load) out.load = frames.load[at]!;
    if (frames.wait[at]! > out.wait) out.wait = frames.wait[at]!;
    if (roots.has(p)) out.root = true;
  }
  out.victim = out.wait >= 2 && !out.root;
  return out;
}

function trace(c: CanvasRenderingContext2D, path: Path): void {
  for (const [x, y, bendX, bendY, toX, toY] of path.strokes) {
    c.moveTo(x, y);
    c.quadraticCurveTo(bendX, bendY, toX, toY);
  }
}

export function drawFabric(
  canvas: HTMLCanvasElement, fabric: Fabric, layout: Layout, at: Place, frames: Frames | null, frame: number,
  moment: Moment | null, selected: number): void {
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(at.width * scale) || canvas.height !== Math.round(at.height * scale)) {
    canvas.width = Math.round(at.width * scale);
    canvas.height = Math.round(at.height * scale);
  }
  const c = canvas.getContext("2d")!;
  c.setTransform(scale, 0, 0, scale, 0, 0);
  c.clearRect(0, 0, at.width, at.height);
  drawFrames(c, at);
  drawLinks(c, layout, at, frames, frame, moment);
  drawBoxes(c, fabric, layout, at, frames, frame, selected);
  drawTitles(c, at);
}

function drawLinks(c: CanvasRenderingContext2D, layout: Layout, at: Place, frames: Frames | null, frame: number,
                   moment: Moment | null): void {
  const colours = loadColours();
  const roots = new Set(moment?.roots ?? []);
  const victims: number[] = [], rooted: number[] = [];
  const byLoad: number[][] = Array.from({ length: 16 }, () => []);
  layout.edges.forEach((edge, e) => {
    const paint = frames ? paintOf(edge.ports, frames, frame, roots) : { load: 0, wait: 0, root: false, victim: false };
    if (paint.root) rooted.push(e);
    else if (paint.victim) victims.push(e);
    else byLoad[paint.load]!.push(e);
  });
  const stroke = (edges: number[], colour: string, width: number) => {
    if (edges.length === 0) return;
    c.beginPath();
    for (const e of edges) trace(c, at.paths[e]!);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  };
  const dense = layout.edges.length > 1500;
  byLoad.forEach((edges, load) => {
    if (load === 0 && layout.edges.length > 4000) return;  // so many idle ones would hide the others
    stroke(edges, colours[load]!, dense ? 0.6 : load >= 12 ? 1.6 : 1);
  });
  stroke(victims, cssColour("--victim"), dense ? 1.4 : 2.2);
  stroke(rooted, cssColour("--root"), 4);
  for (const e of rooted) {
    const [x, y] = at.paths[e]!.mid;
    c.beginPath();
    c.moveTo(x, y - 7); c.lineTo(x + 7, y); c.lineTo(x, y + 7); c.lineTo(x - 7, y);
    c.closePath();
    c.fillStyle = cssColour("--root");
    c.fill();
    c.strokeStyle = cssColour("--ground");
    c.lineWidth = 1.5;
    c.stroke();
  }
}

function fills(fabric: Fabric, layout: Layout, frames: Frames | null, frame: number): Uint8Array {
  const level = new Uint8Array(layout.boxes.length);
  if (!frames) return level;
  for (let p = 0; p < fabric.ports; ++p) {
    if (fabric.to[p]! < 0) continue;
    const box = layout.boxOf(fabric.owner[fabric.to[p]!]!, true), fill = frames.fill[p * frames.count + frame]!;
    if (box >= 0 && fill > level[box]!) level[box] = fill;
  }
  return level;
}

function drawBoxes(c: CanvasRenderingContext2D, fabric: Fabric, layout: Layout, at: Place, frames: Frames | null,
                   frame: number, selected: number): void {
  const level = fills(fabric, layout, frames, frame);
  const ground = cssColour("--tank"), water = cssColour("--water"), full = cssColour("--water-full");
  const border = cssColour("--line"), ink = cssColour("--ink");
  layout.boxes.forEach((box, b) => {
    const r = at.rects[b]!;
    c.fillStyle = ground;
    c.fillRect(r.x, r.y, r.w, r.h);
    const share = level[b]! / 15, colour = share >= 0.8 ? full : water;
    const filled: Rect = layout.sideways ? { ...r, w: r.w * share }
      : { ...r, y: r.y + r.h * (1 - share), h: r.h * share };
    if (share > 0) {
      c.fillStyle = colour;
      c.fillRect(filled.x, filled.y, filled.w, filled.h);
    }
    if (Math.min(r.w, r.h) >= 4) {
      c.strokeStyle = b === selected ? ink : border;
      c.lineWidth = b === selected ? 2.5 : 1;
      c.strokeRect(r.x, r.y, r.w, r.h);
    } else if (b === selected) {
      c.strokeStyle = ink;
      c.lineWidth = 2;
      c.strokeRect(r.x - 2, r.y - 2, r.w + 4, r.h + 4);
    }
    c.font = "10px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    const text = fitting(c, box, r, layout.loose ?? false);
    if (text) name(c, text, r, share > 0 ? filled : null, textOn(colour), ink);
  });
}

// The end of a name tells more than its beginning. Without room for three letters there is none.
function fitting(c: CanvasRenderingContext2D, box: Box, r: Rect, loose: boolean): string {
  if (r.h < 11 && !loose) return "";
  const room = loose ? 72 : r.w - 2;
  let text = box.label;
  while (text.length > 1 && c.measureText(text).width > room) text = `…${text.slice(text.startsWith("…") ? 2 : 1)}`;
  return text.length >= Math.min(3, box.label.length) && text !== "…" ? text : "";
}

// The level may stand in the middle of a name: what is above it is read on the tank, what is below it on the water.
function name(c: CanvasRenderingContext2D, text: string, r: Rect, filled: Rect | null, onFilled: string,
              ink: string): void {
  const write = (colour: string, clip: Rect[]) => {
    c.save();
    c.beginPath();
    for (const part of clip) c.rect(part.x, part.y, part.w, part.h);
    c.clip("evenodd");
    c.fillStyle = colour;
    c.fillText(text, r.x + r.w / 2, r.y + r.h / 2);
    c.restore();
  };
  const around: Rect = { x: r.x - 200, y: r.y - 50, w: r.w + 400, h: r.h + 100 };
  write(ink, filled ? [around, filled] : [around]);
  if (filled) write(onFilled, [filled]);
}

// Groups, behind everything.
function drawFrames(c: CanvasRenderingContext2D, at: Place): void {
  const colour = cssColour("--frame");
  for (const { outline } of at.frames) {
    c.beginPath();
    outline.forEach(([x, y], i) => (i === 0 ? c.moveTo(x, y) : c.lineTo(x, y)));
    c.closePath();
    c.fillStyle = colour;
    c.fill();
  }
}

function drawTitles(c: CanvasRenderingContext2D, at: Place): void {
  c.fillStyle = cssColour("--soft");
  c.font = "12px system-ui, sans-serif";
  for (const title of at.titles) {
    c.textAlign = title.align;
    c.textBaseline = title.baseline;
    c.fillText(title.text, title.x, title.y);
  }
  c.font = "11px system-ui, sans-serif";
  const taken: Rect[] = [];  // where a name would lie over another, it is left out
  for (const { label, at: [x, y], align } of at.frames) {
    const w = c.measureText(label).width, own = { x: align === "left" ? x : x - w / 2, y: y - 6, w, h: 12 };
    const hides = (r: Rect) => own.x < r.x + r.w + 3 && r.x < own.x + w + 3 && own.y < r.y + r.h && r.y < own.y + own.h;
    if (taken.some(hides)) continue;
    taken.push(own);
    c.textAlign = align;
    c.textBaseline = align === "left" ? "bottom" : "middle";
    c.fillText(label, x, y);
  }
}
