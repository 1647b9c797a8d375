// The page: reads the document that stands inside it and shows it section by section. Served by `weir view` or
// `weir run --live`, it asks its own server for a newer document now and then; opened from disk, it asks nobody.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { answerSection } from "./answer";
import { bookPage } from "./book";
import { compareSection } from "./compare";
import { configSection, tablesSection } from "./details";
import { diagnosisPage } from "./diagnosis";
import type { PageDocument, RunsDocument } from "./document";
import { el } from "./dom";
import { FabricView } from "./fabric-view";
import { isDark, forgetThemeListeners, themeChanged } from "./palette";
import { seriesSections } from "./series";
import { follow } from "./live";
import { notices } from "./notices";
import { sweepPage } from "./sweep";
import { forgetPrinted, watchPrinting } from "./print";
import { withoutCommonBeginning } from "./shown";
import { newState, type ViewState } from "./state";

const page = document.getElementById("page")!;

function header(data: PageDocument, parts: HTMLElement[]): HTMLElement {
  const theme = el("button", { type: "button", id: "theme", "aria-label": "switch between light and dark" }, "◐");
  theme.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    themeChanged();
  });
  const runs = data.kind === "runs" ? data.runs : [];
  const what = data.kind === "diagnosis" ? "what its counters say"
    : data.kind === "sweep" ? `sweep of ${data.count} ${data.count === 1 ? "point" : "points"}`
    : runs.length > 1 ? `comparison of ${runs.length} runs` : runs.length === 1 ? "one run" : "";
  const contents = el("nav", { "aria-label": "sections" }, ...parts.map((part) =>
    el("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? part.id)));
  return el("header", {}, el("h1", {}, el("span", { class: "brand" }, "weir"), " ", data.title),
    el("p", { class: "what" }, what), theme, parts.length > 2 && data.kind !== "book" ? contents : null);
}

function runsPage(data: RunsDocument, state: ViewState): { parts: HTMLElement[]; fabric: FabricView } {
  const fabric = new FabricView(data, state);
  state.onMove((source) => {
    if (source === null) void fabric.show();
  });
  const parts = [answerSection(data), fabric.element, compareSection(data), ...seriesSections(data, state),
    tablesSection(data, state), configSection(data)].filter((p): p is HTMLElement => p !== null);
  return { parts, fabric };
}

function banner(data: RunsDocument): HTMLElement | null {
  if (data.running === null) return null;
  const share = data.running >= 0 ? `, ${Math.round(100 * data.running)} % done` : "";
  return el("p", { class: "running", role: "status", id: "running" }, `This run is still in progress${share}.`);
}

let current: FabricView | null = null;

async function show(data: PageDocument, old: ViewState | null): Promise<ViewState> {
  forgetThemeListeners();
  forgetPrinted();
  current?.stop();
  document.title = `${data.title} · weir`;
  if (data.kind !== "runs") {
    const parts = data.kind === "book" ? bookPage(data)
      : data.kind === "diagnosis" ? await diagnosisPage(data) : await sweepPage(data);
    page.replaceChildren(header(data, parts), ...parts, notices());
    return newState(0);
  }
  withoutCommonBeginning(data.runs.map((run) => run.label)).forEach((label, r) => { data.runs[r]!.label = label; });
  const state = newState(old && old.run < data.runs.length ? old.run : data.answer.reference);
  state.chosen = old?.chosen ?? false;
  state.time = state.chosen ? old!.time : null;
  const { parts, fabric } = runsPage(data, state);
  const note = banner(data);
  page.replaceChildren(header(data, parts), ...(note ? [note] : []), ...parts, notices());
  current = fabric;
  await fabric.show();
  document.documentElement.dataset.ready = "yes";
  return state;
}

type Received = PageDocument & { weir?: string };

async function start(): Promise<void> {
  const holder = document.getElementById("weir-data")!;
  const data = JSON.parse(holder.textContent!) as Received;
  const served = location.protocol.startsWith("http");
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeChanged);
  watchPrinting();
  let state: ViewState | null = null;
  if (data.weir === "data")
    page.replaceChildren(el("p", { id: "running", class: "running" },
      served ? "The run has started; its results will appear here."
        : "This page is empty; weir puts a document into it."));
  else state = await show(data, null);
  document.documentElement.dataset.ready = "yes";
  if (!served) return;
  follow(holder.dataset.version ?? "", async (next) => {
    if ((next as Received).weir === "data") return;
    const at = scrollY;
    state = await show(next, state);
    scrollTo(0, at);
  });
}

start().catch((error: unknown) => {
  page.prepend(el("p", { role: "alert", class: "running" }, `The report cannot be shown: ${String(error)}`));
  console.error(error);
});
