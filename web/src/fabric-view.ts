// The fabric with its time slider: play the congestion tree growing and vanishing, choose the run, look into a box.
// Everything the drawing shows is also said in words beside it, for those who cannot see it and for tests.
import { linkName, unpackFabric, type Fabric, type RunsDocument } from "./document";
import { el, section } from "./dom";
import { FabricCanvas } from "./fabric-canvas";
import { momentOf, unpackFrames, victimsOverTime, type Frames, type Moment } from "./fabric-state";
import { share, time } from "./format";
import { cssColour, onThemeChange } from "./palette";
import type { ViewState } from "./state";

export class FabricView {
  readonly element: HTMLElement;
  private readonly drawing = new FabricCanvas(() => this.playButton.click());
  private readonly strip = el("canvas", { class: "strip", "aria-hidden": "true" });
  private readonly slider = el("input", { type: "range", id: "time", min: 0, max: 0, value: 0, step: 1,
    "aria-label": "moment of the run" });
  private readonly playButton = el("button", { type: "button", id: "play", class: "primary" }, "▶ Play");
  private readonly words = el("p", { id: "fabric-words", class: "words", role: "status", "aria-live": "polite" });
  private readonly clock = el("output", { id: "clock", for: "time" });
  private readonly printed = el("p", { class: "paper" });  // what the bar says, which does not print
  private readonly choice = el("select", { id: "fabric-run", "aria-label": "run shown in the drawing" });
  private readonly fabrics = new Map<number, Fabric>();
  private frames: Frames | null = null;
  private fabric: Fabric | null = null;
  private moment: Moment | null = null;
  private overTime: Uint32Array | null = null;
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
      el("li", {}, el("i", { class: "key-root", "aria-hidden": "true" }), "root: a saturated link that ports wait for"),
      el("li", {}, el("i", { class: "key-tank", "aria-hidden": "true" }), "buffers filling"));
    const bar = el("div", { class: "bar" }, this.playButton,
      el("div", { class: "timeline" }, this.strip, this.slider), this.clock);
    return section("fabric", "The fabric over time",
      this.document.runs.length > 1 ? el("label", { class: "chooser" }, "run ", this.choice) : null,
      bar, this.printed, this.words, this.drawing.canvas, legend, this.drawing.detail);
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
    new ResizeObserver(() => this.drawStrip()).observe(this.strip);
    onThemeChange(() => this.drawStrip());
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
    this.fabric = fabric;
    this.frames = run.frames ? await unpackFrames(run.frames, fabric.ports) : null;
    this.overTime = this.frames ? victimsOverTime(fabric, this.frames) : null;
    this.drawing.setFabric(fabric, this.document.answer.hot_port);
    this.drawStrip();
    this.slider.max = String(Math.max(0, (this.frames?.count ?? 1) - 1));
    this.slider.disabled = this.playButton.disabled = !this.frames;
    const start = this.document.running !== null ? Infinity : this.worstTime();
    this.setFrame(this.frameAt(this.state.time ?? start));
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
      this.words.textContent = "No snapshots of the fabric were recorded (measure.frames is 0, or the fabric is too "
        + "large).";
      this.drawing.setState(null, 0, null);
      return;
    }
    this.moment = momentOf(this.fabric, this.frames, frame);
    this.state.time = this.frames.to[frame]!;
    const span = `${time(this.frames.from[frame]!)} to ${time(this.frames.to[frame]!)}`;
    this.clock.textContent = span;
    const { label } = this.document.runs[this.state.run]!;
    this.printed.textContent = this.document.runs.length > 1 ? `Run ${label}, ${span}.` : `From ${span}.`;
    this.slider.setAttribute("aria-valuetext", span);
    this.words.textContent = this.describe();
    this.drawing.canvas.setAttribute("aria-label", `Fabric at ${span}. ${this.words.textContent}`);
    this.element.dataset.roots = String(this.moment.roots.length);
    this.element.dataset.victims = String(this.moment.victims.length);
    this.element.dataset.frame = String(frame);
    this.drawing.setState(this.frames, frame, this.moment);
    this.state.moved(this);
  }

  private describe(): string {
    const { roots, victims, fullest } = this.moment!;
    const fill = `Fullest switch buffer: ${share(Math.round((fullest / 15) * 100) / 100)}.`;
    if (victims.length === 0 && roots.length === 0) return `No port is held back in this interval. ${fill}`;
    const held = `${victims.length} ${victims.length === 1 ? "port is" : "ports are"} held back in this interval`;
    if (roots.length === 0) return `${held}, but not by a saturated link. ${fill}`;
    const first = linkName(this.fabric!, this.rootFirst(roots));
    const more = roots.length === 1 ? "" : ` and ${roots.length - 1} more`;
    return `${roots.length === 1 ? "Root" : "Roots"}: ${first}${more}. ${held}. ${fill}`;
  }

  private rootFirst(roots: number[]): number {
    const hot = this.document.answer.hot_port;
    return hot !== null && roots.includes(hot) ? hot : roots[0]!;
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
}
