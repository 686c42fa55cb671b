// Starts the system's Chromium with an empty profile, and keeps it off the network. Part of the program.
import { accessSync, constants, writeFileSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { hostsAllowed, isAllowed } from "./network.mjs";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const places = ["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome"];
const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** @returns {string | null} */
export function findBrowser(env = process.env) {
  const given = env.LOOP_CHROMIUM;
  if (given !== undefined && given !== "") return canRun(given) ? given : null;
  const dirs = [...(env.PATH ?? "").split(delimiter).filter(isAbsolute), ...places];
  const all = [...dirs.flatMap((dir) => names.map((name) => join(dir, name))), mac];
  return all.find(canRun) ?? null;
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-proxy-server",
];

const temporaryMax = 60;

export async function launch({ chromium }, program, order) {
  const { allowHosts, folder, profile } = order;
  // Hosts that are not allowed are not even resolved, however a page tries to reach them.
  const rules = `--host-resolver-rules=MAP * ~NOTFOUND, ${hostsAllowed(allowHosts)
    .map((host) => `EXCLUDE ${host}`)
    .join(", ")}`;
  const root = process.getuid?.() === 0;
  const temporary = process.env.TMPDIR ?? "";
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: program,
    // The browser keeps a socket there, whose path may have 107 characters.
    env: temporary.length > temporaryMax ? { ...process.env, TMPDIR: "/tmp" } : process.env,
    headless: true,
    chromiumSandbox: !root,
    args: [...flags, rules, ...(root ? ["--no-sandbox"] : [])],
    viewport: { width: 1280, height: 800 },
    acceptDownloads: false,
    serviceWorkers: "block",
  });
  const refused = new Set();
  await context.route("**/*", (route) => {
    const url = route.request().url();
    if (isAllowed(url, allowHosts)) return route.continue();
    refused.add(url.slice(0, 300));
    return route.abort("accessdenied");
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const errors = [];
  context.on("console", (message) => {
    if (message.type() === "error" && errors.length < 500)
      errors.push({ kind: "console", text: message.text().slice(0, 2000) });
  });
  context.on("weberror", (event) => {
    const error = event.error();
    if (errors.length < 500) errors.push({ kind: "page", text: String(error?.stack ?? error).slice(0, 2000) });
  });
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => {}));
  return { page, close: () => context.close(), evidence: evidenceOf(page, folder, errors, refused) };
}

function evidenceOf(page, folder, errors, refused) {
  return {
    /** A failed screenshot does not fail the check. */
    shot: (name) => page.screenshot({ path: join(folder, `${name}.png`), timeout: 10_000 }).catch(() => {}),
    keep() {
      const kept = { version: 1, errors, refused: [...refused] };
      writeFileSync(join(folder, "console.json"), `${JSON.stringify(kept, null, 2)}\n`);
      return [
        ...errors.slice(0, 20).map(({ kind, text }) => `${kind} error: ${text.split("\n", 1)[0]}`),
        ...kept.refused.slice(0, 10).map((url) => `refused (not in allow_hosts): ${url}`),
        `Screenshots and errors: ${folder}`,
      ];
    },
  };
}
