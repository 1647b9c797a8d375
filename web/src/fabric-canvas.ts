// The drawing of a fabric that can be looked into: click a box, or walk with the keys, for its links; open a group.
import { linkName, type Fabric } from "./document";
import { el } from "./dom";
import { drawFabric } from "./fabric-draw";
import { labelOf, layout, openAround, type Layout, type Place } from "./fabric-layout";
import type { Frames, Moment } from "./fabric-state";
import { onThemeChange } from "./palette";
import { onPrint } from "./print";

// The middle of a step of the document (src/report/page/document_fabric.cpp).
const loadText = (step: number) =>
  step === 15 ? "95 % or more" : step === 0 ? "0 %" : `about ${Math.round((step - 0.5) * 6.8)} %`;
const waitText = (step: number) => (step < 2 ? "hardly" : `about ${Math.round(5 + ((step - 1.5) * 95) / 14)} %`);

export class FabricCanvas {
  readonly canvas = el("canvas", { role: "img", tabindex: 0, id: "fabric-canvas" });
  readonly detail = el("div", { id: "box-detail", class: "detail" });
  private fabric: Fabric | null = null;
  private plan: Layout | null = null;
  private where: Place | null = null;
  private frames: Frames | null = null;
  private frame = 0;
  private moment: Moment | null = null;
  private opened = new Set<string>();
  private selected = -1;

  // `onSpace` is what the space bar does.
  constructor(private readonly onSpace: () => void) {
    this.canvas.addEventListener("click", (event) => this.pick(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.arrange()).observe(this.canvas);
    onThemeChange(() => this.draw());
    onPrint(() => this.arrange(), () => this.arrange());
  }

  // The boxes on the way to the worst root start open.
  setFabric(fabric: Fabric, hotPort: number | null): void {
    if (fabric === this.fabric) return;
    this.fabric = fabric;
    this.moment = this.frames = null;
    this.opened.clear();
    this.selected = -1;
    if (hotPort !== null && hotPort < fabric.ports) {
      const ends = [fabric.owner[hotPort]!, ...(fabric.to[hotPort]! >= 0 ? [fabric.owner[fabric.to[hotPort]!]!] : [])];
      for (const node of ends) openAround(fabric, this.width(), node, this.opened);
    }
    this.arrange();
  }

  setState(frames: Frames | null, frame: number, moment: Moment | null): void {
    this.frames = frames;
    this.frame = frame;
    this.moment = moment;
    this.draw();
    this.showDetail();
  }

  private width(): number { return this.canvas.clientWidth || 800; }

  arrange(): void {
    if (!this.fabric) return;
    this.plan = layout(this.fabric, this.width(), this.opened);
    this.where = this.plan.place(this.width());
    if (this.canvas.style.height !== `${this.where.height}px`) this.canvas.style.height = `${this.where.height}px`;
    this.canvas.dataset.boxes = String(this.plan.boxes.length);
    this.canvas.dataset.shape = this.fabric.shape;
    this.draw();
  }

  private draw(): void {
    if (!this.fabric || !this.plan || !this.where) return;
    drawFabric(this.canvas, this.fabric, this.plan, this.where, this.frames, this.frame, this.moment, this.selected);
  }

  private pick(event: MouseEvent): void {
    if (!this.where) return;
    const at = this.canvas.getBoundingClientRect(), x = event.clientX - at.left, y = event.clientY - at.top;
    let best = -1, distance = 12;
    this.where.rects.forEach((r, i) => {
      const d = Math.hypot(Math.max(r.x - x, 0, x - r.x - r.w), Math.max(r.y - y, 0, y - r.y - r.h));
      if (d < distance) { distance = d; best = i; }
    });
    this.select(best);
  }

  private key(event: KeyboardEvent): void {
    const count = this.plan?.boxes.length ?? 0;
    if (event.key === " ") this.onSpace();
    else if (event.key === "Escape") this.select(-1);
    else if (event.key === "ArrowRight" || event.key === "ArrowDown") this.select((this.selected + 1) % count);
    else if (event.key === "ArrowLeft" || event.key === "ArrowUp") this.select((this.selected - 1 + count) % count);
    else if (event.key === "Enter") this.toggle();
    else return;
    event.preventDefault();
  }

  private select(box: number): void {
    this.selected = box;
    this.draw();
    this.showDetail();
  }

  private toggle(): void {
    const box = this.plan?.boxes[this.selected];
    if (!box || box.nodes.length === 1) return;
    this.opened.add(box.key);
    this.rearranged();
  }

  private close(): void {
    this.opened.clear();
    this.rearranged();
  }

  private rearranged(): void {
    this.selected = -1;
    this.arrange();
    this.showDetail();
  }

  // The links that leave and enter the selected box, the busiest first.
  private showDetail(): void {
    this.detail.replaceChildren();
    const box = this.plan?.boxes[this.selected];
    if (!box || !this.fabric) {
      this.detail.append(el("p", { class: "hint" }, this.plan?.hint ?? "",
        "Click a box to see its links. With the keyboard: Tab to the drawing, arrow keys to move, Enter to open "
        + "a group. "),
        this.opened.size > 0 ? el("button", { type: "button", id: "close-groups", onclick: () => this.close() },
          "Close all groups") : "");
      return;
    }
    const f = this.fabric, frame = this.frame, nodes = new Set(box.nodes);
    const rows: { p: number; load: number; wait: number }[] = [];
    for (let p = 0; p < f.ports; ++p) {
      if (f.to[p]! < 0 || !(nodes.has(f.owner[p]!) || nodes.has(f.owner[f.to[p]!]!))) continue;
      const at = p * (this.frames?.count ?? 0) + frame;
      rows.push({ p, load: this.frames?.load[at] ?? 0, wait: this.frames?.wait[at] ?? 0 });
    }
    rows.sort((a, b) => b.wait - a.wait || b.load - a.load || a.p - b.p);
    const roots = new Set(this.moment?.roots ?? []);
    const body = rows.slice(0, 12).map((r) => el("tr", {}, el("td", {}, linkName(f, r.p)),
      el("td", {}, loadText(r.load)), el("td", {}, waitText(r.wait)),
      el("td", {}, roots.has(r.p) ? "root" : r.wait >= 2 ? "held back" : "")));
    this.detail.append(el("div", {}, el("h3", {}, labelOf(f, box.nodes)),
      box.nodes.length > 1
        ? el("button", { type: "button", onclick: () => this.toggle() }, `Open this group of ${box.nodes.length}`)
        : null,
      el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {},
        ...["link", "busy", "held back", "role"].map((title) => el("th", { scope: "col" }, title)))),
        el("tbody", {}, ...body))),
      rows.length > 12 ? el("p", { class: "hint" }, `and ${rows.length - 12} more links`) : null));
  }
}
