// Paints one moment of the fabric on a canvas. Links are coloured by load; a link that is held back is drawn on top in
// orange, a root in red with a diamond, so that the congestion tree stands out from its background. A switch is a tank:
// the level in it is the fill of its fullest buffer.
import type { Fabric } from "./document";
import type { Layout } from "./fabric-layout";
import type { Frames, Moment } from "./fabric-state";
import { cssColour, loadColours, textOn } from "./palette";

export interface Rect { x: number; y: number; w: number; h: number }
export interface Place { width: number; height: number; rects: Rect[] }

const MARGIN = { left: 14, right: 14, top: 30, bottom: 14 };

// Rectangles of the boxes in CSS pixels.
export function place(layout: Layout, width: number, height: number): Place {
  const rects = layout.boxes.map((box): Rect => {
    if (layout.graph) {
      const w = box.layer === 1 ? 34 : 20, h = box.layer === 1 ? 24 : 12;
      return { x: box.along * width - w / 2, y: MARGIN.top / 2 + box.across * (height - MARGIN.top) - h / 2, w, h };
    }
    const layers = layout.layers.length;
    if (layout.sideways) {
      const room = height - MARGIN.top - MARGIN.bottom, step = (width - MARGIN.left - MARGIN.right) / layers;
      const w = Math.min(34, step * 0.4), h = Math.max(1.5, box.size * room - (box.size * room > 5 ? 2 : 0.4));
      return { x: MARGIN.left + (box.layer + 0.5) * step - w / 2, y: MARGIN.top + box.along * room - h / 2, w, h };
    }
    const room = width - MARGIN.left - MARGIN.right, step = (height - MARGIN.top - MARGIN.bottom) / layers;
    const h = Math.min(26, step * 0.42), gap = box.size * room > 5 ? 2 : 0.4;
    const w = Math.max(1.5, Math.min(60, box.size * room - gap));
    const y = height - MARGIN.bottom - (box.layer + 0.5) * step - h / 2;
    return { x: MARGIN.left + box.along * room - w / 2, y, w, h };
  });
  return { width, height, rects };
}

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

// The two directions of a cable run side by side.
function line(c: CanvasRenderingContext2D, a: Rect, b: Rect): [number, number] {
  const ax = a.x + a.w / 2, ay = a.y + a.h / 2, bx = b.x + b.w / 2, by = b.y + b.h / 2;
  const length = Math.hypot(bx - ax, by - ay) || 1, ox = (-(by - ay) / length) * 1.6, oy = ((bx - ax) / length) * 1.6;
  c.moveTo(ax + ox, ay + oy);
  c.lineTo(bx + ox, by + oy);
  return [ax + (bx - ax) * 0.5 + ox, ay + (by - ay) * 0.5 + oy];
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
  drawLinks(c, layout, at, frames, frame, moment);
  drawBoxes(c, fabric, layout, at, frames, frame, selected);
  drawTitles(c, layout, at);
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
    for (const e of edges) line(c, at.rects[layout.edges[e]!.from]!, at.rects[layout.edges[e]!.to]!);
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.stroke();
  };
  const dense = layout.edges.length > 1500;
  byLoad.forEach((edges, load) => stroke(edges, colours[load]!, dense ? 0.6 : load >= 12 ? 1.6 : 1));
  stroke(victims, cssColour("--victim"), dense ? 1.4 : 2.2);
  stroke(rooted, cssColour("--root"), 4);
  for (const e of rooted) {
    c.beginPath();
    const [x, y] = line(c, at.rects[layout.edges[e]!.from]!, at.rects[layout.edges[e]!.to]!);
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
    if (fill > level[box]!) level[box] = fill;
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
    if (layout.graph || (box.nodes.length === 1 && r.w >= 30 && r.h >= 11)) {
      c.font = "10px system-ui, sans-serif";
      c.textAlign = "center";
      c.textBaseline = "middle";
      name(c, box.label, r, share > 0 ? filled : null, textOn(colour), ink);
    }
  });
}

// The level may stand in the middle of a name: what is above it is read on the tank, what is below it on the water.
function name(c: CanvasRenderingContext2D, label: string, r: Rect, filled: Rect | null, onFilled: string,
              ink: string): void {
  const text = label.length > 12 ? `${label.slice(0, 11)}…` : label;
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

function drawTitles(c: CanvasRenderingContext2D, layout: Layout, at: Place): void {
  if (layout.graph) return;
  c.fillStyle = cssColour("--soft");
  c.font = "12px system-ui, sans-serif";
  const layers = layout.layers.length;
  layout.layers.forEach((layer, i) => {
    const text = at.width < 560 ? layer.title.replace("stage ", "st. ") : `${layer.title} (${layer.nodes})`;
    if (layout.sideways) {
      c.textAlign = "center";
      c.textBaseline = "top";
      c.fillText(text, MARGIN.left + ((i + 0.5) * (at.width - MARGIN.left - MARGIN.right)) / layers, 8);
    } else {
      c.textAlign = "left";
      c.textBaseline = "bottom";
      const step = (at.height - MARGIN.top - MARGIN.bottom) / layers, h = Math.min(26, step * 0.42);
      c.fillText(text, MARGIN.left, at.height - MARGIN.bottom - (i + 0.5) * step - h / 2 - 2);
    }
  });
}
