// Curves with uPlot. Every chart has a name, a sentence that says what it shows, a legend whose entries switch its
// curves, and its key figures as a table, so that nobody depends on seeing it.
import uPlot from "uplot";
import { el, svg, uniqueId, type Child } from "./dom";
import { cssColour, onThemeChange, seriesColour, seriesDash } from "./palette";
import { onPrint, printing } from "./print";
import type { Shown } from "./shown";

export interface ChartCurve {
  label: string; x: (number | null)[]; y: (number | null)[]; points?: boolean;
  slot?: number;                 // colour and dashes; also its number among those that can be shown
  note?: string;                 // in the legend, behind the label
  half?: (number | null)[];      // half width of the interval around y, drawn as a bar
}
interface ChartAxis {
  label: string; format: (value: number) => string; log?: boolean;
  ticks?: { at: number; label: string }[];  // exactly these, as far as there is room, in place of round numbers
  clip?: [number, number] | null;           // shown at first; a double click shows all
}
export interface ChartOptions {
  title: string;
  summary: string;               // what a reader would say about it
  x: ChartAxis;
  y: ChartAxis;
  keys?: string;                 // what the labels of the curves are values of, above the legend
  shown?: Shown | undefined;     // which curves are drawn; without it all of them, until one is switched off
  span?: [number, number] | null;           // shaded: the event
  cursor?: () => number | null;             // a vertical line: the moment shown in the fabric
  onPick?: (x: number) => void;
  height?: number;
  table?: { columns: string[]; rows: string[][] };
}

export interface Chart { element: HTMLElement; redraw(): void; zoom(range: [number, number] | null): void }

// uPlot wants one x for all curves. Points that only another curve has are undefined (the line goes on); null is a gap.
function joined(curves: ChartCurve[]): uPlot.AlignedData {
  const tables = curves.map((c) => {
    const order = c.x.map((_, i) => i).filter((i) => c.x[i] !== null).sort((a, b) => c.x[a]! - c.x[b]!);
    const x: number[] = [], y: (number | null)[] = [];
    for (const i of order) {
      if (x.length > 0 && x[x.length - 1] === c.x[i]) continue;
      x.push(c.x[i]!);
      y.push(c.y[i]!);
    }
    return [x, y] as uPlot.AlignedData;
  });
  return tables.length === 1 ? tables[0]! : uPlot.join(tables);
}

function positiveOnly(curves: ChartCurve[], options: ChartOptions): ChartCurve[] {
  if (!options.y.log && !options.x.log) return curves;
  const fine = (value: number | null, log?: boolean) => value !== null && (!log || value > 0);
  return curves.map((c) => ({
    ...c, x: c.x.map((v) => (fine(v, options.x.log) ? v : null)),
    y: c.y.map((v) => (fine(v, options.y.log) ? v : null)),
  }));
}

// Round numbers of a logarithmic axis, few enough to be read.
function decades(values: number[]): (number | null)[] {
  const shown = values.filter((v) => v > 0);
  const few = shown.length > 0 && shown[shown.length - 1]! / shown[0]! < 1000;
  return values.map((v) => {
    const mantissa = v / 10 ** Math.floor(Math.log10(v) + 1e-9);
    const near = (m: number) => Math.abs(mantissa - m) < 1e-6;
    return near(1) || (few && (near(2) || near(5))) ? v : null;
  });
}

// Labels that would run into each other are left out; the tick stays. Powers of ten come first on a logarithmic axis.
function spaced(u: uPlot, splits: (number | null)[], text: (value: number) => string, log: boolean): string[] {
  const taken: [number, number][] = [];
  const later = (v: number | null) => (log && v !== null && !isPowerOfTen(v) ? 1 : 0);
  const order = splits.map((_, i) => i).sort((a, b) => later(splits[a]!) - later(splits[b]!)
    || (splits[a] ?? 0) - (splits[b] ?? 0));
  const shown = splits.map(() => "");
  for (const i of order) {
    const value = splits[i];
    if (value === null || value === undefined) continue;
    const label = shortened(text(value), 16);
    const at = u.valToPos(value, "x"), half = 3.5 * label.length + 4;
    if (taken.some(([from, to]) => at - half < to && at + half > from)) continue;
    shown[i] = label;
    taken.push([at - half, at + half]);
  }
  return shown;
}
const isPowerOfTen = (v: number) => Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9;
const shortened = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function axis(of: ChartAxis, size: number, horizontal: boolean): uPlot.Axis {
  const labels = of.ticks ? new Map(of.ticks.map((t) => [t.at, t.label])) : null;
  const text = cssColour("--soft"), grid = cssColour("--grid");
  return {
    stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 },
    ...(of.label ? { label: of.label, labelSize: 20 } : {}),
    size, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    ...(of.log && !labels ? { filter: (_u: uPlot, splits: number[]) => decades(splits) as number[] } : {}),
    ...(labels ? { splits: (u: uPlot) => [...labels.keys()].filter((v) => inside(u, v)) } : {}),
    values: (u, splits) => (labels ? spaced(u, splits, (v) => labels.get(v) ?? "", false)
      : horizontal && of.log ? spaced(u, splits, of.format, true)
      : splits.map((v) => (v === null ? "" : of.format(v)))),
  };
}

