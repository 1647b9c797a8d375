// The page of `weir diagnose`: two dumps of counters in, roots and what they hold back out, with the fabric drawn.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanUp, launch, open, scratch, weir } from "./browser.mjs";

let browser, printed, calm;
const at = (name) => join(scratch, name), report = at("diagnosis.html");

// Two leaves and a spine, 100 Gb/s; one host has a name that is markup.
const FABRIC = `Switch 4 "S-00000000000000a1" # "leaf1" enhanced port 0 lid 11 lmc 0
[1] "H-00000000000000c1"[1](c11) # "<b>n1</b>" lid 1 4xEDR
[2] "H-00000000000000c2"[1](c21) # "n2" lid 2 4xEDR
[3] "S-00000000000000b1"[1] # "spine" lid 13 4xEDR
Switch 4 "S-00000000000000a2" # "leaf2" enhanced port 0 lid 12 lmc 0
[1] "H-00000000000000c3"[1](c31) # "n3" lid 3 4xEDR
[2] "H-00000000000000c4"[1](c41) # "n4" lid 4 4xEDR
[3] "S-00000000000000b1"[3] # "spine" lid 13 4xEDR
Switch 4 "S-00000000000000b1" # "spine" enhanced port 0 lid 13 lmc 0
`;
// After a second: Gb/s sent, and the share of the time that the port waited.
const counters = (lid, port, gigabits, waiting) => `# Port extended counters: Lid ${lid} port ${port} (CapMask: 0x5300 CapMask2: 0x0000002)
PortSelect:......................${port}
PortXmitData:....................${Math.round((gigabits * 1e9) / 32)}
PortRcvData:.....................0
PortXmitWait:....................${Math.round((waiting * 100e9) / 64)}
`;
const PORTS = [[11, 3], [13, 3], [12, 1], [12, 2]];

before(async () => {
  browser = await launch();
  writeFileSync(at("net.topo"), FABRIC);
  writeFileSync(at("before.txt"), PORTS.map(([lid, port]) => counters(lid, port, 0, 0)).join(""));
  // leaf2's port to n3 is full; the spine and leaf1 wait for leaf2.
  writeFileSync(at("after.txt"), counters(11, 3, 60, 0.4) + counters(13, 3, 60, 0.4) + counters(12, 1, 99, 0) + counters(12, 2, 5, 0));
  writeFileSync(at("calm.txt"), PORTS.map(([lid, port]) => counters(lid, port, 20, 0.01)).join(""));
  const diagnose = (second, ...more) =>
    weir("diagnose", at("net.topo"), at("before.txt"), at(second), "--seconds", "1", ...more);
  printed = await diagnose("after.txt", "--report", report, "--json", at("answer.json"));
  calm = await diagnose("calm.txt", "--report", at("calm.html"));
});
after(async () => {
  await browser?.close();
  cleanUp();
});

const rows = (page, id) => page.locator(`#table-${id} tbody tr`).evaluateAll((all) =>
  all.map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent)));

test("names the root, what it holds back, and what comes to its switch", async () => {
  const { page, done } = await open(browser, report);
  const [root] = JSON.parse(readFileSync(at("answer.json"), "utf8")).roots;
  const first = printed.slice(0, printed.search(/\n\d+ ports read /)).replaceAll("\n", " ");
  const lead = await page.locator("#headline").innerText();
  assert.equal(lead.toLowerCase(), first.toLowerCase(), "the terminal's first sentence");
  const cards = await page.locator(".card .value").allInnerTexts();
  assert.deepEqual(cards, ["leaf2:1 → n3", "99.0 Gb/s", "2 switch ports"]);
  assert.deepEqual(root.held_back.map((port) => [port.name, port.host]), [["leaf1:3", false], ["spine:3", false]]);
  assert.match(await page.locator("#unknown").innerText(), /counters do not tell which/);
  assert.deepEqual(await rows(page, "roots"), [["leaf2:1", "n3", "99.0 %", "99.0 Gb/s", "2"]]);
  assert.deepEqual(await rows(page, "held_back"), [["leaf1:3", "spine", "leaf2:1", "60.0 %", "40.0 %", "60.0 Gb/s", "40.0 Gb/s"],
    ["spine:3", "leaf2", "leaf2:1", "60.0 %", "40.0 %", "60.0 Gb/s", "40.0 Gb/s"]]);
  assert.deepEqual((await rows(page, "inputs"))[0], ["spine:3", "leaf2:1", "60.0 Gb/s", "40.0 %"]);
  const advice = await page.locator(".advice").innerText();
  assert.match(advice, /more is sent there than its link can carry/);
  assert.match(advice, /weir manage/);
  assert.equal(await page.locator("#command").innerText(), "weir diagnose net.topo before.txt after.txt --seconds 1");
  await done();
});

test("draws the fabric with its ports coloured, and can be looked into", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const { page, done } = await open(browser, report, { colorScheme });
    const fabric = page.locator("#fabric"), canvas = page.locator("#fabric-canvas");
    assert.equal(await fabric.getAttribute("data-roots"), "1");
    assert.equal(await fabric.getAttribute("data-victims"), "2");
    assert.match(await page.locator("#fabric-words").innerText(), /leaf2:1 → n3/);
    await canvas.scrollIntoViewIfNeeded();
    await page.waitForTimeout(100);
    const near = await canvas.evaluate((element) => {  // pixels of the colours of root and victim
      const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      const pixels = element.getContext("2d").getImageData(0, 0, element.width, element.height).data;
      const count = (colour) => {
        const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
        let n = 0;
        for (let i = 0; i < pixels.length; i += 4)
          n += Math.abs(pixels[i] - r) + Math.abs(pixels[i + 1] - g) + Math.abs(pixels[i + 2] - b) < 12 && pixels[i + 3] > 200;
        return n;
      };
      return { root: count(css("--root")), victim: count(css("--victim")) };
    });
    assert.ok(near.root > 60 && near.victim > 60, JSON.stringify(near));
    await canvas.focus();
    await page.keyboard.press("ArrowRight");
    assert.ok((await page.locator("#box-detail table").innerText()).includes("held back"));
    await done();
  }
});

test("says so when there is no congestion", async () => {
  const { page, done } = await open(browser, at("calm.html"));
  assert.match(calm, /no link is the root of congestion/);
  assert.match(await page.locator("#headline").innerText(), /^No link is the root of congestion/);
  assert.equal(await page.locator("#table-roots").count(), 0);
  assert.equal(await page.locator(".advice").count(), 0);
  await done();
});

test("shows markup in names as text, fits 400 pixels, and prints", async () => {
  const { page, done } = await open(browser, report, { viewport: { width: 400, height: 800 } });
  assert.equal(await page.locator("main b").count(), 0);
  const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(sizes[0] <= sizes[1], `the page is ${sizes[0]} wide on a screen of ${sizes[1]}`);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator(".paper table").count(), 3);
  assert.ok((await page.locator(".paper").allInnerTexts()).join().includes("leaf2:1"));
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 5000);
  await done();
});
