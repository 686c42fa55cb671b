// Acceptance steps in a real browser, through the command line: a broken button is refused, the fixed one accepted.
import * as fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { type Files, Project, until } from "../support/project.ts";
import { builder, evaluator, feature, sampleFiles } from "../support/sample.ts";

const browser =
  ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
    .flatMap((name) => [`/usr/bin/${name}`, `/usr/local/bin/${name}`])
    .find((path) => fs.existsSync(path)) ?? null;
if (browser === null) process.stderr.write("browser: these tests are skipped, because no Chromium was found here\n");

let project: Project | null = null;
afterEach(() => {
  project?.remove();
  project = null;
});

const page = (script: string): string =>
  `<!doctype html><title>Shop</title><input id="name"><button id="buy">Buy</button><p id="said"></p><script src="/${script}.js"></script>`;
const button = (text: string): string =>
  `document.querySelector("#buy").onclick = () => { document.querySelector("#said").textContent = ${text}; };\n`;
const mended = button('"Thank you, " + document.querySelector("#name").value');
/** Typical of an agent: it looks done, and does something else. */
const broken = `${button('"Sold out"')}console.error("the till is stuck"); setTimeout(() => { throw new Error("no till"); });\n`;

const server = `import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { spawn } from "node:child_process";
// A helper that does not go when asked, as dev servers have them.
spawn("sh", ["-c", "trap '' TERM; sleep 300"], { stdio: "ignore" });
const files = { "/": ["public/index.html", "text/html"], "/shop.js": ["public/shop.js", "text/javascript"] };
createServer((request, response) => {
  const [path, type] = files[request.url] ?? [];
  if (path === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": type }).end(readFileSync(path));
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready to serve"));
`;

const steps = `[{ goto: / }, { fill: { selector: "#name", value: Ada } }, { click: "#buy" }, { expect_text: { selector: "#said", text: "Thank you, Ada" } }, { expect_count: { selector: button, count: 1 } }, { expect_url: / }, { screenshot: thanks }]`;
const yaml = (
  more: string,
  server = '{ run: "node server.mjs", ready: "http://127.0.0.1:{port}/", timeout_s: 30 }',
): string =>
  `version: 1
agents: { maker: { kind: rehearsal, script: rehearsal.json } }
checks:
  - { name: test, run: sh run-tests.sh, timeout_s: 60 }
  - { name: shop, must: turn-green, timeout_s: 60, browser: { url: "http://127.0.0.1:{port}/", server: ${server}, steps: ${more} } }
limits: { rework: 2 }
`;

const writes = (text: string) => [
  { do: "write", path: "public/shop.js", text },
  { do: "reply", reply: { status: "done", summary: "The button works." } },
];

const wanted = feature("F001", {
  name: "Thank the buyer",
  description: "",
  acceptance_criteria: ["The button thanks the buyer by name"],
  checks: ["shop"],
});
const shop = (scenes: readonly object[], extra: Files = {}): Files =>
  sampleFiles([...scenes, evaluator], [wanted], {
    "public/index.html": page("shop"),
    "public/shop.js": "// Nothing yet.\n",
    "server.mjs": server,
    "loop.yaml": yaml(steps),
    ...extra,
  });

/** The folder with the screenshots of a run's checks. */
const evidence = (of: Project): string => join(of.runs().at(-1) ?? "", "output");
const listed = (dir: string): string[] => (fs.existsSync(dir) ? fs.readdirSync(dir).sort() : []);
const isPicture = (path: string): boolean => fs.readFileSync(path).subarray(1, 4).toString() === "PNG";

