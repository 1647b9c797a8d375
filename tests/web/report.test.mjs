// The report in a real browser, opened from disk: right numbers, a slider that moves the congestion tree, tables that
// sort and filter, names with script in them shown as text, dark, narrow, and quick when it is large.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { asRate, asTime, cleanUp, here, launch, open, readJson, root, scratch, weir } from "./browser.mjs";

let browser;
const flows = join(scratch, "flows"), pulse = join(scratch, "pulse"), hostile = join(scratch, "hostile"), single = join(scratch, "single");

before(async () => {
  browser = await launch();
  const printed = await weir("compare", join(here, "pulse.toml"), "--out", pulse);
  assert.ok(printed.trimEnd().endsWith(`report: ${pulse}/report.html`), "compare ends by naming the report");
  await weir("compare", join(here, "hostile.toml"), "--out", hostile);
  await weir("run", join(here, "pulse.toml"), "--out", single);
  await weir("compare", join(root, "scenarios", "websearch.toml"), "--out", flows);
});
after(async () => {
  await browser?.close();
  cleanUp();
});

const report = (directory) => join(directory, "report.html");
const cells = (row) => row.locator("th, td").allInnerTexts();

test("says what happened, and its numbers are those of result.json", async () => {
  const { page, done } = await open(browser, report(pulse));
  const { runs } = readJson(pulse, "result.json");
  const none = runs.find((run) => run.label === "none");
  const peak = (run) => run.classes.cold.event_latency_peak_ns;
  const best = runs.reduce((a, b) => (peak(b) < peak(a) ? b : a));
  const lead = await page.locator("#headline").innerText();
  assert.ok(lead.includes(best.label) && lead.includes(asTime(peak(best))) && lead.includes(asTime(peak(none))), lead);
  const cards = await page.locator(".card .value").allInnerTexts();
  assert.ok(cards[1].startsWith(none.congestion.roots[0].name), cards.join(" / "));
  const subject = page.locator("#compare .subject").filter({ has: page.getByRole("heading", { name: "cold" }) });
  const header = await subject.locator("thead th").allInnerTexts();
  const same = await subject.locator(".hint").allInnerTexts();
  for (const run of runs) {
    const row = await cells(subject.locator("tbody tr", { has: page.getByText(run.label, { exact: true }) }));
    const { cold } = run.classes;
    const expected = { "peak latency": asTime(peak(run)), "mean latency": asTime(cold.latency_mean_ns),
      "p99 latency": asTime(cold.latency_p99_ns), throughput: asRate(cold.throughput_bps) };
    for (const [title, text] of Object.entries(expected)) {
      if (header.includes(title)) assert.equal(row[header.indexOf(title)], text);
      else assert.ok(same.join().includes(`${title}: ${text}`), `${title} is neither in the table nor said once: ${same}`);
    }
  }
  const ranking = await page.locator("#ranking tbody th").allInnerTexts();
  assert.deepEqual(ranking, [...runs].sort((a, b) => peak(a) - peak(b)).map((run) => run.label));
  for (const run of runs) {
    const bar = await cells(page.locator("#ranking tbody tr", { has: page.getByText(run.label, { exact: true }) }));
    assert.ok(bar.includes(asTime(peak(run))), `bar and table differ: ${bar}`);
    const tells = new Set(runs.map((one) => one.scheme_tag)).size > 1;
    assert.equal(bar.includes(run.scheme_tag), tells, `a tag only where they differ: ${bar}`);
    assert.equal(bar.includes("never acted"), run.scheme_never_acted !== null && run !== none, bar.join());
  }
  assert.ok((await page.locator("#config").innerText()).includes("weir compare pulse.toml"));
  for (const run of runs) assert.ok((await page.locator("#config").textContent()).includes(run.config_hash));
  await done();
});

