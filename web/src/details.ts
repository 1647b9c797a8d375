// The tables of the chosen run, its configuration, and how to repeat it.
import type { RunData, RunsDocument, TableData } from "./document";
import { el, section } from "./dom";
import { count, plain, rate, time } from "./format";
import { onPrint } from "./print";
import type { ViewState } from "./state";
import { SortableTable } from "./tables";

const TABS: [string, string][] = [["flows", "Flows"], ["hosts", "Hosts"], ["links", "Links"],
  ["pauses", "Pauses"], ["roots", "Roots"], ["victims", "Ports held back, by root"]];

// The rows of a table, or how many things they are about: a host has a row for each class it sends.
function size(run: RunData, id: string): string {
  const rows = run.tables.find((t) => t.id === id)!.total;
  if (id === "victims") return `${count(rows)} rows for ${count(run.ports_held_back)} ports`;
  return id === "hosts" && rows > run.hosts ? `${count(run.hosts)}, by class` : count(rows);
}

export function tablesSection(document: RunsDocument, state: ViewState): HTMLElement {
  const place = el("div");
  const tabs = el("div", { role: "tablist", "aria-label": "tables", class: "tabs" });
  const chooser = el("select", { id: "table-run", "aria-label": "run shown in the tables" },
    ...document.runs.map((run, r) => el("option", { value: r }, run.label || run.name || "run")));
  let chosen = "";
  const present = () => {
    const run = document.runs[Number(chooser.value)]!;
    return { run, tables: TABS.filter(([id]) => (run.tables.find((t) => t.id === id)?.total ?? 0) > 0) };
  };
  const open = new Map<TableData, SortableTable>();
  const tableOf = (run: RunData, id: string) => {
    const data = run.tables.find((t) => t.id === id)!;
    if (!open.has(data)) open.set(data, new SortableTable(data, id));
    return open.get(data)!;
  };
  const fill = () => {
    const { run, tables } = present();
    if (!tables.some(([id]) => id === chosen)) chosen = tables[0]?.[0] ?? "";
    tabs.replaceChildren(...tables.map(([id, title]) => el("button", { type: "button", role: "tab", id: `tab-${id}`,
      "aria-selected": id === chosen ? "true" : "false",
      onclick: () => { chosen = id; fill(); } }, `${title} (${size(run, id)})`)));
    place.replaceChildren(chosen ? tableOf(run, chosen).element : el("p", {}, "There is nothing to list."));
  };
  // On paper all tables follow each other. Their rows are unpacked early, since printing does not wait.
  onPrint(() => {
    const { run, tables } = present();
    place.replaceChildren(document.runs.length > 1 ? el("p", {}, `Tables of the run ${run.label}.`) : "",
      ...tables.map(([id, title]) => el("div", {}, el("h3", {}, `${title} (${size(run, id)})`),
        tableOf(run, id).element)));
  }, fill);
  const unpackAll = () => { const { run, tables } = present(); for (const [id] of tables) tableOf(run, id); };
  chooser.value = String(state.run);
  chooser.addEventListener("change", () => { fill(); unpackAll(); });
  fill();
  setTimeout(unpackAll);
  return section("tables", "Flows, hosts and links",
    document.runs.length > 1 ? el("label", { class: "chooser" }, "run ", chooser) : null, tabs, place);
}

function facts(run: RunData): [string, string][] {
  const list: [string, string][] = [
    ["configuration hash", run.config_hash], ["seed", String(run.seed)], ["scenario", run.scenario],
    ["weir", run.weir_version], ["fabric", `${count(run.hosts)} hosts, ${count(run.switches)} switches`],
    ["ended", `at ${time(run.end_s)}: ${run.why_ended}`],
    ["received", `${count(run.received)} packets, ${rate(run.throughput_bps)}`], ["packet-hops", count(run.hops)],
  ];
  for (const [key, value] of Object.entries(run.parameters)) list.push([key, value]);
  for (const [key, value] of Object.entries(run.numbers)) list.push([key, plain(value)]);
  return list;
}

export function configSection(document: RunsDocument): HTMLElement {
  const several = document.runs.length > 1;
  const blocks = document.runs.map((run, r) => {
    const again = several ? `weir run scenario-${r + 1}.toml` : "weir run scenario.toml";
    const list = el("dl", { class: "facts" }, ...facts(run).flatMap(([k, v]) => [el("dt", {}, k), el("dd", {}, v)]));
    return el("details", { class: "config", open: !several },
      el("summary", {}, several ? run.label : "Effective configuration"), list,
      el("p", {}, "To repeat this run, in the directory of this report: ", el("code", { class: "command" }, again)),
      el("pre", { tabindex: 0, "aria-label": "configuration" }, run.config));
  });
  return section("config", "Configuration and how to repeat it",
    document.command
      ? el("p", {}, `To repeat ${several ? "all runs" : "this run"}, in the directory of the scenario: `,
        el("code", { class: "command", id: "command" }, document.command)) : null,
    ...blocks);
}