describe.skipIf(browser === null)("a check in a browser", () => {
  test("refuses a page with a broken button, accepts the fixed one, and keeps screenshots of both", {
    timeout: 240_000,
  }, async () => {
    project = new Project(shop([builder("F001", 1, writes(broken)), builder("F001", 2, writes(mended))]));
    const of = project;
    const { code, stdout, stderr } = await of.loop("run");
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).toContain("shop (everything as it would be committed)");
    expect(of.git("show", "HEAD:public/shop.js")).toBe(mended.trimEnd());
    const [red, green] = ["F001-i1-A-shop.txt", "F001-i2-A-shop.txt"].map((name) => join(evidence(of), name));
    expect(fs.readFileSync(red ?? "", "utf8")).toContain('#said says "Sold out"');
    expect(listed(`${red}.files`)).toEqual([
      "console.json",
      "end.png",
      "failed-step-4.png",
      "server.log",
      "steps.json",
    ]);
    expect(isPicture(join(`${red}.files`, "failed-step-4.png"))).toBe(true);
    const kept = JSON.parse(fs.readFileSync(join(`${red}.files`, "console.json"), "utf8")) as { errors: object[] };
    expect(kept.errors).toMatchObject([{ kind: "console", text: "the till is stuck" }, { kind: "page" }]);
    expect(listed(`${green}.files`)).toEqual(["console.json", "end.png", "server.log", "steps.json", "thanks.png"]);
    await until("server, helper and browser are gone", () => of.strays().length === 0, 15_000);
    expect(stderr).not.toContain("left 1 processes");
    const again = await of.loop("prove");
    expect(again.code, again.stdout).toBe(0);
  });

  test.each([
    {
      what: "a server that ends at once",
      server: '{ run: "echo no port; exit 3", ready: 4173 }',
      says: /not ready: it ended with 3[\s\S]*no port/,
    },
    {
      what: "a server that never is ready",
      server: '{ run: "sleep 60", ready: listening, timeout_s: 1 }',
      says: /said nothing at listening within 1 s/,
    },
  ])(
    "$what makes the check red, with the reason, and is stopped",
    { timeout: 120_000 },
    async ({ server: how, says }) => {
      project = new Project(shop([builder("F001", 1, writes(mended))], { "loop.yaml": yaml(steps, how) }));
      const of = project;
      await of.loop("run", "--iterations", "1");
      expect(fs.readFileSync(join(evidence(of), "baseline-shop.txt"), "utf8")).toMatch(says);
      await until("nobody is left", () => of.strays().length === 0, 15_000);
    },
  );

  test("another server on the same port is not taken for ours", { timeout: 120_000 }, async () => {
    const other = createServer((_, response) => response.end("Thank you, Ada")).listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const how = `{ run: "sleep 60", ready: "http://127.0.0.1:${port}/" }`;
      project = new Project(shop([builder("F001", 1, writes(mended))], { "loop.yaml": yaml(steps, how) }));
      await project.loop("run", "--iterations", "1");
      const log = fs.readFileSync(join(evidence(project), "baseline-shop.txt"), "utf8");
      expect(log).toContain("something else answers");
    } finally {
      other.close();
    }
  });

  test("a file URL needs no server, and nothing is loaded from other hosts", { timeout: 120_000 }, async () => {
    const html =
      '<h1>Hello</h1><img src="http://example.invalid/a.png"><script>fetch("http://203.0.113.9/x").catch(() => {})</script>';
    project = new Project(
      shop([builder("F001", 1, writes(mended))], {
        "public/page.html": html,
        "loop.yaml": `version: 1
agents: { maker: { kind: rehearsal, script: rehearsal.json } }
checks:
  - { name: page, timeout_s: 60, browser: { url: public/page.html, steps: [{ expect_text: Hello }, { wait_for: h1 }] } }
  - { name: away, must: turn-green, browser: { steps: [{ goto: "http://example.invalid/" }] } }
`,
        "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature("F001")] }),
      }),
    );
    const { stdout, stderr } = await project.loop("run", "--iterations", "1");
    const log = (name: string) => fs.readFileSync(join(evidence(project as Project), `baseline-${name}.txt`), "utf8");
    expect(log("page"), stdout + stderr).toContain("step 2 of 3: expect_text Hello: passed");
    expect(log("page")).toContain("refused (not in allow_hosts): http://example.invalid/a.png");
    expect(log("page")).toContain("refused (not in allow_hosts): http://203.0.113.9/x");
    expect(log("away")).toContain("neither on this machine nor in allow_hosts");
  });

  test("a page that hangs is killed with its browser when the check times out", { timeout: 120_000 }, async () => {
    project = new Project(
      shop([], {
        "public/page.html": "<script>for (;;) {}</script>",
        "loop.yaml": `version: 1\nchecks: [{ name: page, timeout_s: 8, browser: { url: public/page.html, steps: [{ click: h1 }] } }]\nagents: { maker: { kind: rehearsal, script: rehearsal.json } }\n`,
        "docs/FEATURES.json": JSON.stringify({ version: 1, features: [feature("F001")] }),
      }),
    );
    const of = project;
    const { code, stdout } = await of.loop("run");
    expect(code).toBe(1);
    expect(stdout).toContain("is red before any work");
    await until("the browser is gone", () => of.strays().length === 0, 15_000);
    expect(listed(join(evidence(of), "baseline-page.txt.files"))).not.toContain("profile");
  });
});

test.each([
  { what: "neither a command nor steps", check: "{ name: a }", says: "run" },
  { what: "both", check: "{ name: a, run: x, browser: { url: x, steps: [{ click: a }] } }", says: "never both" },
  { what: "no step", check: "{ name: a, browser: { url: x, steps: [] } }", says: "steps" },
  { what: "a step that nobody knows", check: "{ name: a, browser: { url: x, steps: [{ clack: a }] } }", says: "steps" },
  { what: "nowhere to begin", check: "{ name: a, browser: { steps: [{ click: a }] } }", says: "goto" },
])("a check with $what is refused before anything starts", { timeout: 30_000 }, async ({ check, says }) => {
  project = new Project({ "loop.yaml": `version: 1\nchecks: [${check}]\n` });
  const { code, stderr } = await project.loop(
    "run",
    "Make index.html show the word Hello when the button is clicked",
    "--yes",
  );
  expect(code, stderr).toBe(1);
  expect(stderr).toContain(says);
});
