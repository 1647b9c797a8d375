// A table that can be sorted by every column and filtered. Rows beyond the first screens are added on demand.
import { unpackJson, type TableData } from "./document";
import { el } from "./dom";
import { byColumn } from "./format";
import { onPrint } from "./print";

export type Cell = string | number | null;
const PAGE = 100;
const FEW = 8;               // rows that need no filter
const MOST_ON_PAPER = 1000;  // rows: some forty sheets

export const TITLES: Record<string, string> = {
  id: "flow", src: "from", dst: "to", class: "class", bytes: "size", delivered_bytes: "delivered", rate_bps: "rate",
  assigned_rate_bps: "assigned rate", start_s: "start", completion_s: "complete at", duration_s: "duration",
  slowdown: "slowdown", host: "host", name: "name", injected_bps: "sends", received_bps: "receives",
  injected: "packets sent", received: "packets received", peak_backlog_packets: "peak backlog", port: "port",
  peer: "to", role: "role", root: "held back by", into: "root on this switch", lost_bps: "lost at most",
  held_back: "holds back",
  utilisation: "busy", wait_share: "held back", wait_s: "waited", mean_input_bytes: "mean input buffer",
  peak_input_bytes: "peak input buffer", peak_output_bytes: "peak output queue", marked: "marked", lane: "lane",
  stops: "pauses", paused_s: "paused", paused_share: "share of the run", rank: "no.", from_s: "from",
  to_s: "to", congested_s: "root for", load: "busy", caused_wait_s: "waiting caused", victims: "ports held back",
};

// "rate<1e9" compares a number; any other word must occur in what the row shows. A column is called as its heading is,
// with _ for a blank, or as in the result.
function predicate(text: string, columns: string[], titles: string[]): (row: Cell[], shown: () => string) => boolean {
  const tests = text.trim().toLowerCase().split(/\s+/).filter(Boolean).map((word) => {
    const match = /^([a-z0-9_.]+)(<=|>=|<|>|=)(-?[\d.]+(?:e[-+]?\d+)?)$/.exec(word);
    const named = match ? columns.indexOf(match[1]!) : -1;
    const column = match && named < 0 ? titles.indexOf(match[1]!) : named;
    if (!match || column < 0) return (_row: Cell[], shown: () => string) => shown().includes(word);
    const limit = Number(match[3]);
    const compare: Record<string, (v: number) => boolean> = {
      "<": (v) => v < limit, ">": (v) => v > limit, "<=": (v) => v <= limit, ">=": (v) => v >= limit,
      "=": (v) => v === limit,
    };
    return (row: Cell[]) => typeof row[column] === "number" && compare[match[2]!]!(row[column] as number);
  });
  return (row, shown) => tests.every((test) => test(row, shown));
}

// Nothing comes last, whichever way a column is sorted.
function ordered(rows: Cell[][], column: number, down: boolean): Cell[][] {
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const x = a[column]!, y = b[column]!;
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (typeof x === "number" && typeof y === "number") return sign * (x - y);
    return sign * String(x).localeCompare(String(y), "en", { numeric: true });
  });
}

// For tables whose columns are not those of a result: what to call them, what a cell shows, what a filter looks at.
export interface TableView {
  rows: Cell[][]; titles: string[]; example: string; words: boolean[];  // columns that show no numbers
  show: (row: Cell[], column: number) => string;
  search: (row: Cell[]) => string;
}

export class SortableTable {
  readonly element: HTMLElement;
  private rows: Cell[][] = [];
  private visible: Cell[][] = [];
  private limit = PAGE;
  private column = -1;
  private down = false;
  private readonly body = el("tbody");
  private readonly status = el("p", { class: "hint", role: "status" });
  private readonly more = el("button", { type: "button" }, "Show more");
  private readonly filter: HTMLInputElement;
  private readonly heads: HTMLElement[] = [];
  private readonly show: (row: Cell[], column: number) => string;
  private readonly search: (row: Cell[]) => string;
  readonly ready: Promise<void>;

