// A real browser in front of a served page, which notes everything that a page must not do.
import * as fs from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import type { Project } from "../support/project.ts";
import type { Served } from "./served.ts";

export const program: string | null =
  process.env["CHROMIUM"] ??
  ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
    .flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`])
    .find((path) => fs.existsSync(path)) ??
  null;
if (program === null) process.stderr.write("page: these tests are skipped, because no Chromium was found here\n");

export class Browser {
  readonly #context: BrowserContext;
  /** Console messages, errors of scripts, and violations of the policy. */
  readonly troubles: string[] = [];

  private constructor(context: BrowserContext) {
    this.#context = context;
  }

  static async open(project: Project): Promise<Browser> {
    const context = await chromium.launchPersistentContext(join(project.dir, "profile"), {
      executablePath: program ?? "",
      chromiumSandbox: process.getuid?.() !== 0,
      env: project.env,
      args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
    });
    return new Browser(context);
  }

  /** A tab that is signed in, at this address. */
  async tab(served: Served, path = "/", token = served.token): Promise<Page> {
    const page = await this.#page();
    await page.goto(`${served.origin}${path}#token=${token}`);
    await page.waitForSelector("main[data-state=live]");
    return page;
  }

  /** A tab of a person who has no cookie yet. */
  async signedOut(served: Served): Promise<Page> {
    await this.#context.clearCookies();
    const page = await this.#page();
    await page.goto(served.origin);
    return page;
  }

  async #page(): Promise<Page> {
    const page = await this.#context.newPage();
    page.on("console", (message) => this.#note(message.text()));
    page.on("pageerror", (error) => this.#note(error.message));
    await page.addInitScript(
      `document.addEventListener("securitypolicyviolation", (e) => console.error("policy: " + e.violatedDirective + " " + e.blockedURI));`,
    );
    return page;
  }

  /** A server that is gone is what some tests are about. */
  #note(text: string): void {
    if (!/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/.test(text))
      this.troubles.push(text);
  }

  /** As if another person came. */
  async signOut(): Promise<void> {
    await this.#context.clearCookies();
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

/** What axe finds, by rule and element. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " " + target.join(" ") + " " + failureSummary)))`);
}

/** How far the page is wider than its window. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
