// The report of a sweep in a real browser: means and intervals are those of the result file, best and worst point come
// first, intervals are drawn, the table sorts and filters, failures and markup are text, and weir view serves it.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateSync, inflateSync } from "node:zlib";
import { asRate, asTime, cleanUp, here, launch, open, scratch, serve, weir } from "./browser.mjs";

const scenario = join(here, "sweep.toml"), file = join(scratch, "s.sqlite"), report = join(scratch, "s.html");
const LOAD = "traffic.<u>cold</u>.load";
let browser, statistics;
before(async () => {
  browser = await launch();
  const printed = await weir("sweep", scenario, "--out", file);
  assert.ok(printed.trimEnd().endsWith(`report: ${report}`), "sweep ends by naming the report");
  statistics = JSON.parse(await weir("query", file,
    "SELECT point, item, metric, runs, mean, high - mean AS half FROM statistics WHERE kind = 'class'",
    "--format", "json"));
});
after(async () => {
  await browser?.close();
  cleanUp();
});

const of = (item, metric) => statistics.filter((s) => s.item === item && s.metric === metric);
const cells = (row) => row.locator("td").allInnerTexts();
const rows = (page) => page.locator("#table-points tbody tr");

test("names the best and the worst point of each class, and the key that matters most", async () => {
  const { page, done } = await open(browser, report);
  const order = of("cold", "latency_mean_ns").sort((a, b) => a.mean - b.mean), best = order[0], worst = order.at(-1);
  const sentences = await page.locator("#answer .lead, #answer .second").allInnerTexts();
  const lead = sentences.find((text) => text.startsWith("cold: ")) ?? "";
  assert.equal(sentences.length, 2);
  assert.ok(lead.startsWith(`cold: best at ${best.point} (mean latency ${asTime(best.mean)} ±`), lead);
  assert.ok(lead.includes(`worst at ${worst.point} (${asTime(worst.mean)} ±`), lead);
  const effect = (key) => {
    const others = (s) => s.point.split(", ").filter((part) => !part.startsWith(`${key}=`)).join();
    const factors = [...new Set(order.map(others))].map((rest) => {
      const means = order.filter((s) => others(s) === rest).map((s) => s.mean);
      return Math.max(...means) / Math.min(...means);
    });
    return factors.reduce((a, b) => a * b, 1) ** (1 / factors.length);
  };
  const [first] = [LOAD, "link.rate", "scheme.name"].sort((a, b) => effect(b) - effect(a));
  const keys = await page.locator("#keys li", { hasText: "has the largest effect" }).filter({ hasText: "class cold" }).innerText();
  assert.ok(keys.startsWith(`For class cold, ${first} has the largest effect`) && keys.includes(`${effect(first).toFixed(2)}x`), keys);
  await done();
});

test("the table holds every mean and interval of the result file", async () => {
  const { page, done } = await open(browser, report);
  const titles = await page.locator("#table-points thead th").allInnerTexts();
  assert.deepEqual(titles.slice(0, 5), [LOAD, "link.rate", "scheme.name", "class", "runs"]);
  assert.equal(await rows(page).count(), 3 * 2 * 2 * 2);
  for (const row of await rows(page).all()) {
    const shown = await cells(row);
    const point = titles.slice(0, 3).map((key, i) => `${key}=${shown[i]}`).join(", ");
    const expected = (metric, format) => {
      const s = of(shown[3], metric).find((one) => one.point === point);
      assert.ok(s, point);
      assert.equal(shown[4], String(s.runs));
      return `${format(s.mean)} ± ${format(s.half)}`;
    };
    assert.equal(shown[titles.indexOf("throughput")], expected("window_throughput_bps", asRate));
    assert.equal(shown[titles.indexOf("mean latency")], expected("latency_mean_ns", asTime));
    assert.equal(shown[titles.indexOf("p99 latency")], expected("latency_p99_ns", asTime));
  }
  await done();
});