const inside = (u: uPlot, x: number) => x >= (u.scales.x!.min ?? -Infinity) && x <= (u.scales.x!.max ?? Infinity);

// A bar from the low to the high end of each interval, with caps, in the colour of its curve.
function drawIntervals(u: uPlot, curves: ChartCurve[], log: boolean): void {
  const c = u.ctx, cap = 4 * devicePixelRatio;
  let bars = 0;
  c.save();
  c.beginPath();
  c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  c.clip();
  c.lineWidth = 1.5 * devicePixelRatio;
  curves.forEach((curve, i) => {
    if (!curve.half || !u.series[i + 1]!.show) return;
    c.strokeStyle = seriesColour(curve.slot ?? i);
    c.beginPath();
    curve.half.forEach((half, p) => {
      const x = curve.x[p], y = curve.y[p];
      if (half === null || x === null || x === undefined || y === null || y === undefined || !inside(u, x)) return;
      const at = u.valToPos(x, "x", true), high = u.valToPos(y + half, "y", true);
      const open = log && y - half <= 0;  // goes on below everything that a logarithmic axis can show
      const low = open ? u.bbox.top + u.bbox.height : u.valToPos(y - half, "y", true);
      c.moveTo(at - cap, high); c.lineTo(at + cap, high);
      c.moveTo(at, high); c.lineTo(at, low);
      if (!open) { c.moveTo(at - cap, low); c.lineTo(at + cap, low); }
      ++bars;
    });
    c.stroke();
  });
  c.restore();
  u.root.dataset.intervals = String(bars);
}

// With the padding that uPlot wants, and wide enough that ticks have different labels: curves that differ by less than
// the digits of the labels look level.
function roomyRange(low: number, high: number, of: ChartAxis): uPlot.Range.MinMax {
  if (of.log) return uPlot.rangeLog(low, high, 10, false);
  const most = 8;  // ticks
  const alike = (from: number, to: number) =>
    new Set(Array.from({ length: most + 1 }, (_, i) => of.format(from + (to - from) * i / most))).size <= most;
  let from = low, to = high;
  for (let width = 2 * (high - low); width > 0 && width < Infinity && alike(from, to); width *= 2) {
    from = (low + high - width) / 2;
    if (low >= 0) from = Math.max(0, from);
    to = from + width;
  }
  return uPlot.rangeNum(from, to, 0.1, true);
}

// Room for the intervals too, and not only for the means.
function rangeWithIntervals(u: uPlot, curves: ChartCurve[], of: ChartAxis): uPlot.Range.MinMax {
  let low = Infinity, high = -Infinity;
  curves.forEach((curve, i) => {
    if (u.series[i + 1] && !u.series[i + 1]!.show) return;
    curve.y.forEach((y, p) => {
      const x = curve.x[p];
      if (y === null || x === null || x === undefined || !inside(u, x)) return;
      const half = curve.half?.[p] ?? 0;
      low = Math.min(low, of.log && y - half <= 0 ? y / 2 : y - half);
      high = Math.max(high, y + half);
    });
  });
  return high >= low ? roomyRange(low, high, of) : [null, null];
}

function rangeOf(curves: ChartCurve[], of: ChartAxis): uPlot.Scale.Range {
  if (curves.some((c) => c.half)) return (u) => rangeWithIntervals(u, curves, of);
  return (_u, low, high) => (low === null || high === null ? [null, null] : roomyRange(low, high, of));
}

