// Curves with uPlot. Every chart has a name, a sentence that says what it shows, and its key figures as a table, so
// that nobody depends on seeing it.
import uPlot from "uplot";
import { el, uniqueId, type Child } from "./dom";
import { cssColour, onThemeChange, seriesColour, seriesDash } from "./palette";

export interface ChartCurve {
  label: string; x: (number | null)[]; y: (number | null)[]; points?: boolean; slot?: number;
}
export interface ChartOptions {
  title: string;
  summary: string;               // what a reader would say about it
  x: { label: string; format: (value: number) => string; log?: boolean };
  y: { label: string; format: (value: number) => string; log?: boolean };
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

function axis(of: ChartOptions["x"], size: number): uPlot.Axis {
  const text = cssColour("--soft"), grid = cssColour("--grid");
  return {
    stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, label: of.label, labelSize: 20,
    size, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif",
    ...(of.log ? { filter: (_u: uPlot, splits: number[]) => decades(splits) as number[] } : {}),
    values: (_u, splits) => splits.map((v) => (v === null ? "" : of.format(v))),
  };
}

function overlay(options: ChartOptions): uPlot.Plugin {
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

function seriesOf(c: ChartCurve, index: number, options: ChartOptions): uPlot.Series {
  const slot = c.slot ?? index, colour = seriesColour(slot);
  return {
    label: c.label, stroke: colour, width: c.points ? 0 : 2, dash: c.points ? [] : seriesDash(slot),
    points: c.points ? { show: true, size: 9, width: 2, stroke: colour, fill: cssColour("--panel") } : { show: false },
    ...(c.points ? { paths: () => null } : {}),
    value: (_u, v) => (v === null || v === undefined ? "" : options.y.format(v)),
  };
}

export function chart(curves: ChartCurve[], options: ChartOptions): Chart {
  const host = el("div", { class: "plot" });
  const id = uniqueId("chart");
  const shown = positiveOnly(curves, options);
  let plot: uPlot | null = null;
  const make = () => {
    plot?.destroy();
    const width = host.clientWidth || 600;
    plot = new uPlot({
      width, height: options.height ?? 260,
      scales: { x: { time: false, distr: options.x.log ? 3 : 1 }, y: { distr: options.y.log ? 3 : 1 } },
      axes: [axis(options.x, 46), axis(options.y, width < 420 ? 64 : 76)],
      series: [{ label: options.x.label, value: (_u, v) => (v === null || v === undefined ? "" : options.x.format(v)) },
        ...shown.map((c, i) => seriesOf(c, i, options))],
      legend: { live: true },
      cursor: { drag: { x: true, y: false } },
      plugins: [overlay(options)],
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
