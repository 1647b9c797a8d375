// The reproduction book: one page per paper. Every entry shows its figures (the paper's values as marks, ours as
// curves), its checks with their verdicts, and the reasons where they differ.
import { chart, simpleTable } from "./charts";
import type { BookDocument, BookPaper, Check, Entry, FigureData } from "./document";
import { el, section } from "./dom";
import { plain } from "./format";

const VERDICTS = ["reached", "reached in a second reading", "differs, explained", "regressed", "unexplained",
  "reported"];
// In the words of docs/reproduction.md.
const MEANINGS: Record<string, string> = {
  "reached": "within the tolerance; the statement holds",
  "reached in a second reading": "not with the literal reading of the paper, but with other choices where it is "
    + "ambiguous; the page of the paper says what was fitted",
  "differs, explained": "outside the tolerance, or the statement does not hold; the reason is given, and the value is "
    + "where it was when the reason was found",
  "regressed": "differs more than it did when the reason was found",
  "unexplained": "differs, and no reason is known",
  "reported": "measured; the paper prints no such number",
};
const tone = (verdict: string) => `verdict v${Math.max(0, VERDICTS.indexOf(verdict))}`;

function figure(f: FigureData): HTMLElement {
  const curves = (f.curves ?? []).map((c, slot) => ({ label: c.name, x: c.x, y: c.y, points: c.points_only, slot }));
  const marks = curves.filter((c) => c.points).length;
  return chart(curves, {
    title: f.title || f.name,
    summary: `${curves.length - marks} ${curves.length - marks === 1 ? "curve" : "curves"}`
      + (marks > 0 ? `; the paper's values are ${marks === 1 ? "the marks" : "marks"}` : "")
      + `: ${curves.map((c) => c.label).join(", ")}`,
    x: { label: f.x, format: plain, log: f.log_x }, y: { label: f.y, format: plain, log: f.log_y }, height: 320,
  }).element;
}

// How far a value may be from the paper's, in its unit. Statements have no tolerance.
function tolerance(check: Check): string {
  if (check.tolerance === undefined) return "";
  return check.tolerance === 0 ? "exact" : `± ${Number(check.tolerance.toPrecision(4))}`;
}

function checksTable(checks: Check[]): HTMLElement {
  const twice = checks.some((c) => c.second), some = checks.some((c) => tolerance(c));
  const columns = ["", "paper", ...(some ? ["tolerance"] : []), "measured", ...(twice ? ["second reading"] : []),
    "verdict"];
  return el("div", { class: "scroll" }, el("table", { class: "checks" },
    el("thead", {}, el("tr", {}, ...columns.map((t) => el("th", { scope: "col" }, t)))),
    el("tbody", {}, ...checks.map((c) => el("tr", {}, el("th", { scope: "row" }, c.what), el("td", {}, c.paper || "-"),
      some ? el("td", {}, tolerance(c)) : null, el("td", {}, c.measured), twice ? el("td", {}, c.second ?? "") : null,
      el("td", { class: tone(c.verdict) }, c.verdict))))));
}

// Each reason once, after the names of all checks that it explains.
function reasonsList(checks: Check[]): HTMLElement {
  const reasons = [...new Set(checks.map((c) => c.reason!))];
  return el("dl", {}, ...reasons.flatMap((reason) => [
    ...checks.filter((c) => c.reason === reason).map((c) => el("dt", {}, c.what)), el("dd", {}, reason)]));
}

// What the papers say, and whether it holds: the two minutes that most readers have.
function claimsTable(papers: BookPaper[], page: string | null): HTMLElement | null {
  const rows = papers.flatMap((p) => p.claims.map((claim) => el("tr", {},
    page ? null : el("th", { scope: "row" }, el("a", { href: p.file }, p.id)),
    el("td", {}, claim.says), el("td", { class: claim.holds === "yes" ? "verdict v0" : "verdict v2" }, claim.holds),
    el("td", {}, ...claim.where.flatMap((id, i) => [i > 0 ? ", " : "",
      el("a", { href: `${page ? "" : p.file}#${id.replaceAll("/", "-")}` }, id.split("/")[1] ?? id)])))));
  if (rows.length === 0) return null;
  const columns = [...(page ? [] : ["paper"]), "what the paper says", "does it hold", "where"];
  return section("claims", "What holds", el("div", { class: "scroll" }, el("table", { id: "claims-table" },
    el("thead", {}, el("tr", {}, ...columns.map((t) => el("th", { scope: "col" }, t)))), el("tbody", {}, ...rows))));
}

