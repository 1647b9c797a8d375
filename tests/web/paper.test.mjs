// Fifteen runs in one report: few curves at first, the others by a click, axes at the event; on paper with every chart
// and every table; and on a screen of 400 pixels.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inflateSync } from "node:zlib";
import { cleanUp, here, launch, open, readJson, scratch, weir } from "./browser.mjs";

let browser;
const many = join(scratch, "many"), report = join(many, "report.html");
before(async () => {
  browser = await launch();
  await weir("compare", join(here, "many.toml"), "--out", many);
});
after(async () => {
  await browser?.close();
  cleanUp();
});

async function drawAll(page) {  // charts are drawn when they come near the screen
  for (let y = 0; y < await page.evaluate(() => document.documentElement.scrollHeight); y += 600) {
    await page.evaluate((to) => scrollTo(0, to), y);
    await page.waitForTimeout(30);
  }
  const [figures, drawn] = [await page.locator("figure").count(), await page.locator("figure .uplot[data-drawn]").count()];
  assert.equal(drawn, figures, "every chart is drawn");
}
const drawnCurves = (page) => page.locator(".uplot").evaluateAll((all) => all.map((u) => Number(u.dataset.drawn)));

test("four curves at most at first, the others by a click, in all charts", async () => {
  const { page, done } = await open(browser, report);
  await drawAll(page);
  const first = await drawnCurves(page);
  assert.ok(first.every((n) => n >= 2 && n <= 4), first.join());
  const legend = page.locator("#series figure").first().locator(".legend-list button");
  assert.equal(await legend.count(), 15);
  const names = await legend.locator("> span:first-of-type").allInnerTexts();
  assert.ok(names.every((name) => !name.startsWith("limit=")), `a common beginning is left out: ${names}`);
  assert.ok(names.includes("none") && names.includes("64 packets"), names.join());
  const pressed = await legend.evaluateAll((all) => all.map((b) => b.getAttribute("aria-pressed") === "true"));
  assert.equal(pressed.filter(Boolean).length, first[0]);
  const { runs } = readJson(many, "result.json");
  const harm = (run) => run.classes.cold.event_latency_peak_ns ?? run.classes.cold.latency_p99_ns;
  const best = runs.reduce((a, b) => (harm(b) < harm(a) ? b : a)).label.replace("limit=", "");
  assert.ok(pressed[names.indexOf("none")] && pressed[names.indexOf(best)], `none and ${best} are drawn`);
  await legend.nth(pressed.indexOf(false)).click();
  assert.deepEqual(await drawnCurves(page), first.map((n) => n + 1), "in every chart");
  await page.locator("#fabric-run").selectOption({ label: "64 packets" });
  assert.equal(await legend.nth(names.indexOf("64 packets")).getAttribute("aria-pressed"), "true", "the chosen one");
  await done();
});

test("axes show the event, and the whole run on request", async () => {
  const { page, done } = await open(browser, report);
  await drawAll(page);
  const range = () => page.locator("#series .uplot").first().evaluate((u) => [Number(u.dataset.from), Number(u.dataset.to)]);
  const begin = 1e-3, end = 4e-3;  // of the incast and of the run
  const [from, to] = await range();
  assert.ok(from > 0 && from <= begin && to > begin && to - from < 0.8 * end, `${from} to ${to} of ${end}`);
  await page.locator("#zoom").click();
  const [first, last] = await range();
  assert.ok(first < from && last > to && last - first > 0.9 * end, `${first} to ${last} of ${end}`);
  await done();
});

test("what is the same in all runs is said once", async () => {
  const { page, done } = await open(browser, report);
  const tables = page.locator("#compare table");
  for (const rows of await tables.evaluateAll((all) => all.map((t) =>
    [...t.querySelectorAll("tbody tr")].map((tr) => [...tr.querySelectorAll("td")].map((td) => td.textContent)))))
    rows[0].forEach((_, column) =>
      assert.ok(new Set(rows.map((row) => row[column])).size > 1, `a column of ${rows[0][column]}`));
  const text = await page.locator("body").innerText();
  for (const [, now, before] of text.matchAll(/([\d.]+ %) instead of ([\d.]+ %)/g)) assert.notEqual(now, before);
  await done();
});