test("shows the slowdown by flow size, and victim flows", async () => {
  const { page, done } = await open(browser, report(flows));
  const { runs } = readJson(flows, "result.json");
  const three = (v) => (v >= 99.95 ? v.toFixed(0) : v.toFixed(v >= 9.995 ? 1 : 2));
  const figures = page.locator("#slowdown figure");
  assert.equal(await figures.count(), 2, "one for each class");
  const figure = figures.filter({ hasText: "search: slowdown by flow size" });
  const rows = await figure.locator("table tbody tr").evaluateAll((list) =>
    list.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent)));
  const order = [...new Set(rows.map((row) => row[0]))];  // those that matter most come first
  const expected = order.map((label) => runs.find((run) => run.label === label)).flatMap((run) => {
    const all = run.classes.search, bins = run.slowdown.filter((bin) => bin.class === "search");
    const cells = (bin) => [three(bin.slowdown_p50), three(bin.slowdown_p95), three(bin.slowdown_p99)];
    return [[run.label, "all", String(all.flows_complete), ...cells(all)],
      ...bins.map((bin) => [run.label, null, String(bin.flows_complete), ...cells(bin)])];
  });
  assert.equal(order.length, runs.length);
  assert.equal(rows.length, expected.length);
  rows.forEach((row, i) => expected[i].forEach((cell, c) => {
    if (cell !== null) assert.equal(row[c], cell, `row ${i}, column ${c}`);
  }));
  const header = await page.locator("#compare thead th").allInnerTexts();
  assert.ok(header.includes("victim flows") && header.includes("p99 slowdown"), header.join());
  await done();
});

test("ticks of curves that hardly differ have different labels", async () => {
  const directory = join(scratch, "level");
  await weir("compare", join(root, "scenarios", "incast.toml"), "--out", directory);
  const slowest = readJson(directory, "result.json").runs.map((run) => run.classes.incast.slowdown_p99);
  assert.ok(slowest[0] !== slowest[1] && Math.abs(slowest[0] - slowest[1]) < 0.05, slowest.join());
  const { page, done } = await open(browser, report(directory));
  await page.evaluate(() => {
    const draw = CanvasRenderingContext2D.prototype.fillText;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
      (this.canvas.labels ??= new Map()).set(y, text);
      return draw.call(this, text, x, y, ...more);
    };
  });
  const figure = page.locator("#slowdown figure").filter({ hasText: "incast: slowdown by flow size" });
  const canvas = figure.locator("canvas");
  await figure.scrollIntoViewIfNeeded();
  await canvas.waitFor();
  await page.setViewportSize({ width: 1100, height: 800 });  // draws it again
  await canvas.evaluate((drawn) => new Promise((soon) => {
    const look = () => (drawn.labels ? soon() : requestAnimationFrame(look));
    look();
  }));
  const labels = (await canvas.evaluate((drawn) => [...drawn.labels.values()])).filter((text) => /^[\d.]+$/.test(text));
  assert.ok(labels.length > 2 && new Set(labels).size === labels.length, labels.join());
  await done();
});

test("the notice of the software inside the page can be read in it", async () => {
  const { page, done } = await open(browser, report(single));
  await page.locator("#notices summary").click();
  const text = await page.locator("#notices").innerText();
  assert.match(text, /Apache License 2\.0/);
  assert.match(text, /Copyright \(c\) \d+ Leon Sorokin[\s\S]*Permission is hereby granted[\s\S]*AS IS/);
  await done();
});

test("the slider moves the congestion tree", async () => {
  const { page, done } = await open(browser, report(pulse));
  const fabric = page.locator("#fabric"), slider = page.locator("#time");
  const look = async () => ({
    roots: Number(await fabric.getAttribute("data-roots")), victims: Number(await fabric.getAttribute("data-victims")),
    words: await page.locator("#fabric-words").innerText(),
    picture: await page.locator("#fabric-canvas").evaluate((canvas) => canvas.toDataURL()),
  });
  const worst = await look();  // it starts where most ports wait
  const [root] = readJson(pulse, "result.json").runs[0].congestion.roots;
  assert.ok(worst.roots >= 1 && worst.victims >= 1, worst.words);
  assert.ok(worst.words.includes(root.name), `${worst.words} should name ${root.name}`);
  await slider.focus();
  await page.keyboard.press("Home");
  const calm = await look();
  assert.equal(calm.roots, 0, calm.words);
  assert.ok(calm.victims < worst.victims);
  assert.notEqual(calm.picture, worst.picture);
  await page.keyboard.press("ArrowRight");
  assert.equal(await fabric.getAttribute("data-frame"), "1");
  await page.locator("#play").click();
  await page.waitForFunction(() => Number(document.querySelector("#fabric").dataset.frame) > 3);
  await page.locator("#play").click();
  await page.keyboard.press("Tab");
  await done();
});

