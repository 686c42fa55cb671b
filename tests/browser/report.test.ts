// report.html in a real browser: it loads nothing, runs nothing and never overflows, regardless of what an agent wrote.
import * as fs from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles, tamper } from "../support/sample.ts";

const browser =
  ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
    .flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`])
    .find((path) => fs.existsSync(path)) ?? null;
if (browser === null) process.stderr.write("report: these tests are skipped, because no Chromium was found here\n");

const attack = `</script></style></title><script>window.pwned=1</script><img src=x onerror="window.pwned=2"><svg onload="window.pwned=3">`;
const hostile = `${attack}\u202eevil\u202c \u001b[31mred\u001b[0m {{x}} \${y} <!-- ${"unbroken".repeat(40)}`;

/** All text from outside is hostile: request, names, criteria, the agent's question, its file names. */
const files = sampleFiles(
  [
    builder("F001", 1, lie),
    builder("F001", 2, [...right("F001").slice(0, -1), { do: "reply", reply: { status: "done", summary: hostile } }]),
    builder("F002", 1, tamper("F002")),
    builder("F002", 2, right("F002")),
    builder("F003", 1, [
      {
        do: "reply",
        reply: { status: "question", summary: hostile, question: { text: hostile, best_supposition: hostile } },
      },
    ]),
    evaluator,
  ],
  [
    feature("F001", { name: hostile.slice(0, 280), description: hostile }),
    feature("F002", { priority: 2 }),
    feature("F003", { priority: 3, acceptance_criteria: [hostile] }),
  ],
);

describe.skipIf(browser === null)("the report in a browser", () => {
  let project: Project;
  let opened: BrowserContext;
  let page: Page;
  const errors: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    project = new Project(files);
    const { code, stdout } = await project.loop("run");
    expect(code, stdout).toBe(6);
    const { stdout: path } = await project.loop("report", "--html");
    opened = await chromium.launchPersistentContext(join(project.dir, "profile"), {
      executablePath: browser ?? "",
      chromiumSandbox: process.getuid?.() !== 0,
      env: project.env,
      args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    });
    page = opened.pages()[0] ?? (await opened.newPage());
    page.on("console", (message) => void errors.push(message.text()));
    page.on("pageerror", (error) => void errors.push(error.message));
    page.on("request", (request) => void requests.push(request.url()));
    await page.goto(pathToFileURL(path.trim()).href);
  }, 120_000);

  afterAll(async () => {
    await opened?.close();
    project?.remove();
  });

  test("loads only itself, without errors", () => {
    expect(requests).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test("runs no text from outside as code, and shows it", async () => {
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(await page.locator("script, img, iframe, object, form, link, [onload], [onerror]").count()).toBe(0);
    const text = await page.locator("body").textContent();
    expect(text).toContain("<script>window.pwned=1</script>");
    expect(text).toContain("⟨U+202E⟩evil");
    expect(text).not.toMatch(/[\u202a-\u202e\u001b]/);
    expect(await page.title()).toBe("RESEARCH · Waits for you: 2 of 3 features complete");
  });

  test.each([375, 768, 1400])("does not overflow at %i pixels", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const [content, window] = (await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")) as number[];
    expect(content).toBeLessThanOrEqual(window ?? 0);
  });

  test.each(["light", "dark"] as const)("has enough contrast in the %s", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(faint)).toEqual([]);
  });

  test("can be navigated with a screen reader: landmarks, headings in order, named regions, table headers", async () => {
    for (const landmark of ["banner", "main", "contentinfo"] as const)
      expect(await page.getByRole(landmark).count()).toBe(1);
    const levels = (await page.evaluate(
      "[...document.querySelectorAll('h1,h2,h3,h4')].map((h) => Number(h.tagName[1]))",
    )) as number[];
    expect(levels[0]).toBe(1);
    for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
    expect(await page.locator("svg:not([aria-hidden]):not([aria-label])").count()).toBe(0);
    expect(await page.locator("table:not(:has(th[scope]))").count()).toBe(0);
    expect(await page.evaluate(twice)).toEqual([]);
  });

  test("says what to do, in commands that can be copied whole", async () => {
    const commands = await page.locator("code.copy").allInnerTexts();
    expect(commands).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^loop prove --run \S+ F001$/),
        expect.stringMatching(/^loop recover q\d+/),
      ]),
    );
    expect(commands.filter((command) => command.startsWith("git show "))).not.toEqual([]);
    expect(await page.locator("#inbox ~ article").textContent()).toMatch(/Root cause:[\s\S]*Next: loop answer F003/);
  });
});

/** Duplicate ids, which would make a label name the wrong element. */
const twice = `[...document.querySelectorAll("[id]")].map((e) => e.id).filter((id, at, all) => all.indexOf(id) !== at)`;

/** Text with a contrast below 4.5 to 1. */
const faint = `(() => {
  const light = (c) => { const v = c.map((x) => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; }); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
  const found = [];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || e.closest("svg")) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color).slice(0, 3)), light(behind(e))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) found.push(e.tagName + " " + e.className + " " + ((a + .05) / (b + .05)).toFixed(1));
  }
  return [...new Set(found)];
})()`;
