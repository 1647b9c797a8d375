// The reproduction book: an overview and a page per paper, with every check and figure of the JSON it is made from.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanUp, launch, open, readJson, scratch, weir } from "./browser.mjs";

const book = join(scratch, "book"), markdown = join(scratch, "reproduction.md");
let browser;
before(async () => {
  browser = await launch();
  await weir("reproduce", "theory", "zdornov2009/fig-1.1", "--quick", "--report", "--out", book, "--markdown", markdown);
});
after(async () => {
  await browser?.close();
  cleanUp();
});

test("the overview counts verdicts and leads to the papers", async () => {
  const { entries } = readJson(book, "reproduction.json");
  const { page, done } = await open(browser, join(book, "index.html"));
  const papers = [...new Set(entries.map((entry) => entry.id.split("/")[0]))];
  const rows = page.locator("#papers-table tbody tr");
  assert.equal(await rows.count(), papers.length);
  for (const [i, paper] of papers.entries()) {
    const reached = entries.filter((entry) => entry.id.startsWith(`${paper}/`)).flatMap((entry) => entry.checks)
      .filter((check) => check.verdict === "reached").length;
    assert.equal(await rows.nth(i).locator("td").nth(1).innerText(), String(reached));
    assert.equal(await rows.nth(i).locator("a").getAttribute("href"), `${paper}.html`);
  }
  await done();
});

test("every entry shows its checks, figures and reasons", async () => {
  const { entries } = readJson(book, "reproduction.json");
  for (const paper of new Set(entries.map((entry) => entry.id.split("/")[0]))) {
    const { page, done } = await open(browser, join(book, `${paper}.html`));
    for (const entry of entries.filter((e) => e.id.startsWith(`${paper}/`))) {
      const part = page.locator(`[id="${entry.id.replaceAll("/", "-")}"]`);
      await part.scrollIntoViewIfNeeded();
      const text = await part.innerText();
      assert.ok(entry.checks.length > 0, `${entry.id} is empty`);
      for (const check of entry.checks)
        for (const word of [check.what, check.measured, check.verdict, check.reason ?? ""])
          assert.ok(text.includes(word), `${entry.id}: ${word}`);
      for (const check of entry.checks.filter((c) => c.tolerance > 0))
        assert.ok(text.includes(`± ${Number(check.tolerance.toPrecision(4))}`), `${entry.id}: ${check.tolerance}`);
      const reasons = new Set(entry.checks.map((c) => c.reason).filter(Boolean));
      assert.equal(await part.locator(".reasons dd").count(), reasons.size);
      assert.equal(await part.locator("figure").count(), (entry.figures ?? []).length);
      for (const figure of await part.locator("figure").all()) {
        await figure.scrollIntoViewIfNeeded();
        await figure.locator("canvas").first().waitFor();
      }
    }
    await done();
  }
});

test("the Markdown has the same verdicts, and says where, when and how deep", () => {
  const document = readJson(book, "reproduction.json");
  const text = readFileSync(markdown, "utf8");
  assert.ok(text.includes(`| date | ${document.date} |`) && text.includes("| amount of work | quick |"));
  assert.ok(text.includes(`| simulations | ${document.simulations} |`) && document.simulations > 0);
  for (const entry of document.entries) assert.ok(text.includes(`### ${entry.id}`), entry.id);
});
