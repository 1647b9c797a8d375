// The fabric with its time slider: play the congestion tree growing and vanishing, choose the run, look into a box.
// Everything the drawing shows is also said in words beside it, for those who cannot see it and for tests.
import { linkName, unpackFabric, type Fabric, type RunsDocument } from "./document";
import { el, section } from "./dom";
import { drawFabric, place, type Place } from "./fabric-draw";
import { layout, openAround, type Layout } from "./fabric-layout";
import { momentOf, unpackFrames, victimsOverTime, type Frames, type Moment } from "./fabric-state";
import { share, time } from "./format";
import { cssColour, onThemeChange } from "./palette";
import type { ViewState } from "./state";

// The middle of a step of the document (src/report/page/document_fabric.cpp).
const loadText = (step: number) =>
  step === 15 ? "95 % or more" : step === 0 ? "0 %" : `about ${Math.round((step - 0.5) * 6.8)} %`;
const waitText = (step: number) => (step < 2 ? "hardly" : `about ${Math.round(5 + ((step - 1.5) * 95) / 14)} %`);

export class FabricView {
  readonly element: HTMLElement;
  private readonly canvas = el("canvas", { role: "img", tabindex: 0, id: "fabric-canvas" });
  private readonly strip = el("canvas", { class: "strip", "aria-hidden": "true" });
  private readonly slider = el("input", { type: "range", id: "time", min: 0, max: 0, value: 0, step: 1,
    "aria-label": "moment of the run" });
  private readonly playButton = el("button", { type: "button", id: "play", class: "primary" }, "▶ Play");
  private readonly words = el("p", { id: "fabric-words", class: "words", role: "status", "aria-live": "polite" });
  private readonly clock = el("output", { id: "clock", for: "time" });
  private readonly detail = el("div", { id: "box-detail", class: "detail" });
  private readonly choice = el("select", { id: "fabric-run", "aria-label": "run shown in the drawing" });
  private readonly fabrics = new Map<number, Fabric>();
  private frames: Frames | null = null;
  private fabric: Fabric | null = null;
  private plan: Layout | null = null;
  private where: Place | null = null;
  private moment: Moment | null = null;
  private overTime: Uint32Array | null = null;
  private opened = new Set<string>();
  private selected = -1;
  private playing = 0;
  ready: Promise<void> = Promise.resolve();

  constructor(private readonly document: RunsDocument, private readonly state: ViewState) {
    document.runs.forEach((run, r) => this.choice.append(el("option", { value: r }, run.label || run.name || "run")));
    this.choice.value = String(state.run);
    this.element = this.build();
    this.wire();
  }

  private build(): HTMLElement {
    const legend = el("ul", { class: "legend" },
      el("li", {}, el("i", { class: "key-load", "aria-hidden": "true" }), "link: idle to busy"),
      el("li", {}, el("i", { class: "key-victim", "aria-hidden": "true" }), "held back"),
      el("li", {}, el("i", { class: "key-root", "aria-hidden": "true" }), "root: saturated, and others wait for it"),
      el("li", {}, el("i", { class: "key-tank", "aria-hidden": "true" }), "buffers filling"));
    const bar = el("div", { class: "bar" }, this.playButton,
      el("div", { class: "timeline" }, this.strip, this.slider), this.clock);
    return section("fabric", "The fabric over time",
      this.document.runs.length > 1 ? el("label", { class: "chooser" }, "run ", this.choice) : null,
      bar, this.words, this.canvas, legend, this.detail);
  }