function readings(document: BookDocument): HTMLElement | null {
  if (!document.second && !document.unreached?.length) return null;
  return section("readings", "What we could not reach, and why",
    document.second
      ? el("p", {}, el("strong", {}, `Second reading (${document.second.fitted}). `), document.second.why) : null,
    ...(document.unreached ?? []).map((text) => el("p", {}, text)));
}

function entrySection(entry: Entry): HTMLElement {
  const checks = entry.checks ?? [], reasons = checks.filter((c) => c.reason);
  return section(entry.id.replaceAll("/", "-"), `${entry.id}: ${entry.title}`,
    el("div", { class: "charts" }, ...(entry.figures ?? []).map(figure)),
    checks.length > 0 ? checksTable(checks) : el("p", {}, "No value of this entry is compared with the paper's."),
    reasons.length > 0 ? el("div", { class: "reasons" }, el("h3", {}, "Why it differs"),
      reasonsList(reasons)) : null,
    (entry.notes ?? []).length > 0 ? el("ul", { class: "notes" }, ...entry.notes!.map((n) => el("li", {}, n))) : null);
}

// What the verdicts that stand on this page mean.
function verdictList(shown: string[]): HTMLElement | null {
  if (shown.length === 0) return null;
  return el("dl", { class: "facts", id: "verdicts" },
    ...shown.flatMap((v) => [el("dt", {}, v), el("dd", {}, MEANINGS[v]!)]));
}

function counts(checks: Check[]): string {
  return VERDICTS.map((v) => [v, checks.filter((c) => c.verdict === v).length] as const).filter(([, n]) => n > 0)
    .map(([v, n]) => `${n} ${v}`).join(", ");
}

function overview(document: BookDocument): HTMLElement {
  const rows = document.papers.map((p) => el("tr", {},
    el("th", { scope: "row" }, el("a", { href: p.file }, p.title)), el("td", { class: "number" }, String(p.entries)),
    ...VERDICTS.map((v) => el("td", { class: "number" }, String(p.counts[v] ?? 0)))));
  return section("papers", "The papers", el("div", { class: "scroll" }, el("table", { id: "papers-table" },
    el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "paper"), el("th", { scope: "col" }, "entries"),
      ...VERDICTS.map((v) => el("th", { scope: "col" }, v)))), el("tbody", {}, ...rows))), verdictList(VERDICTS));
}

export function bookPage(document: BookDocument): HTMLElement[] {
  const checks = document.entries.flatMap((e) => e.checks ?? []);
  const about = simpleTable(["", ""], [["machine", document.machine], ["date", document.date],
    ["amount of work", document.depth], ["seed", document.seed],
    ["simulations", String(document.simulations)], ["weir", document.weir_version]]);
  const links = el("nav", { "aria-label": "papers", class: "papers" },
    el("a", { href: "index.html", "aria-current": document.paper ? undefined : "page" }, "overview"),
    ...document.papers.map((p) =>
      el("a", { href: p.file, "aria-current": p.id === document.paper ? "page" : undefined }, p.id)));
  const head = section("summary", document.title, links,
    el("p", { class: "lead" }, document.paper ? `${counts(checks)}.`
      : "What the papers print, what weir measures, and why they differ where they do."), about,
    document.paper ? verdictList(VERDICTS.filter((v) => checks.some((c) => c.verdict === v))) : null);
  const papers = document.papers.filter((p) => !document.paper || p.id === document.paper);
  const summary = document.paper ? papers[0]?.summary : "";
  const lead = summary ? section("about", "In short", el("p", {}, summary)) : null;
  const sections = document.paper ? [head, lead, claimsTable(papers, document.paper), readings(document),
    ...document.entries.map(entrySection)] : [head, claimsTable(papers, null), overview(document)];
  return sections.filter((part): part is HTMLElement => part !== null);
}
