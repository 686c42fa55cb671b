// Makes docs/report.png: the report of a real run of the demo, as a real browser shows it. Run it after a visual change:
// node scripts/build.mjs && node scripts/screenshots.mjs [FOLDER for more pictures: narrow, dark, printed]
import { execFileSync } from "node:child_process";
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
  await opened.close();
  const { size } = statSync(kept);
  process.stdout.write(`docs/report.png, ${Math.round(size / 1024)} kB\n`);
  if (size > bytesMax) throw new Error(`docs/report.png is larger than ${bytesMax / 1024} kB`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Keeps this machine's settings out of the picture. */
function reportOfDemo() {
  const dir = join(work, "words");
  const env = { PATH: process.env.PATH, HOME: work, XDG_STATE_HOME: join(work, "state"), LANG: "C.UTF-8" };
  const cli = join(root, "dist", "cli", "main.js");
  execFileSync(process.execPath, [cli, "demo", "--dir", dir], { env, stdio: ["ignore", "ignore", "inherit"] });
  return execFileSync(process.execPath, [cli, "report", "--html"], { cwd: dir, env, encoding: "utf8" }).trim();
}
