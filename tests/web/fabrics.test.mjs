// Every kind of fabric is drawn as what it is: layers with pods or units, a ring of groups, a grid. The drawing's calls
// are recorded: where boxes stand, and what is written.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cleanUp, launch, open, scratch, weir } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  cleanUp();
});

// Opens the report of a short incast on a fabric; `boxes` are the rectangles of the drawing, by name where it has room.
async function drawn(name, topology, more = "", width = 1280) {
  const file = join(scratch, `${name}.toml`), result = join(scratch, `${name}-${width}`);
  writeFileSync(file, `name = "${name}"\n[topology]\n${topology}\n[link]\nrate = "10Gbps"\ndelay = "20ns"\n`
    + `[packet]\npayload = ["1kB"]\n[switch]\nbuffer_packets = 4\nlanes = 2\n`
    + `[[traffic]]\npattern = "incast"\nclass = "hot"\ntarget = 3\nfan_in = 8\nbytes = "20kB"\n`
    + `[run]\nmax_time = "100us"\n${more}`);
  await weir("run", file, "--out", result);
  const { page, done } = await open(browser, join(result, "report.html"), { viewport: { width, height: 900 } });
  const look = () => page.evaluate(async () => {
    const proto = CanvasRenderingContext2D.prototype, { fillText, strokeRect } = proto, texts = [], boxes = [];
    proto.fillText = function (text, x, y) {  // a name over the edge of a level is written in two parts
      if (this.canvas.id === "fabric-canvas" && !texts.some((t) => t.text === text && t.x === x && t.y === y))
        texts.push({ text, x, y });
    };
    proto.strokeRect = function (x, y, w, h) { if (this.canvas.id === "fabric-canvas") boxes.push({ x, y, w, h }); };
    const slider = document.querySelector("#time");
    slider.dispatchEvent(new Event("input"));
    Object.assign(proto, { fillText, strokeRect });
    const { width: w, height: h } = document.querySelector("#fabric-canvas").getBoundingClientRect();
    return { texts, boxes, width: w, height: h };
  });
  const at = (seen, text) => {
    const found = seen.texts.find((t) => t.text === text);
    assert.ok(found, `${text} in ${seen.texts.map((t) => t.text)}`);
    return found;
  };
  return { page, done, look, at, shape: await page.locator("#fabric-canvas").getAttribute("data-shape") };
}

function assertApart(seen) {
  seen.boxes.forEach((a, i) => {
    assert.ok(a.x >= 0 && a.y >= 0 && a.x + a.w <= seen.width && a.y + a.h <= seen.height, "a box lies outside");
    for (const b of seen.boxes.slice(0, i))
      assert.ok(a.x + a.w <= b.x + 0.5 || b.x + b.w <= a.x + 0.5 || a.y + a.h <= b.y + 0.5 || b.y + b.h <= a.y + 0.5,
        `boxes overlap: ${JSON.stringify([a, b])}`);
  });
}

test("a Clos fabric in levels, with its pods; the root is found in it", async () => {
  const { page, done, look, at, shape } = await drawn("clos",
    'kind = "clos"\nhosts = 2\nleaves = 2\npods = 3\nplanes = 2\nspines = 2');
  assert.equal(shape, "tree");
  const seen = await look();
  assertApart(seen);
  assert.ok(at(seen, "S0.0").y < at(seen, "P0.F0").y && at(seen, "P0.F0").y < at(seen, "P0.L0").y, "spines on top");
  assert.equal(at(seen, "P0.L0").y, at(seen, "P2.L1").y);
  assert.ok(at(seen, "pod 0").x < at(seen, "pod 1").x && at(seen, "pod 1").x < at(seen, "P1.L1").x);
  assert.ok(at(seen, "P0.L1").x < at(seen, "pod 1").x, "a pod stands in its own column");
  assert.ok(at(seen, "plane 1"));
  assert.match(await page.locator("#fabric-words").innerText(), /H3/);
  await done();
});

test("a rail-optimised fabric by units and rails", async () => {
  const { done, look, at, shape } = await drawn("rail",
    'kind = "rail-optimised"\naccelerators = 4\nservers = 2\nunits = 2\nspines = 2');
  assert.equal(shape, "tree");
  const seen = await look();
  assertApart(seen);
  // Accelerator 1 of every server of unit 0 (hosts 1 and 5) stands below rail 1 of it.
  for (const host of ["H1", "H5"])
    assert.ok(Math.abs(at(seen, host).x - at(seen, "U0.R1").x) < Math.abs(at(seen, host).x - at(seen, "U0.R0").x), host);
  assert.ok(at(seen, "unit 1") && at(seen, "rails (8)"));
  await done();
});