test("a frame's roots and victims are those of the recorded frames", async () => {
  const { page, done } = await open(browser, report(single));
  const { execFileSync } = await import("node:child_process");
  const rows = execFileSync("sqlite3", [join(single, "result.sqlite"),
    "SELECT (to_s - from_s) || ' ' || hex(load) || ' ' || hex(wait) FROM frames ORDER BY frame"], { encoding: "utf8" }).trim().split("\n");
  const { ports } = readJson(single, "result.json");
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const frames = rows.map((row) => row.split(" ")).map(([seconds, load, wait]) =>
    ({ seconds: Number(seconds), load: bytes(load), wait: bytes(wait) }));
  const byName = new Map(ports.map((port) => [port.name, port]));
  const sends = ports.filter((port) => port.peer !== null);
  const full = (port, { load }) => load[port.port] >= 242, waits = (port, { wait }) => wait[port.port] >= 13;
  const length = (list) => list.reduce((sum, { seconds }) => sum + seconds, 0);
  // The mean queue while the port is full or held back.
  const queue = new Map(sends.map((port) => {
    const busy = length(frames.filter((frame) => full(port, frame) || waits(port, frame)));
    return [port, busy > 0 ? port.mean_output_bytes * length(frames) / busy : 0];
  }));
  const slider = page.locator("#time");
  for (const number of [0, Math.floor(rows.length / 6), Math.floor(rows.length / 3), rows.length - 1]) {
    const frame = frames[number], held = sends.filter((port) => waits(port, frame));
    const awaited = new Set(held.map((port) => byName.get(port.peer).node));
    const isHost = (node) => /^h/i.test(node);
    const longest = (node) => Math.max(...sends.filter((port) => port.node === node
      && (full(port, frame) || waits(port, frame))).map((port) => queue.get(port)));
    const roots = sends.filter((port) => full(port, frame) && awaited.has(port.node) && !isHost(port.node)
      && queue.get(port) >= 0.01 * longest(port.node));
    const victims = held.filter((port) => !roots.includes(port));
    await slider.evaluate((input, value) => { input.value = value; input.dispatchEvent(new Event("input")); }, number);
    assert.equal(await page.locator("#fabric").getAttribute("data-roots"), String(roots.length), `roots in ${number}`);
    assert.equal(await page.locator("#fabric").getAttribute("data-victims"), String(victims.length), `held in ${number}`);
  }
  await done();
});

test("tables sort and filter", async () => {
  const { page, done } = await open(browser, report(single));
  const { flows } = readJson(single, "result.json");
  await page.locator("#tab-flows").click();
  const table = page.locator("#table-flows"), rows = table.locator("tbody tr");
  await rows.first().waitFor();  // rows are unpacked when they are first asked for
  assert.equal(await rows.count(), Math.min(100, flows.length));
  await table.locator("th button[title=rate_bps]").click();
  const byRate = [...flows].sort((a, b) => a.rate_bps - b.rate_bps);
  assert.equal((await cells(rows.first()))[6], asRate(byRate[0].rate_bps));
  await table.locator("th button[title=rate_bps]").click();
  assert.equal(await table.locator("th[aria-sort=descending]").innerText(), "rate");
  assert.equal((await cells(rows.first()))[6], asRate(byRate.at(-1).rate_bps));
  const source = flows[5].src;
  await table.getByRole("searchbox").fill(source);
  const matching = flows.filter((flow) => [flow.src, flow.dst].some((name) => name.includes(source)));
  assert.equal(await rows.count(), matching.length);
  const limit = byRate[3].rate_bps;
  await table.getByRole("searchbox").fill(`rate_bps<=${limit}`);
  assert.equal(await rows.count(), flows.filter((flow) => flow.rate_bps <= limit).length);
  await table.getByRole("searchbox").fill(`Rate<=${limit} complete_at>0`);
  assert.equal(await rows.count(),
    flows.filter((flow) => flow.rate_bps <= limit && flow.completion_s !== null).length);
  await table.getByRole("searchbox").fill("no such flow");
  assert.equal(await rows.count(), 0);
  await done();
});

