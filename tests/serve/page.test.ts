// The pages in a real browser: every state, light and dark, on a phone and on a desk.
import * as fs from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Project } from "../support/project.ts";
import { Browser, overhang, program, violations } from "./browser.ts";
import { Served } from "./served.ts";
import { type StateName, States, stateNames } from "./states.ts";

/** Where pictures go, to be looked at by a person. */
const pictures = process.env["LOOP_PICTURES"];

const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [360, 1280].map((width) => ({ colorScheme, width })),
);

async function sound(page: Page, name: string): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect.soft([name, width, await overhang(page)]).toEqual([name, width, 0]);
    expect.soft(await violations(page), `${name}, ${colorScheme}, ${width}`).toEqual([]);
    if (pictures !== undefined) {
      fs.mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
}

/** By which a state is known: one that is no longer reached must not pass. */
const shows: Readonly<Record<"home" | StateName, string>> = {
  home: "Waits for you",
  empty: "Waits for you",
  G1: "Approve before anything is built?",
  G2: "Approve this iteration?",
  G3: "Approve the result?",
  question: "Without an answer, the agent would:",
  unproved: "could not be proved",
  contradiction: "rewrote protected tests",
  failed: "not done",
  permission: "asks to change protected tests",
  running: "builder at work",
  paused: "Paused: 0 of 1 feature complete",
  interrupted: "Interrupted: 0 of 1 feature complete",
  cancelled: "Cancelled: 0 of 1 feature complete",
  capped: "Resting at a cap",
  done: "Done: 2 of 2 features complete",
};

describe.skipIf(program === null)("the pages in a browser", () => {
  let states: States;
  let browser: Browser;

  beforeAll(async () => {
    states = await States.make();
    browser = await Browser.open(states.home);
  }, 600_000);

  afterAll(async () => {
    await browser?.close();
    await states?.remove();
  });

  test.each(["home", ...stateNames] as const)(
    "%s: no barrier, nothing sideways, no error",
    { timeout: 180_000 },
    async (name) => {
      const page = await browser.tab(states.served, name === "home" ? "/" : await states.path(name));
      expect(await page.locator("main").textContent()).toContain(shows[name]);
      // Each one that is opened leaves the list; one inside of another comes after it.
      const closed = page.locator("details:not([open]) > summary");
      for (let left = await closed.count(); left > 0; left--) await closed.first().click();
      await sound(page, name);
      expect(page.url()).not.toContain("token");
      expect(await page.evaluate("window.pwned")).toBeUndefined();
      expect(browser.troubles).toEqual([]);
      await page.close();
    },
  );

  test("text from agents and repositories is shown, and never runs", { timeout: 60_000 }, async () => {
    const names = ["question", "permission"] as const;
    for (const path of ["/", ...(await Promise.all(names.map((name) => states.path(name))))]) {
      const page = await browser.tab(states.served, path);
      expect(await page.locator("main script, img, iframe, object, [onload], [onerror], [onfocus]").count()).toBe(0);
      const text = (await page.locator("body").textContent()) ?? "";
      expect(text).toContain("<script>window.pwned=1</script>");
      expect(text).toContain("⟨U+202E⟩evil");
      expect(text).not.toMatch(/[\u202a-\u202e\u001b]/);
      expect(await page.evaluate("window.pwned")).toBeUndefined();
      await page.close();
    }
    expect(browser.troubles).toEqual([]);
  });

  test.each([
    ["G1", "dl.terms"],
    ["unproved", ".diff summary"],
    ["unproved", ".diff pre"],
    ["unproved", "#log"],
    ["question", "#features ~ * .name, .rows .name"],
  ] as const)("what is hostile in %s, %s is text", { timeout: 60_000 }, async (name, where) => {
    const page = await browser.tab(states.served, await states.path(name));
    const texts = await page.locator(where).allTextContents();
    expect(texts.join("\n")).toContain("<script>window.pwned=1<");
    expect(await page.locator("main script, img, [onload], [onerror], [onfocus]").count()).toBe(0);
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    await page.close();
  });
});

describe.skipIf(program === null)("the page before there is a run", () => {
  test.each([
    ["no workspace", false, "No workspace is registered yet."],
    ["a workspace without a run", true, "No run yet in project."],
  ])("%s: says what to do, without a barrier", { timeout: 180_000 }, async (title, isAdded, says) => {
    const project = new Project({ "loop.yaml": "version: 1\n" });
    if (isAdded) expect((await project.loop("serve", "--add", project.root)).code).toBe(0);
    const served = await Served.start(project);
    const browser = await Browser.open(project);
    try {
      const page = await browser.tab(served);
      expect(await page.locator("main").textContent()).toContain(says);
      expect(await page.getByRole("searchbox").count()).toBe(0);
      await sound(page, title.replaceAll(" ", "-"));
      expect(browser.troubles).toEqual([]);
    } finally {
      await browser.close();
      await served.stop();
      project.remove();
    }
  });
});
