// What the counters of a subnet say: the roots of congestion, whom they hold back, what that costs, who sends, and what
// to try; with the fabric drawn.
import { advice } from "./answer";
import { linkName, unpackFabric, unpackJson, unpackNibbles, type DiagnosisDocument, type TableData } from "./document";
import { el, section } from "./dom";
import { FabricCanvas } from "./fabric-canvas";
import { count, rate, time } from "./format";
import { SortableTable, type Cell } from "./tables";

const TITLES: Record<string, [title: string, hint: string]> = {
  roots: ["Roots", "Full links that others wait for, the costliest first."],
  victims: ["Victims", "Ports that could have sent more, and what they lost."],
  senders: ["Who sends into the roots", "The ports that bring traffic to the switch of a root, the most first. "
    + "Counters do not tell what goes where: these are likely culprits, not proven ones."],
  unexplained: ["Ports that wait without a root", "No full link is behind them."],
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
  const root = await firstRow(data.tables, "roots"), sender = await firstRow(data.tables, "senders");
  const calm = data.roots.length === 0, victims = new Set(data.victims).size;
  const read = `${count(data.ports_read)} ports read${data.seconds ? ` over ${time(data.seconds)}` : ""}`;
  return section("answer", "What the counters say",
    el("p", { class: "lead", id: "headline" }, `${data.headline.charAt(0).toUpperCase()}${data.headline.slice(1)}.`),
    el("div", { class: "cards" },
      card(data.roots.length > 1 ? `Worst of ${data.roots.length} roots` : "Root",
        root ? `${root[0]} → ${root[1]}` : "none", read, calm ? "good" : "bad"),
      card("Victims", victims === 0 ? "none" : `${count(victims)} ${victims === 1 ? "port" : "ports"}`,
        victims === 0 ? "" : "held back, and never idle", victims === 0 ? "good" : "bad"),
      card("Lost bandwidth", data.lost_bps > 0 ? rate(data.lost_bps) : "none",
        data.lost_bps > 0 ? "what the victims could have sent" : "", data.lost_bps > 0 ? "bad" : "good"),
      sender ? card("Most comes by", String(sender[0]), rate(sender[2] as number), "plain") : null),
    advice("What to try", data.advice),
    ...data.remarks.map((remark) => el("p", { class: "hint" }, `Note: ${remark}.`)));
}

async function drawing(data: DiagnosisDocument): Promise<HTMLElement> {
  const fabric = await unpackFabric(data.fabric), canvas = new FabricCanvas(() => {});
  const [load, wait] = await Promise.all(
    [unpackNibbles(data.moment.load, fabric.ports), unpackNibbles(data.moment.wait, fabric.ports)]);
  const frames = { count: 1, from: [0], to: [data.seconds ?? 0], load, wait, fill: new Uint8Array(fabric.ports) };
  const roots = data.roots, victims = [...new Set([...data.victims, ...data.unexplained])];
  const words = roots.length === 0 ? "No link is a root of congestion."
    : `${roots.length === 1 ? "Root" : "Roots"}: ${roots.slice(0, 3).map((p) => linkName(fabric, p)).join("; ")}`
      + `${roots.length > 3 ? ` and ${roots.length - 3} more` : ""}. ${victims.length} `
      + `${victims.length === 1 ? "port is" : "ports are"} held back.`;
  canvas.canvas.setAttribute("aria-label", `The fabric. ${words}`);
  const part = section("fabric", "Where it is", el("p", { class: "words", id: "fabric-words" }, words), canvas.canvas,
    el("ul", { class: "legend" },
      el("li", {}, el("i", { class: "key-load", "aria-hidden": "true" }), "link: idle to busy"),
      el("li", {}, el("i", { class: "key-victim", "aria-hidden": "true" }), "held back"),
      el("li", {}, el("i", { class: "key-root", "aria-hidden": "true" }), "root: saturated, others wait for it")),
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
      el("p", { class: "hint" }, `weir ${data.weir_version}. docs/live.md explains how roots and victims are found.`))];
}