// Everything in it, within its page's width, and nothing that would have to be scrolled.
async function assertFits(page, room) {
  const wide = await page.evaluate((most) => [...document.querySelectorAll("main *")].filter((e) => {
    const box = e.getBoundingClientRect();
    if (box.width === 0 || e.closest("svg") || e.closest(".unseen, .u-over, .u-under")) return false;
    return box.right > document.querySelector("main").getBoundingClientRect().left + most + 1;
  }).map((e) => `${e.tagName}.${e.className} ${e.textContent.slice(0, 40)}`).slice(0, 5), room);
  assert.deepEqual(wide, []);
}

test("prints every chart, every table and every configuration", { timeout: 120000 }, async () => {
  const { page, done } = await open(browser, report, { colorScheme: "dark" });
  await page.locator("#tab-links").click();
  // As it is laid out for paper.
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.waitForTimeout(50);
  assert.equal(await page.locator("figure .uplot[data-drawn]").count(), await page.locator("figure").count());
  assert.equal(await page.locator("details:not([open])").count(), 0, "nothing stays folded");
  await assertFits(page, 700);
  const hidden = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((e) =>
    e.clientHeight > 0 && getComputedStyle(e).overflowY !== "visible" && e.scrollHeight > e.clientHeight + 2
    && !e.closest(".unseen, .uplot, #answer")).map((e) => `${e.tagName}.${e.className}`));
  assert.deepEqual(hidden, [], "nothing would have to be scrolled");
  const [run] = readJson(many, "result.json").runs;
  const titles = await page.locator("#tables h3").allInnerTexts();
  for (const title of ["Hosts (16, by class)", "Links", "Roots", "Ports held back, by root"])
    assert.ok(titles.some((t) => t.startsWith(title)), `${title} in ${titles}`);
  assert.ok(run.congestion.roots.length > 0);
  const roots = page.locator("#table-roots .paper tbody tr");
  assert.equal(await roots.count(), run.congestion.roots.length);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(ground, "rgb(255, 255, 255)", "light on paper");
  const figures = await page.locator("figure").count();
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.ok(await page.locator("details:not([open])").count() > 0, "folded again");
  assert.ok(await page.locator("#table-links").isVisible());
  // As it is printed: the curve of the reference and its line in the legend, for each chart, and the root in the fabric.
  const pdf = await page.pdf({ format: "A4", printBackground: true });
  const text = pdf.toString("latin1");
  let drawn = "", at = 0;
  for (let begin; (begin = text.indexOf("stream\n", at)) >= 0;) {
    const end = text.indexOf("endstream", begin);
    try { drawn += inflateSync(pdf.subarray(begin + 7, end)).toString("latin1"); } catch { /* not deflated */ }
    at = end + 9;
  }
  const strokes = [...drawn.matchAll(/^0 \.447\d* \.698\d* RG/gm)].length;
  assert.equal(strokes, 2 * figures, "the first curve of each chart");
  assert.ok(/^\.70\d* 0 \.176\d* (RG|rg)/m.test(drawn), "the root of the congestion");
  assert.ok([...text.matchAll(/\/Type \/Page\b/g)].length >= 5);
  await done();
});

test("fifteen runs fit a screen of 400 pixels", async () => {
  const { page, done } = await open(browser, report, { viewport: { width: 400, height: 800 } });
  await drawAll(page);
  const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(sizes[0] <= sizes[1], `the page is ${sizes[0]} wide on a screen of ${sizes[1]}`);
  const rows = await page.locator("#ranking tbody tr").evaluateAll((all) => all.map((row) => {
    const { top, bottom, right } = row.getBoundingClientRect();
    return { top, bottom, right };
  }));
  assert.equal(rows.length, 15);
  rows.forEach((row, i) => assert.ok(row.right <= 400 && (i === 0 || row.top >= rows[i - 1].bottom - 1), `row ${i}`));
  const small = await page.evaluate(() => [...document.querySelectorAll("main p, main td, main th, main li, main button")]
    .filter((e) => e.getBoundingClientRect().width > 0 && parseFloat(getComputedStyle(e).fontSize) < 11.5).length);
  assert.equal(small, 0, "nothing is written too small");
  for (const width of await page.locator(".plot").evaluateAll((all) => all.map((p) => p.getBoundingClientRect().width)))
    assert.ok(width >= 300, `a chart of ${width} pixels`);
  await done();
});
