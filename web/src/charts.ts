// Curves with uPlot. Every chart has a name, a sentence that says what it shows, and its key figures as a table, so
// that nobody depends on seeing it.
import uPlot from "uplot";
import { el, uniqueId, type Child } from "./dom";
import { cssColour, onThemeChange, seriesColour, seriesDash } from "./palette";

export interface ChartCurve {
  label: string; x: (number | null)[]; y: (number | null)[]; points?: boolean; slot?: number;
  half?: (number | null)[];      // half width of the interval around y, drawn as a bar
}
interface ChartAxis {
  label: string; format: (value: number) => string; log?: boolean;
  ticks?: { at: number; label: string }[];  // exactly these, as far as there is room, in place of round numbers
}
export interface ChartOptions {
  title: string;
  summary: string;               // what a reader would say about it
  x: ChartAxis;
  y: ChartAxis;
  span?: [number, number] | null;           // shaded: the event
  cursor?: () => number | null;             // a vertical line: the moment shown in the fabric
  onPick?: (x: number) => void;
  height?: number;
  table?: { columns: string[]; rows: string[][] };
}

export interface Chart { element: HTMLElement; redraw(): void }

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

// Labels that would run into each other are left out; the tick stays.
function spaced(u: uPlot, splits: number[], labels: Map<number, string>): string[] {
  let free = -Infinity;
  const order = splits.map((_, i) => i).sort((a, b) => splits[a]! - splits[b]!);
  const shown = splits.map(() => "");
  for (const i of order) {
    const label = shortened(labels.get(splits[i]!) ?? "", 16);
    const at = u.valToPos(splits[i]!, "x"), half = 3.5 * label.length + 4;
    if (at - half < free) continue;
    shown[i] = label;
    free = at + half;
  }
  return shown;
}
const shortened = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

function axis(of: ChartAxis, size: number): uPlot.Axis {
  const labels = of.ticks ? new Map(of.ticks.map((t) => [t.at, t.label])) : null;
  const text = cssColour("--soft"), grid = cssColour("--grid");
  return {
    stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, label: of.label, labelSize: 20,
    size, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    ...(of.log && !labels ? { filter: (_u: uPlot, splits: number[]) => decades(splits) as number[] } : {}),
    ...(labels ? { splits: (u: uPlot) => [...labels.keys()].filter((v) => inside(u, v)) } : {}),
    values: (u, splits) => (labels ? spaced(u, splits, labels)
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

// Room for the intervals too, and not only for the means.
function rangeWithIntervals(u: uPlot, curves: ChartCurve[], log: boolean): uPlot.Range.MinMax {
  let low = Infinity, high = -Infinity;
  curves.forEach((curve, i) => {
    if (u.series[i + 1] && !u.series[i + 1]!.show) return;
    curve.y.forEach((y, p) => {
      const x = curve.x[p];
      if (y === null || x === null || x === undefined || !inside(u, x)) return;
      const half = curve.half?.[p] ?? 0;
      low = Math.min(low, log && y - half <= 0 ? y / 2 : y - half);
      high = Math.max(high, y + half);
    });
  });
  if (!(high >= low)) return [null, null];
  return log ? uPlot.rangeLog(low, high, 10, false) : uPlot.rangeNum(low, high, 0.1, true);
}

function overlay(options: ChartOptions, curves: ChartCurve[]): uPlot.Plugin {
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

function seriesOf(c: ChartCurve, index: number, options: ChartOptions): uPlot.Series {
  const slot = c.slot ?? index, colour = seriesColour(slot);
  return {
    label: c.label, stroke: colour, width: c.points ? 0 : 2, dash: c.points ? [] : seriesDash(slot),
    points: c.points || c.half ? { show: true, size: c.points ? 9 : 6, width: 2, stroke: colour,
      fill: c.points ? cssColour("--panel") : colour } : { show: false },
    ...(c.points ? { paths: () => null } : {}),
    value: (_u, v) => (v === null || v === undefined ? "" : options.y.format(v)),
  };
}

export function chart(curves: ChartCurve[], options: ChartOptions): Chart {
  const host = el("div", { class: "plot" });
  host.style.minHeight = `${options.height ?? 260}px`;  // so that nothing below moves when it is drawn
  const id = uniqueId("chart");
  const shown = positiveOnly(curves, options);
  let plot: uPlot | null = null;
  const make = () => {
    plot?.destroy();
    const width = host.clientWidth || 600;
    plot = new uPlot({
      width, height: options.height ?? 260,
      scales: {
        x: { time: false, distr: options.x.log ? 3 : 1, ...(options.x.ticks ? { range: tickRange(options.x) } : {}) },
        y: { distr: options.y.log ? 3 : 1, ...(shown.some((c) => c.half)
          ? { range: (u: uPlot) => rangeWithIntervals(u, shown, options.y.log ?? false) } : {}) },
      },
      axes: [axis(options.x, 46), axis(options.y, width < 420 ? 64 : 76)],
      series: [{ label: options.x.label, value: (_u, v) => (v === null || v === undefined ? "" : options.x.format(v)) },
        ...shown.map((c, i) => seriesOf(c, i, options))],
      legend: { live: true },
      cursor: { drag: { x: true, y: false } },
      plugins: [overlay(options, shown)],
    }, joined(shown), host);
  };
  // Made when it comes near the screen: a page with fifty figures opens as fast as one with two.
  const near = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    make();
    new ResizeObserver(() => plot?.setSize({ width: host.clientWidth || 600, height: options.height ?? 260 }))
      .observe(host);
    onThemeChange(make);
  }, { rootMargin: "400px" });
  near.observe(host);
  const table: Child = options.table ? el("details", {}, el("summary", {}, "Key figures as a table"),
    simpleTable(options.table.columns, options.table.rows)) : null;
  const element = el("figure", { role: "group", "aria-labelledby": id }, el("figcaption", { id }, options.title),
    el("div", { role: "img", "aria-label": `${options.title}. ${options.summary}` }, host),
    el("p", { class: "summary" }, options.summary), table);
  return { element, redraw: () => plot?.redraw(false, true) };
}

export function simpleTable(columns: string[], rows: string[][]): HTMLElement {
  return el("div", { class: "scroll" }, el("table", {},
    el("thead", {}, el("tr", {}, ...columns.map((c) => el("th", { scope: "col" }, c)))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) =>
      i === 0 ? el("th", { scope: "row" }, cell) : el("td", {}, cell)))))));
}
