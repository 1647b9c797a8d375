// Photographs a report: the first screen, the fabric at its worst moment in light and dark, and the curves.
// usage: node tools/screenshots.mjs REPORT DRAGONFLY DIRECTORY
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(join(root, "web", "package.json"))("playwright-core");
const [report, dragonfly, directory] = process.argv.slice(2);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

async function shot(name, options, prepare, file = report) {
  const page = await (await browser.newContext({ deviceScaleFactor: 1, ...options })).newPage();
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForSelector("html[data-ready=yes]");
  const clip = await prepare?.(page);
  await page.waitForTimeout(400);
  await (clip ?? page).screenshot({ path: join(directory, name) });
  await page.context().close();
  console.log(join(directory, name));
}

const wide = { viewport: { width: 1240, height: 900 } };
const section = (id) => async (page) => {
  await page.locator(id).scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  return page.locator(id);
};
await shot("report-answer.png", wide);
await shot("report-fabric.png", wide, section("#fabric"));
await shot("report-series.png", wide, section("#series"));
await shot("report-dark.png", { ...wide, colorScheme: "dark" }, section("#fabric"));
await shot("report-dragonfly.png", wide, section("#fabric"), dragonfly);
await browser.close();
