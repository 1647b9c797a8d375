// `weir view` and `weir run --live`: the same page from a server on this machine, which follows what happens and offers
// nothing else.
import assert from "node:assert/strict";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanUp, here, launch, open, readJson, scratch, serve, weir } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  cleanUp();
});

const ask = (address, path, host) => new Promise((found, failed) => {
  const { port } = new URL(address);
  request({ host: "127.0.0.1", port, path, headers: host ? { Host: host } : {} }, (response) => {
    let text = "";
    response.on("data", (chunk) => { text += chunk; });
    response.on("end", () => found({ status: response.statusCode, text }));
  }).on("error", failed).end();
});

test("weir view shows a result, and a newer one when there is one", { timeout: 120000 }, async () => {
  const result = join(scratch, "viewed");
  await weir("run", join(here, "pulse.toml"), "--out", result);
  const server = await serve("view", result);
  try {
    const { page, done } = await open(browser, server.address);
    const shown = () => page.locator("#config").textContent();
    assert.ok((await shown()).includes(readJson(result, "result.json").config_hash));
    await weir("run", join(here, "pulse.toml"), "--set", "seed=2", "--out", result);
    const { config_hash } = readJson(result, "result.json");
    await page.waitForFunction((hash) => document.querySelector("#config")?.textContent.includes(hash), config_hash);
    await done();
    assert.equal((await ask(server.address, "/classes.csv")).status, 200);
    assert.equal((await ask(server.address, "/no-such-file")).status, 404);
    assert.equal((await ask(server.address, "/../../etc/passwd")).status, 404);
    assert.equal((await ask(server.address, "/%2e%2e%2fpulse.toml")).status, 404);
    assert.equal((await ask(server.address, "/", "evil.example")).status, 403);
  } finally {
    await server.stop();
  }
});

test("weir run --live follows the run to its end, and the result is that of any run", { timeout: 300000 }, async () => {
  const plain = join(scratch, "plain"), live = join(scratch, "live");
  const endOf = async (page) => {
    await page.waitForFunction(() => document.querySelector("#clock").textContent);  // moments are unpacked later
    await page.locator("#time").focus();
    await page.keyboard.press("End");
    return page.locator("#clock").textContent();
  };
  const server = await serve("run", join(here, "large.toml"), "--live", "--out", live);
  let end;
  try {
    const { page, done } = await open(browser, server.address);
    await page.waitForSelector("#answer", { timeout: 120000 });  // of a run that goes on, unless it was faster than we
    const first = await page.evaluate(() =>  // at one moment: the end may come at any time
      (document.querySelector("#running") ? document.querySelector("#clock").textContent : null));
    await page.waitForFunction(() => document.querySelector("#answer") && !document.querySelector("#running"), null,
      { timeout: 240000 });
    end = await endOf(page);
    assert.notEqual(end, first);
    await done();
  } finally {
    await server.stop();
  }
  await weir("run", join(here, "large.toml"), "--out", plain);
  assert.deepEqual(readJson(live, "result.json"), readJson(plain, "result.json"));
  const { page, done } = await open(browser, join(plain, "report.html"));
  assert.equal(await endOf(page), end);
  await done();
});
