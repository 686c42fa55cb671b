// What each step does in the page. Part of the program. A step returns an error message, or null.
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAllowed } from "./network.mjs";

const stepMs = 5000;
const gotoMs = 30_000;

/** @param {Record<string, any>} step */
export function nameOf(step) {
  const [[kind, value] = ["nothing", ""]] = Object.entries(step);
  if (kind === "fill") return `fill ${value.selector}`;
  return `${kind} ${typeof value === "object" ? JSON.stringify(value) : value}`;
}

export async function playStep(page, step, about) {
  const [[kind, value] = ["nothing", ""]] = Object.entries(step);
  const known = Object.hasOwn(steps, kind) ? steps[kind] : null;
  if (known === null) return "this version knows no such step";
  try {
    return (await known(page, value, about)) ?? null;
  } catch (error) {
    // Playwright appends a log of its attempts; the first line is enough.
    return String(error instanceof Error ? error.message : error)
      .split("\n")[0]
      .slice(0, 500);
  }
}

const steps = {
  async goto(page, to, { resolve, allowHosts }) {
    const url = resolve(to);
    if (!isAllowed(url, allowHosts)) return `${url} is neither on this machine nor in allow_hosts`;
    const response = await page.goto(url, { timeout: gotoMs });
    if (response !== null && response.status() >= 400) return `${url} answered ${response.status()}`;
  },
  fill: (page, { selector, value }) => page.fill(selector, value, { timeout: stepMs }),
  click: (page, selector) => page.click(selector, { timeout: stepMs }),
  press: (page, key) =>
    typeof key === "string" ? page.keyboard.press(key) : page.press(key.selector, key.key, { timeout: stepMs }),
  async wait_for(page, selector) {
    await page.waitForSelector(selector, { timeout: gotoMs });
  },
  expect_text(page, wanted) {
    const { selector = "body", text } = typeof wanted === "string" ? { text: wanted } : wanted;
    return soon(async () => {
      const found = page.locator(selector);
      if ((await found.count()) === 0) return `there is no ${selector}`;
      const all = plain((await found.allInnerTexts()).join(" "));
      return all.includes(plain(text)) ? null : `${selector} says ${JSON.stringify(all.slice(0, 200))}`;
    });
  },
  expect_url: (page, wanted, { resolve }) =>
    soon(async () => (page.url() === resolve(wanted) ? null : `it is ${page.url()}`)),
  expect_count: (page, { selector, count }) =>
    soon(async () => {
      const found = await page.locator(selector).count();
      return found === count ? null : `there are ${found}`;
    }),
  async screenshot(page, name, { folder }) {
    await page.screenshot({ path: join(folder, `${name}.png`), timeout: 10_000 });
  },
};

const plain = (text) => text.replace(/\s+/g, " ").trim();

/** Pages take a moment: check again until the condition holds or the time is up. */
async function soon(look) {
  const end = Date.now() + stepMs;
  for (;;) {
    const problem = await look();
    if (problem === null || Date.now() > end) return problem;
    await pause(50);
  }
}