test("the table sorts by number and filters by words, settings and values", async () => {
  const { page, done } = await open(browser, report);
  const table = page.locator("#table-points"), search = table.getByRole("searchbox");
  await table.locator("th button[title='link.rate']").click();
  assert.equal((await cells(rows(page).first()))[1], "8Gbps");
  await table.locator("th button[title='link.rate']").click();
  assert.equal((await cells(rows(page).first()))[1], "10 Gb/s");
  await search.fill(`window ${LOAD}=0.3`);
  assert.equal(await rows(page).count(), 4);
  const limit = of("cold", "latency_mean_ns").map((s) => s.mean).sort((a, b) => a - b)[2];
  await search.fill(`latency_mean_ns<=${limit}`);
  const below = statistics.filter((s) => s.metric === "latency_mean_ns" && s.mean <= limit);
  assert.equal(await rows(page).count(), below.length);
  await search.fill("no such point");
  assert.equal(await rows(page).count(), 0);
  await done();
});

// The same page without its intervals.
function withoutIntervals() {
  const page = readFileSync(report, "utf8"), begin = page.indexOf('id="weir-data">') + 'id="weir-data">'.length;
  const end = page.indexOf("</script>", begin), data = JSON.parse(page.slice(begin, end));
  const points = JSON.parse(inflateSync(Buffer.from(data.points.z, "base64")).toString());
  for (const mean of points.flatMap((point) => point[3].flat())) if (mean) mean[1] = 0;
  const bytes = Buffer.from(JSON.stringify(points));
  data.points = { z: deflateSync(bytes).toString("base64"), n: bytes.length };
  const bare = join(scratch, "bare.html");
  writeFileSync(bare, page.slice(0, begin) + JSON.stringify(data).replaceAll("<", "\\u003c") + page.slice(end));
  return bare;
}

test("a curve per combination of the other keys, each point with the bar of its interval", async () => {
  const look = async (target, options) => {
    const { page, done } = await open(browser, target, options);
    const figure = page.locator("figure", { hasText: `cold: mean latency over ${LOAD}` });
    await figure.scrollIntoViewIfNeeded();
    await figure.locator("canvas").waitFor();
    const found = await figure.evaluate((element) => {
      const canvas = element.querySelector("canvas"), { width, height } = canvas;
      const pixels = canvas.getContext("2d").getImageData(0, 0, width, height).data;
      const coloured = (x, y) => {  // neither grid nor text
        const [r, g, b, alpha] = pixels.subarray(4 * (y * width + x));
        return alpha > 60 && Math.max(r, g, b) - Math.min(r, g, b) > 80;
      };
      let longest = 0;  // line of coloured pixels straight up: curves go sideways
      for (let x = 0; x < width; ++x)
        for (let y = 0, length = 0; y < height; ++y) {
          length = coloured(x, y) ? length + 1 : 0;
          longest = Math.max(longest, length);
        }
      return { longest, bars: Number(element.querySelector(".uplot").dataset.intervals),
        curves: element.querySelectorAll(".legend-list button").length, name: element.querySelector("[role=img]").ariaLabel,
        text: element.querySelector("details").textContent };
    });
    await done();
    return found;
  };
  for (const colorScheme of ["light", "dark"]) {
    const bars = await look(report, { colorScheme }), bare = await look(withoutIntervals(), { colorScheme });
    assert.equal(bars.curves, 4);
    assert.equal(bars.bars, 12);
    assert.ok(bars.longest > 2 * bare.longest, `${bars.longest} pixels straight up with bars, ${bare.longest} without`);
    for (const s of of("cold", "latency_mean_ns"))
      assert.ok(bars.text.includes(`${asTime(s.mean)} ± ${asTime(s.half)}`), `${s.point} as text`);
    assert.ok(bars.name.includes("scheme.name=window: from "), bars.name);
  }
});

