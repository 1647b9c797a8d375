// The first screen: what happened, who is hurt, where it starts, what helps, what to do.
import type { RunData, RunsDocument } from "./document";
import { el, section } from "./dom";
import { nanoseconds, slowdown } from "./format";

export function answerSection(document: RunsDocument): HTMLElement {
  const { answer } = document;
  const lead = answer.verdict && answer.helps ? answer.verdict : answer.headline;
  const second = answer.verdict && answer.helps ? answer.headline : answer.verdict;
  return section("answer", "What happened",
    el("p", { class: "lead", id: "headline" }, ...withCommands(sentence(lead))),
    second ? el("p", { class: "second" }, ...withCommands(sentence(second))) : null,
    el("div", { class: "cards" }, ...answer.cards.map((card) =>
      el("article", { class: `card ${card.tone}` }, el("h3", {}, card.title),
        el("p", { class: "value" }, ...withCommands(card.value)),
        card.detail ? el("p", { class: "detail" }, ...withCommands(card.detail)) : null))),
    advice("What to do", answer.advice.filter((line) => !isNote(line))),
    document.runs.length > 1 ? ranking(document) : null, notes(answer.advice.filter(isNote)));
}

const isNote = (line: string) => line.startsWith("Note: ");

// A few are read at once; many are folded.
function notes(lines: string[]): HTMLElement | null {
  const list = el("ul", { class: "notes" }, ...lines.map((line) => el("li", {}, ...withCommands(line))));
  if (lines.length <= 3) return lines.length > 0 ? list : null;
  return el("details", {}, el("summary", {}, `${lines.length} notes`), list);
}

export function advice(title: string, lines: string[]): HTMLElement | null {
  if (lines.length === 0) return null;
  return el("div", { class: "advice" }, el("h3", {}, title),
    el("ul", {}, ...lines.map((line) => el("li", {}, ...withCommands(line)))));
}
// Between backquotes stand names of classes and schemes, and what is typed.
export const withCommands = (text: string) =>
  text.split("`").map((part, i) => (i % 2 === 1 ? el("code", {}, part) : part));

// The first word may be the name of a scheme, which is written as it is.
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

// Schemes by what the innocent feel, as bars. Lengths are logarithmic: schemes differ by orders of magnitude.
function ranking(document: RunsDocument): HTMLElement {
  const { answer, runs } = document;
  const order = runs.map((run, r) => ({ run, r })).sort((a, b) => harm(a.run) - harm(b.run));
  const values = order.map(({ run }) => harm(run)).filter(Number.isFinite);
  const low = Math.log(Math.min(...values) / 2), high = Math.log(Math.max(...values));
  const base = harm(runs[answer.reference]!);
  const tags = [...new Set(runs.map((run) => run.scheme_tag))], tagged = tags.length > 1;
  const heads = ["run", ...(tagged ? ["availability"] : []), "bar", "value", "against the reference"];
  const rows = order.map(({ run, r }) => {
    const value = harm(run), known = Number.isFinite(value);
    const length = known && high > low ? Math.max(2, (100 * (Math.log(value) - low)) / (high - low)) : 0;
    const note = r === answer.reference ? "reference" : run.scheme_never_acted ? "never acted"
      : known && value > 0 ? change(base / value) : "no answer";
    return el("tr", { class: r === answer.best ? "best" : undefined },
      el("th", { scope: "row" }, run.label), tagged ? el("td", {}, run.scheme_tag) : null,
      el("td", { class: "bar-cell" }, svgBar(length, r === answer.best)),
      el("td", { class: "number" }, harmText(run)),
      el("td", { title: run.scheme_never_acted ?? undefined }, note));
  });
  return el("table", { class: "ranking", id: "ranking" },
    el("caption", {}, `${capital(answer.measure)} of ${answer.innocent.length === 1 ? "class" : "classes"} `,
      ...withCommands(answer.innocent.map((name) => `\`${name}\``).join(" and ")), ", best first ",
      el("small", {}, "(lengths of bars are logarithmic)"),
      tagged ? el("small", { class: "definitions" }, el("br"), ...explained(tags)) : null),
    el("thead", { class: "unseen" }, el("tr", {}, ...heads.map((t) => el("th", { scope: "col" }, t)))),
    el("tbody", {}, ...rows));
}

const TAGS: Record<string, string> = { available: "works with products that can be bought",
  standard: "in a published standard; ask the vendor whether it is implemented",
  "for InfiniBand": "in products or a standard for InfiniBand; this fabric is Ethernet",
  "for Ethernet": "in products or a standard for Ethernet; this fabric is InfiniBand",
  research: "in papers only", ideal: "for comparison only: it uses knowledge that no real device has" };
const explained = (tags: string[]) => [`${tags.filter((t) => TAGS[t]).map((t) => `${t}: ${TAGS[t]}`).join(". ")}.`];
const harm = (run: RunData) => run.harm_slowdown ?? run.harm_ns ?? Infinity;
const harmText = (run: RunData) =>
  run.harm_slowdown !== undefined ? slowdown(run.harm_slowdown) : nanoseconds(run.harm_ns);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function change(times: number): string {
  if (!Number.isFinite(times)) return "";
  if (times >= 1.05) return `${times >= 9.95 ? times.toFixed(0) : times.toFixed(1)}x lower`;
  return times <= 0.95 ? `${(1 / times).toFixed(1)}x higher` : "about the same";
}

// A meter element would be read out as a value of its own; this is decoration beside the number.
function svgBar(length: number, best: boolean): HTMLElement {
  const inner = el("i", { class: best ? "fill best" : "fill" });
  inner.style.width = `${length}%`;
  return el("span", { class: "track", "aria-hidden": "true" }, inner);
}
