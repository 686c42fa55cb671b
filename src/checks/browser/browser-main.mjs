// Plays the steps of a browser check. A plain program: `node browser-main.mjs STEPS.json`. Exit code 0: all as expected.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser, launch } from "./browser.mjs";
import { freePort, startServer } from "./server.mjs";
import { nameOf, playStep } from "./steps.mjs";

/** The shell's code for "command not found", to tell it from a failed check. */
const notFound = 127;
const say = (text) => process.stdout.write(`${text}\n`);

async function main() {
  const order = await withPort(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
  const playwright = await loadPlaywright(order.cwd);
  const program = findBrowser();
  if (playwright === null || program === null) {
    say(
      playwright === null
        ? "playwright-core is not installed. Add it to the project: npm install --save-dev playwright-core"
        : "No Chromium was found. Install one, or name it in LOOP_CHROMIUM.",
    );
    return notFound;
  }
  const server = order.server === null ? null : await startServer(order.server, order.cwd, order.folder);
  if (server !== null && !server.ready) {
    say(`The server was not ready: ${server.why}`);
    await server.stop();
    return 1;
  }
  try {
    return await play(order, await launch(playwright, program, order));
  } finally {
    await server?.stop();
    if (server !== null) say(`The server was stopped. Its output: ${join(order.folder, "server.log")}`);
  }
}

async function play(order, { page, evidence, close }) {
  const base = order.url === null ? pathToFileURL(`${order.cwd}/`).href : resolve(order.url, order.cwd);
  let failed = false;
  try {
    // With an address and no first step that navigates elsewhere, start at the address.
    const steps =
      order.url !== null && !("goto" in (order.steps[0] ?? {})) ? [{ goto: base }, ...order.steps] : order.steps;
    for (const [index, step] of steps.entries()) {
      const title = `step ${index + 1} of ${steps.length}: ${nameOf(step)}`;
      const problem = await playStep(page, step, { ...order, base, resolve: (text) => resolve(text, order.cwd, base) });
      say(problem === null ? `${title}: passed` : `${title}: FAILED: ${problem}`);
      if (problem === null) continue;
      failed = true;
      await evidence.shot(`failed-step-${index + 1}`);
      break;
    }
    await evidence.shot("end");
  } finally {
    await close();
  }
  for (const line of evidence.keep()) say(line);
  return failed ? 1 : 0;
}

/** An absolute URL stays; a path is relative to the address before it, or to the checkout. */
function resolve(text, cwd, base = pathToFileURL(`${cwd}/`).href) {
  return new URL(text, base).href;
}

async function withPort(order) {
  const text = JSON.stringify(order);
  if (!text.includes("{port}")) return order;
  const port = String(await freePort());
  process.env.PORT = port;
  return JSON.parse(text.replaceAll("{port}", port));
}

/** Ours if installed next to us, else the project's own. */
async function loadPlaywright(cwd) {
  const ways = [() => import("playwright-core"), () => createRequire(join(cwd, "package.json"))("playwright-core")];
  for (const load of ways) {
    try {
      const loaded = await load();
      return loaded.default ?? loaded;
    } catch (error) {
      if (error?.code !== "MODULE_NOT_FOUND" && error?.code !== "ERR_MODULE_NOT_FOUND") throw error;
    }
  }
  return null;
}

main().then(
  (code) => process.exit(code),
  (error) => {
    say(`The browser check could not be run: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  },
);