test("another key along the charts, one value of the others, words as categories", async () => {
  const { page, done } = await open(browser, report);
  await page.locator("#sweep-x").selectOption({ label: "scheme.name" });
  const figure = page.locator("figure", { hasText: "cold: mean latency over scheme.name" });
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("canvas").waitFor();
  assert.equal(await figure.locator(".uplot").getAttribute("data-intervals"), "12");
  await page.getByLabel(`values of ${LOAD}`).selectOption({ label: "0.6" });
  await figure.scrollIntoViewIfNeeded();
  await figure.locator("canvas").waitFor();
  assert.equal(await figure.locator(".uplot").getAttribute("data-intervals"), "4");
  assert.deepEqual(await figure.locator("details tbody th").evaluateAll((all) => all.map((e) => e.textContent)),
    ["none", "window"]);
  await done();
});

test("keys, values, classes and errors with markup are shown as text; failures are listed", async () => {
  const failing = join(scratch, "failing.sqlite");
  await assert.rejects(weir("sweep", scenario, "--out", failing, "--repetitions", "2",
    "--set", "sweep.traffic.hot.target=[0, 99]"), { code: 1 });
  const errors = JSON.parse(await weir("query", failing, "SELECT label, error FROM failures", "--format", "json"));
  assert.ok(errors.length > 0);
  const { page, done } = await open(browser, join(scratch, "failing.html"));
  const shown = await page.locator("#failures tbody tr").evaluateAll((all) =>
    all.map((row) => ({ label: row.children[0].textContent, error: row.children[1].textContent })));
  const byLabel = (a, b) => (a.label < b.label ? -1 : 1);
  assert.deepEqual(shown.sort(byLabel), errors.sort(byLabel));
  assert.ok((await page.locator("#failures-title").innerText()).startsWith(`${errors.length} runs failed`));
  const text = await page.locator("body").innerText();
  for (const name of ["<img src=x onerror=window.hurt=1>", LOAD, "</script><b>hot</b>"])
    assert.ok(text.includes(name), `${name} should be shown`);
  assert.equal(await page.locator("main img, main b, main u, main script").count(), 0);
  assert.equal(await page.evaluate(() => window.hurt), undefined);
  await done();
});

test("says how to repeat it", async () => {
  const { page, done } = await open(browser, report);
  assert.equal(await page.locator("#command").innerText(), "weir sweep sweep.toml");
  const [{ value }] = JSON.parse(await weir("query", file, "SELECT value FROM sweep_info WHERE key = 'base_hash'",
    "--format", "json"));
  const config = await page.locator("#config").textContent();
  assert.ok(config.includes(value) && config.includes("0.1, 0.3, 0.6") && config.includes("buffer_packets = 4"));
  await done();
});

test("fits a screen of 400 pixels, and everything has a name", async () => {
  const { page, done } = await open(browser, report, { viewport: { width: 400, height: 800 } });
  for (let y = 0; y < 9000; y += 700) {
    await page.evaluate((to) => scrollTo(0, to), y);
    await page.waitForTimeout(30);
  }
  const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(sizes[0] <= sizes[1], `the page is ${sizes[0]} wide on a screen of ${sizes[1]}`);
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [role=img]")]
    .filter((e) => !e.textContent.trim() && !e.getAttribute("aria-label") && !e.closest("label")).length);
  assert.equal(unnamed, 0);
  await done();
});

test("weir view serves the report of a result file, and a newer one", { timeout: 120000 }, async () => {
  const server = await serve("view", file);
  try {
    const { page, done } = await open(browser, server.address);
    assert.equal((await cells(rows(page).first()))[4], "3");
    await weir("sweep", scenario, "--out", file, "--repetitions", "4");
    await page.waitForFunction(() => document.querySelector("#command")?.textContent.includes("--repetitions 4"));
    await page.waitForFunction(() => document.querySelector("#table-points tbody td:nth-child(5)")?.textContent === "4");
    assert.equal((await fetch(`${server.address}s.sqlite`)).status, 404);
    await done();
  } finally {
    await server.stop();
  }
});

test("weir view says what to do where there is no report", async () => {
  const lonely = join(scratch, "lonely.sqlite");
  copyFileSync(file, lonely);
  await assert.rejects(weir("view", lonely), /lonely\.sqlite has no report yet.*run the command of the sweep again/);
  await assert.rejects(weir("view", join(scratch, "nothing.sqlite")), /there is no result with a report/);
});
