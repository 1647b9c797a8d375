// What all browser tests need: weir's results, and Debian's Chromium. Every page is watched: a request that leaves it, a
// message on the console or an uncaught error fails the test that opened it.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "..", "..");
const { chromium } = createRequire(join(root, "web", "package.json"))("playwright-core");

export const weirProgram = process.env.WEIR ?? join(root, "build", "check", "weir");
export const scratch = mkdtempSync(join(tmpdir(), "weir-web-"));
export const cleanUp = () => rmSync(scratch, { recursive: true, force: true });

// Runs weir; returns what it printed.
export async function weir(...words) {
  const { stdout } = await promisify(execFile)(weirProgram, words, { cwd: root, maxBuffer: 1 << 26 });
  return stdout;
}
// Starts weir and waits for the address that it prints.
export async function serve(...words) {
  const child = spawn(weirProgram, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  const address = await new Promise((found, failed) => {
    const read = (chunk) => {
      printed += chunk;
      const match = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed);
      if (match) found(match[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", (code) => failed(new Error(`weir ended with ${code}: ${printed}`)));
  });
  return { address, stop: async () => { child.kill("SIGKILL"); await once(child, "exit"); } };
}

export const readJson = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// Opens a file or an address; `done` checks that nothing happened that must not.
export async function open(browser, target, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const url = /^http:/.test(target) ? target : pathToFileURL(target).href;
  const trouble = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") trouble.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const own = url.startsWith("http:") ? request.url().startsWith(new URL(url).origin) : request.url() === url;
    if (!own && !request.url().startsWith("data:") && !request.url().startsWith("blob:"))
      trouble.push(`request: ${request.url()}`);
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForSelector("html[data-ready=yes]", { timeout: 30000 });
  return { page, done: async () => { await context.close(); assert.deepEqual(trouble, []); } };
}

// The page's numbers, formatted as the program prints them, from the JSON result's raw ones.
const unit = (value, units) => {
  if (value === 0) return `0 ${units[0][1]}`;
  const [size, name] = units.filter(([s]) => Math.abs(value) >= 0.9995 * s).at(-1) ?? units[0];
  const x = value / size, magnitude = Math.abs(x);
  return `${x.toFixed(magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2)} ${name}`;
};
export const asTime = (ns) => unit(ns * 1e3, [[1, "ps"], [1e3, "ns"], [1e6, "us"], [1e9, "ms"], [1e12, "s"]]);
export const asRate = (bps) =>
  unit(bps, [[1, "b/s"], [1e3, "kb/s"], [1e6, "Mb/s"], [1e9, "Gb/s"], [1e12, "Tb/s"]]);