  constructor(private readonly data: Omit<TableData, "rows"> & { rows?: TableData["rows"] }, label: string,
              private readonly view?: TableView) {
    this.show = view?.show ?? ((row, i) => {
      const value = row[i]!, name = data.columns[i]!;
      if (data.id === "flows" && name === "role" && value === "root") return "crosses a root";
      if (data.id === "flows" && name === "role" && value === "victim") return "victim flow";
      if (data.id === "victims" && name === "rank" && value === 0) return "none";
      return typeof value === "string" ? value : value === null ? "" : name === "id" || name === "host"
        || name === "port" || name === "rank" ? String(value) : byColumn(name)(value);
    });
    this.search = view?.search ?? ((row) => row.map((_, i) => this.show(row, i)).join(" "));
    this.filter = el("input", { type: "search", placeholder: `filter, e.g. ${this.example()}`,
      "aria-label": `filter the table of ${label}`, oninput: () => { this.limit = PAGE; this.update(); } });
    const head = el("tr", {}, ...data.columns.map((name, i) => {
      const cell = el("th", { scope: "col", "aria-sort": "none" },
        el("button", { type: "button", title: name, onclick: () => this.sortBy(i) },
          this.title(i)));
      this.heads.push(cell);
      return cell;
    }));
    this.more.addEventListener("click", () => { this.limit += 5 * PAGE; this.fill(); });
    const paper = el("div", { class: "paper" });
    onPrint(() => paper.replaceChildren(this.onPaper()), () => paper.replaceChildren());
    this.element = el("div", { class: "data-table", id: `table-${data.id}` },
      el("div", { class: "on-screen" }, this.filter, this.status,
        el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
          el("table", {}, el("thead", {}, head), this.body)), this.more), paper);
    this.ready = (view ? Promise.resolve(view.rows) : unpackJson<Cell[][]>(data.rows!))
      .then((rows) => { this.rows = rows; this.update(); });
  }

  private example(): string {
    if (this.view) return this.view.example;
    const { columns } = this.data;
    const numeric = columns.find((c) => c.endsWith("_bps")) ?? columns.find((c) => c.endsWith("_s"));
    if (!numeric) return "h12";
    const heading = this.title(columns.indexOf(numeric)).replaceAll(" ", "_");
    return `h12 or ${heading}${numeric.endsWith("_bps") ? "<1e9" : ">1e-6"}`;
  }

  private sortBy(column: number): void {
    this.down = this.column === column ? !this.down : false;
    this.column = column;
    this.heads.forEach((head, i) =>
      head.setAttribute("aria-sort", i !== column ? "none" : this.down ? "descending" : "ascending"));
    this.update();
  }

  private update(): void {
    const keep = predicate(this.filter.value, this.data.columns,
      this.data.columns.map((_, i) => this.title(i).toLowerCase().replaceAll(" ", "_")));
    const shown = (row: Cell[]) => () => this.search(row).toLowerCase();
    const rows = this.filter.value.trim() === "" ? this.rows : this.rows.filter((row) => keep(row, shown(row)));
    this.visible = this.column < 0 ? rows : ordered(rows, this.column, this.down);
    this.fill();
  }

  private rowsOf(limit: number): HTMLElement[] {
    return this.visible.slice(0, limit).map((row) => el("tr", {}, ...this.data.columns.map((_, i) =>
      el("td", { class: typeof row[i] === "number" && !this.view?.words[i] ? "number" : undefined },
        this.show(row, i)))));
  }

  // A copy that prints: as it is sorted and filtered, without anything to click, and without empty columns.
  private onPaper(): HTMLElement {
    const { columns } = this.data, rows = this.visible.slice(0, MOST_ON_PAPER);
    const used = columns.map((_, i) => i).filter((i) => rows.some((row) => this.show(row, i) !== ""));
    const more = this.data.total - rows.length;
    return el("div", {}, el("table", { class: "small" },
      el("thead", {}, el("tr", {}, ...used.map((i) => el("th", {}, this.title(i))))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...used.map((i) => el("td", {}, this.show(row, i))))))),
      more > 0 ? el("p", { class: "hint" }, `${more} more rows are not printed; ${this.data.csv} has all.`) : null);
  }

  private title(i: number): string {
    const name = this.data.columns[i]!;
    if (this.data.id === "victims" && name === "rank") return "held back by root no.";
    return this.view?.titles[i] ?? TITLES[name] ?? name;
  }

  private fill(): void {
    const { data } = this;
    this.body.replaceChildren(...this.rowsOf(this.limit));
    const first = this.visible[0];
    if (first) this.heads.forEach((head, i) => head.classList.toggle("number", typeof first[i] === "number"
      && !this.view?.words[i]));
    this.more.hidden = this.visible.length <= this.limit;
    this.filter.hidden = data.shown <= FEW;
    const cut = data.shown < data.total
      ? ` The page contains ${data.shown} of ${data.total}, those with the highest values of ` +
        `"${TITLES[data.kept_by ?? ""] ?? data.kept_by}";`
        + ` all are in ${data.csv}.` : "";
    const all = this.visible.length === data.shown;  // which the title says
    this.status.textContent = `${all ? "" : `${this.visible.length} of ${data.shown} rows.`}${cut}`.trim();
    this.status.hidden = this.status.textContent === "";
  }
}