test("names with markup and script in them are shown as text", async () => {
  const { page, done } = await open(browser, report(hostile));
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  const text = await page.locator("body").innerText();
  for (const name of ["<img src=x onerror=window.hurt=1>", "<b onclick=window.hurt=4>window</b>", "cold <u>",
    "</script><script>window.hurt=3</script>", "</script><b>H6</b>"])
    assert.ok(text.includes(name), `${name} should be shown`);
  assert.equal(await page.locator("main img, main b, main u, main script").count(), 0);
  await page.locator("#tab-hosts").click();
  await page.locator("#table-hosts tbody tr").first().waitFor();
  assert.ok((await page.locator("#table-hosts").innerText()).includes("<script>window.hurt=2</script>"));
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  await done();
});

const luminance = (page, selector) => page.locator(selector).evaluate((element) => {
  const [r, g, b] = getComputedStyle(element).backgroundColor.match(/[\d.]+/g).map(Number);
  return (r + g + b) / 3;
});

test("dark when the system is dark, and when the reader asks for it", async () => {
  const dark = await open(browser, report(pulse), { colorScheme: "dark" });
  assert.ok(await luminance(dark.page, "body") < 60);
  await dark.page.locator("#theme").click();
  assert.ok(await luminance(dark.page, "body") > 200);
  await dark.done();
  const light = await open(browser, report(pulse), { colorScheme: "light" });
  assert.ok(await luminance(light.page, "body") > 200);
  await light.page.locator("#theme").click();
  assert.ok(await luminance(light.page, "body") < 60);
  await light.done();
});

test("fits a screen of 400 pixels", async () => {
  const { page, done } = await open(browser, report(pulse), { viewport: { width: 400, height: 800 } });
  for (let y = 0; y < 8000; y += 700) {
    await page.evaluate((to) => scrollTo(0, to), y);
    await page.waitForTimeout(30);
  }
  const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(sizes[0] <= sizes[1], `the page is ${sizes[0]} wide on a screen of ${sizes[1]}`);
  await page.locator("#time").scrollIntoViewIfNeeded();
  assert.ok(await page.locator("#play").isVisible());
  await done();
});

test("charts have names and their figures as text; everything can be reached with the keyboard", async () => {
  const { page, done } = await open(browser, report(pulse));
  const pictures = page.locator("[role=img]");
  assert.ok(await pictures.count() >= 5);
  for (const label of await pictures.evaluateAll((all) => all.map((e) => e.getAttribute("aria-label"))))
    assert.ok(label && label.length > 20, label);
  await page.locator("#series").scrollIntoViewIfNeeded();
  await page.waitForSelector("#series canvas");
  await page.locator("#fabric-canvas").focus();
  await page.keyboard.press("ArrowRight");
  assert.ok((await page.locator("#box-detail h3").innerText()).length > 0);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select")]
    .filter((e) => !e.textContent.trim() && !e.getAttribute("aria-label") && !e.closest("label")).length);
  assert.equal(unnamed, 0);
  await done();
});

test("4096 hosts and a minute in milliseconds open and play", { timeout: 300000 }, async () => {
  const large = join(scratch, "large");
  await weir("run", join(here, "large.toml"), "--out", large);
  const size = statSync(report(large)).size;
  assert.ok(size < 12e6, `the report has ${size} bytes`);
  const begin = performance.now();
  const { page, done } = await open(browser, report(large));
  const seconds = (performance.now() - begin) / 1000;  // for people to read: no test depends on the clock
  console.log(`large report: ${(size / 1e6).toFixed(1)} MB, open in ${seconds.toFixed(2)} s`);
  const drawing = await page.evaluate(async () => {
    const slider = document.querySelector("#time"), begin = performance.now();
    for (let frame = 0; frame < 20; ++frame) {
      slider.value = String(frame);
      slider.dispatchEvent(new Event("input"));
    }
    return (performance.now() - begin) / 20;
  });
  console.log(`large report: ${drawing.toFixed(1)} ms per moment`);
  const peak = Math.max(...readJson(large, "result.json").series.burst.latency_mean_ns.filter((v) => v !== null));
  const inside = await page.evaluate(() =>
    JSON.parse(document.getElementById("weir-data").textContent).runs[0].classes[1].curves.latency[1]);
  assert.equal(Math.max(...inside), peak, "thinning keeps the peak");
  await done();
});
