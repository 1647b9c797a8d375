// What the counters of a subnet say: the roots of congestion, which ports they hold back, and what to try; with the
// fabric drawn.
import { advice } from "./answer";
import { linkName, unpackFabric, unpackJson, unpackNibbles, type DiagnosisDocument, type TableData } from "./document";
import { el, section } from "./dom";
import { FabricCanvas } from "./fabric-canvas";
import { count, rate, time } from "./format";
import { SortableTable, type Cell } from "./tables";

const TITLES: Record<string, [title: string, hint: string]> = {
  roots: ["Roots", "Saturated links that ports wait for."],
  held_back: ["Held back", "Ports that almost always have something to send: they send or wait. Switch ports first, "
    + "then hosts. Each of them either sends traffic into a root, or waits although none of its traffic enters a "
    + "root (a victim); counters do not tell which. "
    + "\"Lost at most\" is what the link could have "
    + "carried while the port waited. Do not add these figures: the same stream may wait at several "
    + "ports and be counted more than once, and traffic into a root could not have been sent faster anyway."],
  inputs: ["Ports that send into the switch of a root", "Their traffic to all destinations, the most first. Counters "
    + "do not tell how much of it goes into the root."],
  unexplained: ["Ports that wait without a root", "No link downstream of them is full."],
};

function card(title: string, value: string, detail: string, tone: string): HTMLElement {
  return el("article", { class: `card ${tone}` }, el("h3", {}, title), el("p", { class: "value" }, value),
    detail ? el("p", { class: "detail" }, detail) : null);
}

async function firstRow(tables: TableData[], id: string): Promise<Cell[] | null> {
  const data = tables.find((t) => t.id === id);
  return data ? (await unpackJson<Cell[][]>(data.rows))[0] ?? null : null;
}

async function answer(data: DiagnosisDocument): Promise<HTMLElement> {
  const root = await firstRow(data.tables, "roots");
  const calm = data.roots.length === 0, held = data.held_back.length;
  const read = `${count(data.ports_read)} ports read${data.seconds ? ` over ${time(data.seconds)}` : ""}`;
  return section("answer", "What the counters say",
    el("p", { class: "lead", id: "headline" }, `${data.headline.charAt(0).toUpperCase()}${data.headline.slice(1)}.`),
    data.unknown ? el("p", { id: "unknown" }, data.unknown) : null,
    el("div", { class: "cards" },
      card(data.roots.length > 1 ? `Worst of ${data.roots.length} roots` : "Root",
        root ? `${root[0]} → ${root[1]}` : "none", read, calm ? (data.conclusive ? "good" : "plain") : "bad"),
      root ? card("Rate of the root", rate(root[3] as number), "", "plain") : null,
      card("Held back", held === 0 ? "none" : data.held, held === 0 ? "" : "almost always send or wait",
        held === 0 ? (data.conclusive ? "good" : "plain") : "bad")),
    advice("What to try", data.advice),
    ...data.remarks.map((remark) => el("p", { class: "hint" }, `Note: ${remark}${/[.?]$/.test(remark) ? "" : "."}`)));
}

async function drawing(data: DiagnosisDocument): Promise<HTMLElement> {
  const fabric = await unpackFabric(data.fabric), canvas = new FabricCanvas(() => {});
  const [load, wait] = await Promise.all(
    [unpackNibbles(data.moment.load, fabric.ports), unpackNibbles(data.moment.wait, fabric.ports)]);
  const frames = { count: 1, from: [0], to: [data.seconds ?? 0], roots: [data.roots], load, wait,
    fill: new Uint8Array(fabric.ports) };
  const roots = data.roots, victims = [...new Set([...data.held_back, ...data.unexplained])];
  const held = data.held_back.length, more = victims.length - held;
  const words = roots.length === 0 ? (data.conclusive ? "No link is a root of congestion." : "No root is certain.")
    : `${roots.length === 1 ? "Root" : "Roots"}: ${roots.slice(0, 3).map((p) => linkName(fabric, p)).join("; ")}`
      + `${roots.length > 3 ? ` and ${roots.length - 3} more` : ""}. ${held} `
      + `${held === 1 ? "port is" : "ports are"} held back`
      + `${more > 0 ? `; ${more} more ${more === 1 ? "waits" : "wait"}, but no root explains it` : ""}.`;
  canvas.canvas.setAttribute("aria-label", `The fabric. ${words}`);
  const part = section("fabric", "Where it is", el("p", { class: "words", id: "fabric-words" }, words), canvas.canvas,
    el("ul", { class: "legend" },
      el("li", {}, el("i", { class: "key-load", "aria-hidden": "true" }), "link: idle to busy"),
      el("li", {}, el("i", { class: "key-victim", "aria-hidden": "true" }), "held back"),
      el("li", {}, el("i", { class: "key-root", "aria-hidden": "true" }),
        "root: a saturated link that ports wait for")),
    canvas.detail);
  part.dataset.roots = String(roots.length);
  part.dataset.victims = String(victims.length);
  canvas.setFabric(fabric, roots[0] ?? null);
  canvas.setState(frames, 0, { roots, victims, fullest: 0 });
  return part;
}

function tableSection(data: TableData): HTMLElement {
  const [title, hint] = TITLES[data.id]!;
  return section(data.id, `${title} (${count(data.total)})`, el("p", { class: "hint" }, hint),
    new SortableTable(data, data.id).element);
}

export async function diagnosisPage(data: DiagnosisDocument): Promise<HTMLElement[]> {
  return [await answer(data), await drawing(data),
    ...data.tables.filter((t) => t.total > 0).map(tableSection),
    section("config", "How to repeat it", el("p", {}, el("code", { class: "command", id: "command" }, data.command)),
      el("p", { class: "hint" }, `weir ${data.weir_version}. docs/live.md explains how roots are found.`))];
}