function overlay(options: ChartOptions, curves: ChartCurve[], legend: Legend): uPlot.Plugin {
  return {
    hooks: {
      drawClear: (u) => {
        if (!options.span) return;
        const a = u.valToPos(options.span[0], "x", true), b = u.valToPos(options.span[1], "x", true);
        u.ctx.fillStyle = cssColour("--event");
        u.ctx.fillRect(Math.max(a, u.bbox.left), u.bbox.top,
          Math.max(1, Math.min(b, u.bbox.left + u.bbox.width) - Math.max(a, u.bbox.left)), u.bbox.height);
      },
      draw: (u) => {
        if (curves.some((curve) => curve.half)) drawIntervals(u, curves, options.y.log ?? false);
        u.root.dataset.drawn = String(u.series.filter((s, i) => i > 0 && s.show).length);
        u.root.dataset.from = String(u.scales.x!.min);
        u.root.dataset.to = String(u.scales.x!.max);
        const at = options.cursor?.() ?? null;
        if (at === null) return;
        const x = u.valToPos(at, "x", true);
        if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) return;
        u.ctx.strokeStyle = cssColour("--ink");
        u.ctx.lineWidth = devicePixelRatio;
        u.ctx.setLineDash([4, 4]);
        u.ctx.beginPath();
        u.ctx.moveTo(x, u.bbox.top);
        u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
        u.ctx.setLineDash([]);
      },
      setLegend: (u) => legend.read(u),
      ready: (u) => {
        if (!options.onPick) return;
        u.over.addEventListener("click", () => options.onPick!(u.posToVal(u.cursor.left ?? 0, "x")));
      },
    },
  };
}

// Given ticks are the ends of the axis, with some room for bars at the outermost ones.
function tickRange(of: ChartAxis): uPlot.Scale.Range {
  const at = of.ticks!.map((t) => t.at), low = Math.min(...at), high = Math.max(...at);
  return (_u, from, to) => {
    if (from > low || to < high) return [from, to];  // zoomed in
    if (of.log) return [low / 1.2, high * 1.2];
    const room = high > low ? 0.06 * (high - low) : Math.abs(low) || 1;
    return [Math.min(from, low - room), Math.max(to, high + room)];
  };
}

function seriesOf(c: ChartCurve, index: number, show: boolean): uPlot.Series {
  const slot = c.slot ?? index, colour = seriesColour(slot);
  return {
    label: c.label, show, stroke: colour, width: c.points ? 0 : 2, dash: c.points ? [] : seriesDash(slot),
    points: c.points || c.half ? { show: true, size: c.points ? 9 : 6, width: 2, stroke: colour,
      fill: c.points ? cssColour("--panel") : colour } : { show: false },
    ...(c.points ? { paths: () => null } : {}),
  };
}

// The curves by name, each with a piece of its line. A click shows or hides one, here and wherever `shown` is shared.
class Legend {
  readonly element = el("div", { class: "legend-list", role: "group" });
  private readonly at = el("span", { class: "at" });
  private readonly values: HTMLElement[] = [];
  private readonly buttons: HTMLElement[] = [];

  constructor(private readonly curves: ChartCurve[], private readonly options: ChartOptions,
              private readonly isShown: (i: number) => boolean, toggle: (i: number) => void) {
    this.element.setAttribute("aria-label", `curves of ${options.title}`);
    curves.forEach((c, i) => {
      this.values.push(el("span", { class: "at" }));
      this.buttons.push(el("button", { type: "button", title: c.label, onclick: () => toggle(i) }));
    });
    this.paint();
    this.element.append(...(options.keys ? [el("small", {}, options.keys)] : []), ...this.buttons, this.at);
  }

  // The samples of the lines follow the theme.
  paint(): void {
    this.curves.forEach((c, i) => {
      const slot = c.slot ?? i, colour = seriesColour(slot);
      const sample = c.points
        ? svg("circle", { cx: 13, cy: 6, r: 4, fill: "none", stroke: colour, "stroke-width": 2 })
        : svg("line", { x1: 0, y1: 6, x2: 26, y2: 6, stroke: colour, "stroke-width": 3,
          "stroke-dasharray": seriesDash(slot).join(" ") });
      this.buttons[i]!.replaceChildren(svg("svg", { width: 26, height: 12, "aria-hidden": "true" }, sample),
        el("span", {}, c.label), ...(c.note ? [el("small", {}, c.note)] : []), this.values[i]!);
      this.buttons[i]!.setAttribute("aria-pressed", String(this.isShown(i)));
    });
  }

