// The pages in a real browser: every state, light and dark, on a phone and on a desk.
import * as fs from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, overhang, program, violations } from "./browser.ts";
import { States, stateNames } from "./states.ts";

/** Where pictures go, to be looked at by a person. */
const pictures = process.env["LOOP_PICTURES"];

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

  test.each(["home", ...stateNames] as const)(
    "%s: no barrier, nothing sideways, no error",
    { timeout: 180_000 },
    async (name) => {
      const page = await browser.tab(states.served, name === "home" ? "/" : await states.path(name));
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
    for (const path of ["/", await states.path("question"), await states.path("permission")]) {
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
});
