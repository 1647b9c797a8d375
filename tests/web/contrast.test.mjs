// Names in the drawing of the fabric can be read on whatever lies under them: every call that draws is recorded, all 16
// fills of the boxes are played, in light and dark, for every kind of layout, and the contrast is computed.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateSync, inflateSync } from "node:zlib";
import { cleanUp, here, launch, open, scratch, weir } from "./browser.mjs";

const FILLS = 16;
let browser;
before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  cleanUp();
});

// The report of a run whose buffers have fill f (of 15) in frame f, all of them.
async function played(name, ...words) {
  const result = join(scratch, name), begin = 'id="weir-data">';
  await weir("run", ...words, "--set", "measure.frames=64", "--out", result);
  const page = readFileSync(join(result, "report.html"), "utf8");
  const from = page.indexOf(begin) + begin.length, to = page.indexOf("</script>", from);
  const data = JSON.parse(page.slice(from, to)), { frames } = data.runs[0], { ports } = data.fabrics[0];
  assert.ok(frames.count >= FILLS, `${frames.count} frames`);
  const nibbles = inflateSync(Buffer.from(frames.fill.z, "base64"));
  for (let i = 0; i < ports * frames.count; ++i) {
    const fill = (i % frames.count) % FILLS, at = i >> 1;
    nibbles[at] = i % 2 === 0 ? (nibbles[at] & 0xf0) | fill : (nibbles[at] & 0x0f) | (fill << 4);
  }
  frames.fill.z = deflateSync(nibbles).toString("base64");
  const file = join(scratch, `${name}.html`);
  writeFileSync(file, page.slice(0, from) + JSON.stringify(data).replaceAll("<", "\\u003c") + page.slice(to));
  return file;
}

// Notes what the 2D context of the fabric is told: rectangles that are filled, and texts with what clips them.
function record() {
  const proto = CanvasRenderingContext2D.prototype, { fillRect, fillText, rect, clip, beginPath, save, restore } = proto;
  window.drawn = [];
  let path = [], clips = [];  // rectangles, even-odd
  const saved = [], fabric = (c) => c.canvas.id === "fabric-canvas";
  proto.beginPath = function () { path = []; return beginPath.call(this); };
  proto.rect = function (...box) { path.push(box); return rect.apply(this, box); };
  proto.clip = function (rule) { clips = path; return clip.call(this, rule); };
  proto.save = function () { saved.push(clips); return save.call(this); };
  proto.restore = function () { clips = saved.pop() ?? []; return restore.call(this); };
  proto.fillRect = function (...box) {
    if (fabric(this)) window.drawn.push({ box, colour: this.fillStyle });
    return fillRect.apply(this, box);
  };
  proto.fillText = function (text, x, y) {
    if (fabric(this) && this.textBaseline === "middle") {
      const w = this.measureText(text).width;
      window.drawn.push({ text, colour: this.fillStyle, clips, at: [x - w / 2, y - 4, w, 8] });
    }
    return fillText.call(this, text, x, y);
  };
}

const luminance = (colour) => {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

// The lowest contrast of every piece of every name with what was filled under it last, and how many pieces there were.
function lowest(drawn, ground) {
  const inside = ([x, y, w, h], px, py) => px > x && px < x + w && py > y && py < y + h;
  let worst = Infinity, pieces = 0, missing = 0;
  drawn.forEach((one, i) => {
    if (one.text === undefined) return;
    const [x, y, w, h] = one.at;
    for (let px = x + 0.5; px < x + w; ++px)
      for (let py = y + 0.5; py < y + h; ++py) {
        const under = drawn.slice(0, i).findLast((d) => d.box && inside(d.box, px, py))?.colour ?? ground;
        const shown = (text) => text.clips.length === 0 || text.clips.filter((box) => inside(box, px, py)).length % 2 === 1;
        const writers = drawn.filter((d) => d.text === one.text && d.at.join() === one.at.join() && shown(d));
        if (writers.length !== 1) ++missing;
        if (!shown(one)) continue;
        worst = Math.min(worst, contrast(one.colour, under));
        ++pieces;
      }
  });
  return { worst, pieces, missing };
}

const layouts = {
  tree: [join(here, "pulse.toml")],
  stages: [join(here, "pulse.toml"), "--set", "topology.kind=bmin", "--set", "topology.k=4", "--set", "topology.n=2"],
  graph: [join(here, "hostile.toml")],
};
for (const [name, words] of Object.entries(layouts))
  test(`names have a contrast of 4.5 on all fills: ${name}`, { timeout: 120000 }, async () => {
    const file = await played(name, ...words);
    for (const colorScheme of ["light", "dark"]) {
      const { page, done } = await open(browser, file, { colorScheme });
      await page.evaluate(record);
      const ground = await page.locator("#fabric").evaluate((element) => {
        const [r, g, b] = getComputedStyle(element).backgroundColor.match(/\d+/g).map(Number);
        return `#${[r, g, b].map((v) => v.toString(16).padStart(2, "0")).join("")}`;
      });
      const colours = new Set();
      for (let fill = 0; fill < FILLS; ++fill) {
        const drawn = await page.locator("#time").evaluate((slider, frame) => {
          window.drawn = [];
          slider.value = String(frame);
          slider.dispatchEvent(new Event("input"));
          return window.drawn;
        }, fill);
        for (const { box, colour } of drawn) if (box) colours.add(colour);
        const { worst, pieces, missing } = lowest(drawn, ground);
        assert.ok(pieces > 0, `no name is drawn with fill ${fill}`);
        assert.equal(missing, 0, `every pixel of a name is written once, with fill ${fill}`);
        assert.ok(worst >= 4.5, `${colorScheme}, fill ${fill}: contrast ${worst.toFixed(2)}`);
      }
      assert.equal(colours.size, 3, "tank, water and full water were all drawn");
      await done();
    }
  });