  private wire(): void {
    this.choice.addEventListener("change", () => {
      this.state.run = Number(this.choice.value);
      this.state.moved(this);
      void this.show();
    });
    this.slider.addEventListener("input", () => {
      this.stop();
      this.state.chosen = true;
      this.setFrame(Number(this.slider.value));
    });
    this.playButton.addEventListener("click", () => (this.playing ? this.stop() : this.play()));
    this.canvas.addEventListener("click", (event) => this.pick(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.arrange()).observe(this.canvas);
    onThemeChange(() => this.draw());
  }

  // Loads the chosen run; the first time also its fabric.
  show(): Promise<void> {
    this.ready = this.load();
    return this.ready;
  }

  private async load(): Promise<void> {
    const run = this.document.runs[this.state.run]!;
    if (!this.fabrics.has(run.fabric))
      this.fabrics.set(run.fabric, await unpackFabric(this.document.fabrics[run.fabric]!));
    const fabric = this.fabrics.get(run.fabric)!;
    const fresh = fabric !== this.fabric;
    this.fabric = fabric;
    this.frames = run.frames ? await unpackFrames(run.frames, fabric.ports) : null;
    this.overTime = this.frames ? victimsOverTime(fabric, this.frames) : null;
    if (fresh) this.open();
    this.slider.max = String(Math.max(0, (this.frames?.count ?? 1) - 1));
    this.slider.disabled = this.playButton.disabled = !this.frames;
    this.arrange();
    const start = this.document.running !== null ? Infinity : this.worstTime();
    this.setFrame(this.frameAt(this.state.time ?? start));
  }

  // The boxes on the way to the worst root start open.
  private open(): void {
    this.opened.clear();
    this.selected = -1;
    const port = this.document.answer.hot_port;
    if (port !== null && this.fabric!.shape !== "graph" && port < this.fabric!.ports) {
      openAround(this.fabric!, this.mostBoxes(), this.fabric!.owner[port]!, this.opened);
      const peer = this.fabric!.to[port]!;
      if (peer >= 0) openAround(this.fabric!, this.mostBoxes(), this.fabric!.owner[peer]!, this.opened);
    }
  }

  private mostBoxes(): number {
    const sideways = this.fabric!.shape !== "tree";
    return sideways ? 48 : Math.max(8, Math.min(64, Math.floor((this.canvas.clientWidth || 1000) / 14)));
  }

  // The moment with the most waiting: where the story is.
  private worstTime(): number {
    if (!this.frames || !this.overTime) return 0;
    let worst = 0;
    for (let f = 0; f < this.frames.count; ++f) if (this.overTime[f]! > this.overTime[worst]!) worst = f;
    return this.frames.to[worst]!;
  }

  private frameAt(seconds: number): number {
    if (!this.frames) return 0;
    let f = 0;
    while (f + 1 < this.frames.count && this.frames.to[f]! < seconds) ++f;
    return f;
  }

  setFrame(frame: number): void {
    if (!this.fabric) return;
    this.slider.value = String(frame);
    if (!this.frames) {
      this.words.textContent = "No moments were recorded (measure.frames is 0, or the fabric is too large).";
      this.draw();
      return;
    }
    this.moment = momentOf(this.fabric, this.frames, frame);
    this.state.time = this.frames.to[frame]!;
    const span = `${time(this.frames.from[frame]!)} to ${time(this.frames.to[frame]!)}`;
    this.clock.textContent = span;
    this.slider.setAttribute("aria-valuetext", span);
    this.words.textContent = this.describe();
    this.canvas.setAttribute("aria-label", `Fabric at ${span}. ${this.words.textContent}`);
    this.element.dataset.roots = String(this.moment.roots.length);
    this.element.dataset.victims = String(this.moment.victims.length);
    this.element.dataset.frame = String(frame);
    this.draw();
    this.showDetail();
    this.state.moved(this);
  }

  private describe(): string {
    const { roots, victims, fullest } = this.moment!;
    const fill = `Fullest switch buffer: ${share(Math.round((fullest / 15) * 100) / 100)}.`;
    if (victims.length === 0 && roots.length === 0) return `Nobody is held back. ${fill}`;
    const held = `${victims.length} ${victims.length === 1 ? "port is" : "ports are"} held back`;
    if (roots.length === 0) return `${held}, though no link they wait for is saturated. ${fill}`;
    const first = linkName(this.fabric!, this.rootFirst(roots));
    const more = roots.length === 1 ? "" : ` and ${roots.length - 1} more`;
    return `${roots.length === 1 ? "Root" : "Roots"}: ${first}${more}. ${held}. ${fill}`;
  }

  private rootFirst(roots: number[]): number {
    const hot = this.document.answer.hot_port;
    return hot !== null && roots.includes(hot) ? hot : roots[0]!;
  }

  private arrange(): void {
    if (!this.fabric) return;
    const width = this.canvas.clientWidth || 800;
    this.plan = layout(this.fabric, this.mostBoxes(), this.opened);
    const tall = this.plan.graph ? Math.min(width, 620) : this.plan.sideways ? Math.min(560, Math.max(320, width * 0.5))
      : Math.min(560, 90 * this.plan.layers.length + 40);
    if (this.canvas.style.height !== `${tall}px`) this.canvas.style.height = `${tall}px`;
    this.where = place(this.plan, width, tall);
    this.draw();
  }

  private draw(): void {
    if (!this.fabric || !this.plan || !this.where) return;
    drawFabric(this.canvas, this.fabric, this.plan, this.where, this.frames, Number(this.slider.value), this.moment,
      this.selected);
    this.drawStrip();
  }

  // How many ports are held back, over the whole run: the slider runs along its shape.
  private drawStrip(): void {
    const width = this.strip.clientWidth, height = this.strip.clientHeight, scale = devicePixelRatio || 1;
    if (!this.overTime || width === 0) return;
    this.strip.width = width * scale;
    this.strip.height = height * scale;
    const c = this.strip.getContext("2d")!;
    c.setTransform(scale, 0, 0, scale, 0, 0);
    const most = Math.max(1, ...this.overTime), count = this.overTime.length;
    c.fillStyle = cssColour("--victim");
    for (let f = 0; f < count; ++f) {
      const h = (this.overTime[f]! / most) * height;
      c.fillRect((f * width) / count, height - h, Math.max(1, width / count - 0.5), h);
    }
  }

  private play(): void {
    if (!this.frames) return;
    this.state.chosen = true;
    if (Number(this.slider.value) >= this.frames.count - 1) this.setFrame(0);
    const perFrame = Math.max(60, Math.min(250, 9000 / this.frames.count));
    let last = performance.now();
    this.playButton.textContent = "⏸ Pause";
    const step = (now: number) => {
      if (!this.playing || !this.frames) return;
      if (now - last >= perFrame) {
        last = now;
        const next = Number(this.slider.value) + 1;
        if (next >= this.frames.count) return this.stop();
        this.setFrame(next);
      }
      this.playing = requestAnimationFrame(step);
    };
    this.playing = requestAnimationFrame(step);
  }

  stop(): void {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.playButton.textContent = "▶ Play";
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
    if (event.key === " ") this.playButton.click();
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
    this.selected = -1;
    this.arrange();
    this.showDetail();
  }

  // The links that leave and enter the selected box, the busiest first.
  private showDetail(): void {
    this.detail.replaceChildren();
    const box = this.plan?.boxes[this.selected];
    if (!box || !this.fabric) {
      this.detail.append(el("p", { class: "hint" },
        "Click a box for its links, or reach the drawing with Tab and walk with the arrow keys; Enter opens a group."));
      return;
    }
    const f = this.fabric, frame = Number(this.slider.value), nodes = new Set(box.nodes);
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
      el("td", {}, roots.has(r.p) ? "root" : r.wait >= 2 ? "victim" : "")));
    this.detail.append(el("div", {}, el("h3", {}, box.label),
      box.nodes.length > 1
        ? el("button", { type: "button", onclick: () => this.toggle() }, `Open this group of ${box.nodes.length}`)
        : null,
      el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {},
        ...["link", "busy", "held back", "role"].map((title) => el("th", { scope: "col" }, title)))),
        el("tbody", {}, ...body))),
      rows.length > 12 ? el("p", { class: "hint" }, `and ${rows.length - 12} more links`) : null));
  }
}
