// Makes docs/report.png, docs/page.png and docs/page-phone.png: the report of a real run of the demo, and the page of
// `loop serve` while one works, as a real browser shows them. Run it after a visual change:
// node scripts/build.mjs && node scripts/screenshots.mjs [FOLDER for more pictures: narrow, dark, printed]
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const root = fileURLToPath(new URL("..", import.meta.url));
const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (browser === undefined) {
  process.stderr.write("No picture was made: there is no Chromium in /usr/bin. Install one, then run this again.\n");
  process.exit(1);
}
const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const args = [...quiet, "--disable-component-update", "--disable-sync", "--disable-lcd-text"];
const bytesMax = 300 * 1024;

const work = mkdtempSync(join(tmpdir(), "loop-pictures-"));
try {
  const page = pathToFileURL(reportOfDemo());
  const opened = await chromium.launchPersistentContext(join(work, "profile"), {
    executablePath: browser,
    chromiumSandbox: process.getuid?.() !== 0,
    args,
  });
  const [tab] = opened.pages();
  await tab.goto(page.href);
  const shoot = async (path, { width, height, scheme }) => {
    await tab.emulateMedia({ colorScheme: scheme });
    await tab.setViewportSize({ width, height: height ?? 900 });
    await tab.screenshot({ path, fullPage: height === undefined });
  };
  const kept = join(root, "docs", "report.png");
  await shoot(kept, { width: 1200, height: 1640, scheme: "light" });
  const more = process.argv[2];
  if (more !== undefined) {
    mkdirSync(more, { recursive: true });
    await shoot(join(more, "wide.png"), { width: 1400, scheme: "light" });
    await shoot(join(more, "dark.png"), { width: 1200, scheme: "dark" });
    await shoot(join(more, "narrow.png"), { width: 375, scheme: "light" });
    await tab.emulateMedia({ media: "print", colorScheme: "light" });
    await tab.pdf({ path: join(more, "printed.pdf"), format: "A4" });
  }
  await whileItWorks(async (address) => {
    await tab.goto(address);
    await tab.locator('a[href*="/runs/"]').first().click();
    await tab.locator("#timeline").waitFor();
    await shoot(join(root, "docs", "page.png"), { width: 1200, height: 1100, scheme: "light" });
    await shoot(join(root, "docs", "page-phone.png"), { width: 360, height: 780, scheme: "dark" });
  });
  await opened.close();
  for (const name of ["report.png", "page.png", "page-phone.png"]) {
    const { size } = statSync(join(root, "docs", name));
    process.stdout.write(`docs/${name}, ${Math.round(size / 1024)} kB\n`);
    if (size > bytesMax) throw new Error(`docs/${name} is larger than ${bytesMax / 1024} kB`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Calls back with the page's address when the third feature is at work. */
async function whileItWorks(callBack) {
  const { cli, env } = started();
  const child = spawn(process.execPath, [cli, "demo", "--browser", "--dir", join(work, "library")], { env });
  let said = "";
  let seen = null;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
      const address = /http:\/\/\S+#token=\S+/.exec(said)?.[0];
      if (address !== undefined && /^F003 /m.test(said)) seen ??= callBack(address);
    });
  const closed = new Promise((resolve) => child.on("close", resolve));
  while (seen === null && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 100));
  if (seen === null) throw new Error(`the demo named no page:\n${said}`);
  await seen;
  // The first ends the run, the next one the page.
  child.kill("SIGINT");
  const again = setInterval(() => child.kill("SIGINT"), 2000);
  await closed;
  clearInterval(again);
}

/** Keeps this machine's settings out of the picture. */
function started() {
  const env = { PATH: process.env.PATH, HOME: work, XDG_STATE_HOME: join(work, "state"), LANG: "C.UTF-8" };
  return { env, cli: join(root, "dist", "cli", "main.js") };
}

function reportOfDemo() {
  const dir = join(work, "words");
  const { cli, env } = started();
  execFileSync(process.execPath, [cli, "demo", "--dir", dir], { env, stdio: ["ignore", "ignore", "inherit"] });
  return execFileSync(process.execPath, [cli, "report", "--html"], { cwd: dir, env, encoding: "utf8" }).trim();
}