  // What the curves are where the mouse points.
  read(u: uPlot): void {
    const at = u.cursor.idx ?? null, on = at !== null && (u.cursor.left ?? -1) >= 0;
    this.at.textContent = on ? `at ${this.options.x.format(u.data[0][at]!)}` : "";
    this.curves.forEach((_, i) => {
      const value = on ? u.data[i + 1]![at] : null;
      this.values[i]!.textContent = value === null || value === undefined || !this.isShown(i) ? ""
        : this.options.y.format(value);
    });
  }
}

export function chart(curves: ChartCurve[], options: ChartOptions): Chart {
  const host = el("div", { class: "plot" }), height = options.height ?? 260;
  host.style.minHeight = `${height}px`;  // so that nothing below moves when it is drawn
  const id = uniqueId("chart");
  const values = positiveOnly(curves, options), own = new Set(curves.keys());
  const isShown = (i: number) => options.shown?.has(curves[i]!.slot ?? i) ?? own.has(i);
  let plot: uPlot | null = null, range: [number, number] | null = options.x.clip ?? null;
  const update = () => {
    legend.paint();
    curves.forEach((_, i) => {
      if (plot && plot.series[i + 1]!.show !== isShown(i)) plot.setSeries(i + 1, { show: isShown(i) });
    });
  };
  const legend = new Legend(curves, options, isShown, (i) => {
    if (options.shown) return options.shown.toggle(curves[i]!.slot ?? i);
    if (!own.delete(i)) own.add(i);
    update();
  });
  options.shown?.onChange(update);
  const make = () => {
    plot?.destroy();
    const width = host.clientWidth || 600;
    plot = new uPlot({
      width, height,
      scales: {
        x: { time: false, distr: options.x.log ? 3 : 1, ...(options.x.ticks ? { range: tickRange(options.x) } : {}) },
        y: { distr: options.y.log ? 3 : 1, range: rangeOf(values, options.y) },
      },
      // On a narrow page the title has to say what the vertical axis is.
      axes: [axis(options.x, 46, true), axis(width < 360 ? { ...options.y, label: "" } : options.y, 76, false)],
      series: [{ label: options.x.label }, ...values.map((c, i) => seriesOf(c, i, isShown(i)))],
      legend: { show: false },
      cursor: { drag: { x: true, y: false } },
      plugins: [overlay(options, values, legend)],
    }, joined(values), host);
    if (range) plot.setScale("x", { min: range[0], max: range[1] });
  };
  const fit = () => plot?.setSize({ width: host.clientWidth || 600, height });
  // Made when it comes near the screen or is printed: a page with fifty figures opens as fast as one with two.
  let begun = false;
  const begin = () => {
    if (begun) return;
    begun = true;
    near.disconnect();
    make();
    new ResizeObserver(() => { if (!printing()) fit(); }).observe(host);
    onThemeChange(() => { legend.paint(); make(); });
  };
  const near = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) begin();
  }, { rootMargin: "400px" });
  near.observe(host);
  onPrint(() => { begin(); make(); }, fit);
  const table: Child = options.table ? el("details", {}, el("summary", {}, "Key figures"),
    simpleTable(options.table.columns, options.table.rows)) : null;
  const element = el("figure", { role: "group", "aria-labelledby": id }, el("figcaption", { id }, options.title),
    el("div", { class: "plot-and-legend" },
      el("div", { role: "img", class: "plot-frame", "aria-label": `${options.title}. ${options.summary}` }, host),
      curves.length > 1 ? legend.element : null),
    options.summary ? el("p", { class: "summary" }, options.summary) : null, table);
  return {
    element, redraw: () => plot?.redraw(false, true),
    zoom: (to) => {
      range = to;
      const x = plot?.data[0];
      if (x && x.length > 0) plot!.setScale("x", { min: to?.[0] ?? x[0]!, max: to?.[1] ?? x[x.length - 1]! });
    },
  };
}

export function simpleTable(allColumns: string[], allRows: string[][]): HTMLElement {
  const told = allColumns.map((_, i) => i === 0 || allRows.some((row) => row[i] !== "-"));
  const columns = allColumns.filter((_, i) => told[i]), rows = allRows.map((row) => row.filter((_, i) => told[i]));
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ...columns.map((c) => el("th", { scope: "col" }, c)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) =>
      i === 0 ? el("th", { scope: "row" }, cell) : el("td", {}, cell)))))));
}
