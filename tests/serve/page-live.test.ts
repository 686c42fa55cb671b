// A page while things change: answers from several places, and a server that is killed again and again.
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { until } from "../support/project.ts";
import { builder, evaluator, feature, lie, right, sampleFiles } from "../support/sample.ts";
import { Browser, program } from "./browser.ts";
import { States } from "./states.ts";

describe.skipIf(program === null)("a page while things change", () => {
  let states: States | null = null;
  let browser: Browser | null = null;
  afterEach(async () => {
    await browser?.close();
    await states?.remove();
    [states, browser] = [null, null];
  }, 120_000);

  async function opened(...args: Parameters<typeof States.make>): Promise<{ of: States; tabs: Browser }> {
    states = await States.make(...args);
    browser = await Browser.open(states.home);
    return { of: states, tabs: browser };
  }

  test("a gate is rejected and another approved with the keyboard alone", { timeout: 600_000 }, async () => {
    const { of, tabs } = await opened(["G2", "G3"]);
    const page = await tabs.tab(of.served, await of.path("G2"));
    await tabTo(page, /^Approve/);
    await page.keyboard.press("Enter");
    await page.getByText("Approved.").waitFor();
    await page.locator(".state.good", { hasText: "done" }).first().waitFor({ timeout: 120_000 });
    expect(of.of("G2").git("log", "--format=%s")).toContain("F001");

    const other = await tabs.tab(of.served, await of.path("G3"));
    await tabTo(other, /^Reject…/);
    await other.keyboard.press("Enter");
    await tabTo(other, /^$/, "TEXTAREA");
    await other.keyboard.type("Not like that.");
    await tabTo(other, /^Reject/, "BUTTON");
    await other.keyboard.press("Enter");
    await other.getByText("Rejected.").waitFor();
    expect(tabs.troubles).toEqual([]);
  });

  test("of two tabs and a terminal, the first wins, and the others are told", { timeout: 600_000 }, async () => {
    const { of, tabs } = await opened(["G2"]);
    const path = await of.path("G2");
    const [one, other] = [await tabs.tab(of.served, path), await tabs.tab(of.served, path)];
    await one.locator("details.no > summary").first().click();
    await one.locator("textarea").fill("No.");
    const asked = await one.locator("article.ask").first().getAttribute("id");
    // The buttons are pressed before a faster answer can take them away. The terminal resumes the run if it is first.
    const pressed = (page: Page, button: string) => page.evaluate(`document.querySelector("${button}").click()`);
    const answers = [of.loop("G2", "approve"), pressed(one, "button.grave"), pressed(other, "button.first")];
    await Promise.all(answers.slice(1));
    const said = await Promise.all(
      [one, other].map(async (page) => {
        // What the run does by itself is announced there, too.
        const told = page.locator("#said", { hasText: /(?:Approved|Rejected)\.|Nothing was answered|No longer waits/ });
        await told.waitFor({ state: "attached", timeout: 60_000 });
        return (await told.textContent()) ?? "";
      }),
    );
    const first = of.home.events().find(({ type }) => type === "approved" || type === "rejected")?.type;
    for (const text of said) {
      if (text.includes("Approved.")) expect(first).toBe("approved");
      if (text.includes("Rejected.")) expect(first).toBe("rejected");
    }
    // The terminal's answer is a yes: it was the first, the same as the first, or refused.
    if (first === "rejected") expect(said[0]).toContain("Rejected.");
    await answers[0];
    // After a rejection the run builds again, and may wait at another gate.
    for (const page of [one, other]) await page.locator(`#${asked}`).waitFor({ state: "detached", timeout: 120_000 });
  });

  test("of two tabs that answer at the same moment, one is told the other's answer and keeps its text", {
    timeout: 600_000,
  }, async () => {
    const asks = builder("F001", 1, [
      { do: "reply", reply: { status: "question", summary: "x", question: { text: "Case?", best_supposition: "No" } } },
    ]);
    const { of, tabs } = await opened(["capped"], {
      capped: sampleFiles([asks, builder("F001", 2, right("F001")), evaluator], [feature("F001")]),
    });
    const path = await of.path("capped");
    const pages = [await tabs.tab(of.served, path), await tabs.tab(of.served, path)];
    const texts = ["Upper, please", "Lower, please"];
    for (const [at, page] of pages.entries())
      await page
        .locator("textarea")
        .first()
        .fill(texts[at] ?? "");
    await Promise.all(pages.map((page) => page.evaluate("document.querySelector('form.answer button').click()")));
    const said = await Promise.all(
      pages.map(async (page) => {
        const told = page.locator("#said", { hasText: /Answered\.|Nothing was answered/ });
        await told.waitFor({ state: "attached", timeout: 60_000 });
        return (await told.textContent()) ?? "";
      }),
    );
    const lost = said.findIndex((text) => text.startsWith("Nothing was answered."));
    expect(said[1 - lost]).toContain("Answered.");
    expect(said[lost]).toContain(`Nothing was answered. Another answer came first: ${texts[1 - lost]}`);
    const kept = pages[lost]?.locator("#kept article");
    await kept?.getByText(texts[1 - lost] ?? "").waitFor({ timeout: 60_000 });
    expect(await kept?.locator("textarea").inputValue()).toBe(texts[lost]);
  });

  test("with ten tabs open, each loads, sees what changes, and can answer", { timeout: 300_000 }, async () => {
    const { of, tabs } = await opened(["G2"]);
    const path = await of.path("G2");
    const pages: Page[] = [];
    for (let n = 0; n < 10; n++) pages.push(await tabs.tab(of.served, n % 2 === 0 ? path : "/"));
    await pages.at(-2)?.locator("form[data-to$=approve] button").click();
    await pages.at(-2)?.locator("#said", { hasText: "Approved." }).waitFor({ state: "attached", timeout: 60_000 });
    for (const page of pages)
      await page.locator("form[data-to$=approve]").waitFor({ state: "detached", timeout: 60_000 });
    expect(tabs.troubles).toEqual([]);
  });

  test("a question with invisible characters is answered in place", { timeout: 300_000 }, async () => {
    const text = "Is \u200eabc\u200b or \u202edef right?";
    const asks = builder("F001", 1, [
      { do: "reply", reply: { status: "question", summary: "x", question: { text, best_supposition: "No" } } },
    ]);
    const { of, tabs } = await opened(["capped"], {
      capped: sampleFiles([asks, builder("F001", 2, right("F001")), evaluator], [feature("F001")]),
    });
    const page = await tabs.tab(of.served, await of.path("capped"));
    await page.locator("textarea").first().fill("Yes");
    await page.evaluate("document.querySelector('form.answer button').click()");
    await page.locator("#said", { hasText: "Answered." }).waitFor({ state: "attached", timeout: 60_000 });
  });

  test("what a person was typing stays when a program is first, and is named", { timeout: 600_000 }, async () => {
    const { of, tabs } = await opened(["G2"]);
    const path = await of.path("G2");
    const page = await tabs.tab(of.served, path);
    await page.locator("details.no > summary").first().click();
    await page.locator("textarea").first().fill("Not like that");
    const gate = (await page.locator("form[data-to$=approve]").getAttribute("data-body")) ?? "";
    const answered = await of.served.post(`${path}/approve`, JSON.parse(gate));
    expect(answered.status, answered.text).toBe(200);
    const kept = page.locator("#kept article");
    await kept.getByText("What you typed was not sent. The gate was approved").waitFor({ timeout: 60_000 });
    expect(await kept.locator("textarea").inputValue()).toBe("Not like that");
    expect(await page.locator("#said").textContent()).toContain("Approve this iteration?");
    expect(await page.evaluate("document.activeElement.closest('#kept') !== null")).toBe(true);
    await kept.getByRole("button", { name: "Dismiss" }).click();
    expect(await kept.count()).toBe(0);
    expect(tabs.troubles).toEqual([]);
  });

  test("a token that is pasted or typed at the page that asks for one signs in", { timeout: 120_000 }, async () => {
    const { of, tabs } = await opened(["empty"]);
    const page = await tabs.signedOut(of.served);
    await page.goto(`${of.served.origin}/#token=${of.served.token}`);
    await page.waitForSelector("main[data-state=live]");
    await page.context().clearCookies();
    await page.reload();
    await page.getByLabel("Token").fill(`${of.served.origin}/#token=${of.served.token}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForSelector("main[data-state=live]");
    expect(page.url()).not.toContain("token");
    expect(tabs.troubles).toEqual([]);
  });

  test("a page is back within three seconds after a server that was away for longer", {
    timeout: 120_000,
  }, async () => {
    const { of, tabs } = await opened(["empty"]);
    const page = await tabs.tab(of.served);
    await of.served.stop("SIGKILL");
    await page.waitForSelector("main[data-state=lost]");
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    await of.restart();
    await page.waitForSelector("main[data-state=live]", { timeout: 3_000 });
  });

  test("a server killed 20 times in mid-run: the page is as a fresh one", { timeout: 1_200_000 }, async () => {
    const slow = { do: "sleep", ms: 700 };
    const steps = right("F001").flatMap((step) => [slow, { do: "run", command: "echo at work" }, step]);
    const files = sampleFiles([builder("F001", 1, lie), builder("F001", 2, steps), evaluator], [feature("F001")]);
    const { of, tabs } = await opened(["empty"], { empty: files });
    const { id } = (await of.served.get<{ workspaces: { id: string }[] }>("/workspaces")).workspaces[0] ?? { id: "" };
    const { run } = JSON.parse((await of.served.post(`/workspaces/${id}/runs`, {})).text) as { run: string };
    const path = `/workspaces/${id}/runs/${run}`;
    const page = await tabs.tab(of.served, path);
    for (let kills = 0; kills < 20; kills++) {
      await of.restart();
      await page.waitForSelector("main[data-state=lost]", { timeout: 60_000 }).catch(() => undefined);
      await page.waitForSelector("main[data-state=live]", { timeout: 60_000 });
    }
    await until("the run over", () => of.home.events().some(({ type }) => type === "filed"), 300_000);
    await page.locator(".state.good", { hasText: "done" }).first().waitFor({ timeout: 60_000 });
    const fresh = await tabs.tab(of.served, path);
    await fresh.locator(".state.good", { hasText: "done" }).first().waitFor();
    await expect.poll(() => shownIn(page), { timeout: 30_000 }).toEqual(await shownIn(fresh));
    const numbers = await page
      .locator("#log li")
      .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute("data-n"))));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(await page.locator("#connection").textContent()).toBe("");
    expect(tabs.troubles).toEqual([]);
  });
});

/** Until the focus is on what has this name. */
async function tabTo(page: Page, name: RegExp, tag?: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    const [at, text] = await page.evaluate<[string, string]>(
      "[document.activeElement.tagName, document.activeElement.textContent.trim()]",
    );
    if (name.test(text) && (tag === undefined || tag === at)) return;
  }
  throw new Error(`no key press leads to ${name}`);
}

/** What a person sees, without times that count on. */
const shownIn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll("[data-part]")].map((part) => {
    const copy = part.cloneNode(true);
    for (const time of copy.querySelectorAll("time")) time.textContent = "";
    return copy.innerHTML;
  })`);