const rings = {
  dragonfly: ['kind = "dragonfly"', "R0", 9],
  "dragonfly+": ['kind = "dragonfly+"\nleaves = 2\nspines = 2\nhosts = 2\nglobal_ports = 2', "L0", 5],
};
for (const [name, [topology, part, groups]] of Object.entries(rings))
  test(`a ${name} as a ring of groups`, async () => {
    const { done, look, at, shape } = await drawn(name, topology);
    assert.equal(shape, "ring");
    const seen = await look();
    assertApart(seen);
    const x = seen.width / 2, y = seen.height / 2;
    const away = (p) => Math.hypot((p.x - x) / seen.width, (p.y - y) / seen.height);
    for (let g = 0; g < groups; ++g) assert.ok(away(at(seen, `G${g}`)) > 0.3, "names of groups stand outside");
    const switches = seen.texts.filter((t) => t.text === part);
    assert.equal(switches.length, groups, "each group has its own");
    for (const one of switches) assert.ok(away(one) < away(at(seen, "G0")) + 0.2);
    await done();
  });

test("a large dragonfly by groups that open", async () => {
  const { page, done, look } = await drawn("large-dragonfly",
    'kind = "dragonfly"\nrouters = 8\nhosts = 4\nglobal_ports = 4', "[measure]\nframes = 16\n");
  const seen = await look();
  assertApart(seen);
  const boxes = Number(await page.locator("#fabric-canvas").getAttribute("data-boxes"));
  assert.ok(boxes < 120, `${boxes} boxes for 1056 hosts`);
  assert.equal(seen.texts.filter((t) => t.text === "×8").length, 32, "all groups but the one with the root are closed");
  assert.ok(seen.texts.some((t) => t.text === "R0"));
  await page.locator("#close-groups").click();
  assert.equal((await look()).texts.filter((t) => t.text === "×8").length, 33);
  await done();
});

const grids = {
  torus: 'kind = "torus"\nsizes = [5, 4]', mesh: 'kind = "mesh"\nsizes = [5, 4]', hyperx: 'kind = "hyperx"\nsizes = [5, 4]\nhosts = 1',
};
for (const [name, topology] of Object.entries(grids))
  for (const width of [1280, 400])
    test(`a ${name} as a grid, ${width} pixels wide`, async () => {
      const { done, look, at, shape } = await drawn(name, topology, "", width);
      assert.equal(shape, "grid");
      const seen = await look();
      assertApart(seen);
      assert.equal(seen.boxes.length, 40, "20 switches with a host each");
      if (width === 400) return done();
      assert.equal(at(seen, "S0.1").y, at(seen, "S4.1").y);
      assert.equal(at(seen, "S2.0").x, at(seen, "S2.3").x);
      assert.ok(at(seen, "S1.0").x > at(seen, "S0.0").x && at(seen, "S0.1").y > at(seen, "S0.0").y);
      await done();
    });

test("three dimensions as planes, and a failed cable moves nothing", async () => {
  const three = 'kind = "torus"\nsizes = [3, 3, 3]';
  const whole = await drawn("whole", three), seen = await whole.look();
  assertApart(seen);
  assert.ok(whole.at(seen, "plane 2").x !== whole.at(seen, "plane 0").x || whole.at(seen, "plane 2").y > whole.at(seen, "plane 0").y);
  assert.match(await whole.page.locator("#box-detail").innerText(), /leads to the opposite edge, to another plane/);
  await whole.done();
  const failed = await drawn("failed", three, "[failures]\nfailed = [\"S0.0.0 - S1.0.0\"]\n");
  assert.equal(failed.shape, "grid");
  assert.deepEqual((await failed.look()).boxes, seen.boxes);
  await failed.done();
});

test("a large torus by blocks; an opened block is shown alone", async () => {
  const { page, done, look } = await drawn("large-torus", 'kind = "torus"\nsizes = [24, 24, 4]\nhosts = 1',
    "[measure]\nframes = 16\n");
  const seen = await look();
  assertApart(seen);
  assert.ok(seen.boxes.length < 1300, `${seen.boxes.length} boxes for 2304 switches`);
  const canvas = page.locator("#fabric-canvas");
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  const group = await page.locator("#box-detail h3").innerText();
  await page.keyboard.press("Enter");
  const size = Number(/\((\d+)\)/.exec(group)[1]);
  assert.equal(Number(await canvas.getAttribute("data-boxes")), 2 * size, `${group} alone, with its hosts`);
  await page.locator("#close-groups").click();
  assert.equal((await look()).boxes.length, seen.boxes.length);
  await done();
});
