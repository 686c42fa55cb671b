// Structure is a test, so that no reviewer has to remember it: who imports whom, what pure code may not do, file size.
import * as fs from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { version } from "../src/version.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => fs.readFileSync(join(root, path), "utf8");

function filesBelow(dir: string): string[] {
  if (!fs.existsSync(join(root, dir))) return [];
  return fs.readdirSync(join(root, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(dir, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

const isCode = (path: string): boolean => /\.(?:ts|mts|mjs)$/.test(path);
const isTest = (path: string): boolean => /\.test\.ts$/.test(path);
const sources = filesBelow("src").filter(isCode);
const shipped = sources.filter((path) => !isTest(path));

/** Code without comments and strings, so that a word in a sentence does not look like a call. */
const bare = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\.|[^`\\])*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (found) =>
    found.startsWith("/") ? " " : '""',
  );

const importing =
  /(?:^|[\s;}])(?:import|export)\s(?:[^;"']*?\sfrom\s)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;
/** Our own files that a file imports, as paths from the root. */
function importsOf(path: string): string[] {
  const specifiers = Array.from(read(path).matchAll(importing), (match) => match[1] ?? match[2] ?? "");
  return specifiers.filter((to) => to.startsWith(".")).map((to) => posix.join(posix.dirname(path), to));
}

const layerOf = (path: string): string => (path.split("/").length > 2 ? (path.split("/")[1] ?? "") : "");

/** Where the runtime meets adapters: interfaces and plain data, no adapter. */
const ports = [
  "src/agents/agent.ts",
  "src/agents/session/session-result.ts",
  "src/workspace/workspace.ts",
  "src/checks/check.ts",
  "src/journal/journal.ts",
  "src/proof/prover.ts",
];
const below: Record<string, readonly string[]> = {
  core: [],
  intake: ["core"],
  formats: ["core"],
  host: ["core", "formats"],
  gateway: ["core", "formats", "host"],
  journal: ["core", "formats", "host"],
  agents: ["core", "formats", "host"],
  workspace: ["core", "formats", "host"],
  checks: ["core", "formats", "host"],
  proof: ["core", "formats", "host", "workspace", "checks"],
  report: ["core", "formats"],
  notify: ["core", "formats", "host", "report"],
  runtime: ["core", "intake", "formats", "proof", "report"],
};
const adapters = ["agents", "workspace", "checks", "journal"];

function mayImport(from: string, to: string): boolean {
  const [layer, target] = [layerOf(from), layerOf(to)];
  if (isBesides(from, to)) return true;
  if (target === "testing") return layer === "testing";
  if (to === "src/version.ts") return layer !== "core";
  if (target === "") return layer === "" || layer === "testing"; // The library's own entry points.
  if (layer === "" || layer === "testing" || layer === "cli") return layer !== "" || target !== "cli";
  if (layer === "drill" || layer === "hook")
    return !["cli", "drill", "hook", "serve"].includes(target) || target === layer;
  if (layer === "serve") return !["cli", "drill", "hook"].includes(target);
  if (layer === "project") return !["cli", "drill", "hook", "engines", "serve"].includes(target);
  if (layer === "engines") return !["cli", "drill", "hook", "serve"].includes(target);
  if (layer === target) return !adapters.includes(layer) || sameAdapter(from, to);
  return (below[layer]?.includes(target) ?? false) || (["runtime", "report"].includes(layer) && ports.includes(to));
}

/** Clients of an engine use the port, what is made of it, and one place that names an engine. */
const forClients = [
  "engine",
  "habit",
  "first-answer",
  "go-on",
  "held-work",
  "landing",
  "new-run-id",
  "overview",
  "past-sessions",
  "resumable",
  "step",
  "waiting",
  "watch",
  "local/engine",
].map((name) => `src/engines/${name}.ts`);
const isClient = (path: string): boolean =>
  ["", "cli", "hook", "serve"].includes(layerOf(path)) || path === "src/drill/play.ts" || path === "src/drill/drill.ts";
/** The hook has a folder of its own in the vault, which is no run's. */
const mayUseRun = (from: string, to: string): boolean => {
  if (!isClient(from)) return true;
  if (to === "src/project/runs/home.ts") return from === "src/hook/judge.ts";
  return layerOf(to) !== "engines" || forClients.includes(to);
};

// A plain folder has no repository, but its vault is still a git store.
const isBesides = (from: string, to: string): boolean =>
  from.startsWith("src/workspace/plain/") && to.startsWith("src/workspace/git/");

/** Rooms of a port that are no adapter. */
const sharedRooms = ["src/agents/cli", "src/agents/limits", "src/agents/reply", "src/agents/session"];
/** Files directly in the folder of a port are shared, and so are its shared rooms; files inside one adapter are private to it. */
function sameAdapter(from: string, to: string): boolean {
  const isShared = (path: string): boolean =>
    path.split("/").length <= 3 || sharedRooms.some((room) => path.startsWith(`${room}/`));
  const adapter = (path: string): string => (isShared(path) ? "" : (path.split("/")[2] ?? ""));
  return adapter(to) === "" || adapter(from) === adapter(to) || adapter(from) === "";
}

describe("imports", () => {
  test("are found at all", () => {
    expect(importsOf("src/core/transitions.ts")).toContain("src/core/after-session.ts");
    expect(importsOf("src/runtime/perform/index.ts")).toContain("src/core/errors.ts");
  });

  test.each([
    ["src/core/apply.ts", "src/formats/reply/reply.ts"],
    ["src/intake/intake.ts", "src/formats/contract/shape-md.ts"],
    ["src/agents/claude/claude.ts", "src/agents/codex/codex.ts"],
    ["src/agents/session/session.ts", "src/workspace/workspace.ts"],
    ["src/workspace/git/open.ts", "src/workspace/plain/open.ts"],
    ["src/report/story.ts", "src/runtime/ports.ts"],
    ["src/runtime/drive.ts", "src/journal/file/open.ts"],
    ["src/runtime/drive.ts", "src/host/disk.ts"],
    ["src/engines/begin.ts", "src/cli/main.ts"],
    ["src/engines/local/open.ts", "src/hook/stop.ts"],
    ["src/hook/stop.ts", "src/cli/context.ts"],
    ["src/serve/server.ts", "src/cli/context.ts"],
    ["src/engines/begin.ts", "src/serve/server.ts"],
    ["src/cli/main.ts", "src/testing/world/index.ts"],
    ["src/host/disk.ts", "src/agents/cli/json.ts"],
  ])("from %s to %s are refused", (from, to) => {
    expect(mayImport(from, to)).toBe(false);
  });

  test.each(shipped)("%s imports only what its layer may", (path) => {
    expect(importsOf(path).filter((to) => !mayImport(path, to))).toEqual([]);
  });

  test.each([
    ["src/cli/commands/status.ts", "src/engines/local/read-story.ts"],
    ["src/autonomous-loop.ts", "src/engines/running.ts"],
    ["src/cli/commands/inbox.ts", "src/project/runs/home.ts"],
    ["src/serve/server.ts", "src/project/runs/home.ts"],
  ])("of a client, from %s to %s, are refused", (from, to) => {
    expect(mayUseRun(from, to)).toBe(false);
  });

  test.each(shipped.filter(isClient))("%s knows runs only through an engine", (path) => {
    expect(importsOf(path).filter((to) => !mayUseRun(path, to))).toEqual([]);
  });

  const renderings = shipped.filter((path) =>
    /^src\/(?:report\/(?:html|page)\/|report\/markdown\/(?!phase-log)|cli\/render\/(?:ending|gate|status)\.ts)/.test(
      path,
    ),
  );
  test.each(renderings)("%s shows the overview, not the run itself", (path) => {
    expect(importsOf(path).filter((to) => /^src\/report\/(?:story|chronicle|proof-view)\.ts$/.test(to))).toEqual([]);
  });

  test("point to files that exist", () => {
    // Tests are left out: they hold code as text, which imports missing files.
    const missing = shipped.flatMap((path) =>
      importsOf(path)
        .filter((to) => !fs.existsSync(join(root, to)))
        .map((to) => `${path}: ${to}`),
    );
    expect(missing).toEqual([]);
  });

  /** Programs load built modules by name at run time, where the compiler does not look. */
  test("of built modules by name point to files that exist", () => {
    const byName = /(?:\bload\(|import\(root \+ )["']\/?([\w/-]+)\.js["']|["'`](?:\.\.\/)*dist\/([\w/-]+)\.js["'`]/g;
    const programs = [
      ...["bench", "scripts", "faults"].flatMap(filesBelow),
      "src/testing/agent-suite.ts",
      "tests/engines/memory/server.mjs",
    ].filter(isCode);
    const named = programs.flatMap((path) =>
      Array.from(read(path).matchAll(byName), (match) => ({ path, module: match[1] ?? match[2] ?? "" })),
    );
    expect(named.length).toBeGreaterThan(20);
    const isMissing = (module: string): boolean => !fs.existsSync(join(root, "src", `${module}.ts`));
    expect(named.filter(({ module }) => isMissing(module))).toEqual([]);
  });
});

describe("the pure half", () => {
  const forbidden =
    /\bDate\.now\b|\bMath\.random\b|\bnew Date\b|\bawait\b|\basync\b|\bprocess\.|\bglobalThis\b|\bsetTimeout\b|\bcrypto\b/;
  const core = shipped.filter((path) => ["core", "intake"].includes(layerOf(path)));

  test.each(core)("%s has no clock, no randomness, no waiting and no process", (path) => {
    expect(bare(read(path)).match(forbidden)?.[0]).toBeUndefined();
    expect(read(path).match(/["']node:[a-z/]+["']/)?.[0]).toBeUndefined();
  });

  // The core decides in codes and data. Errors have their own text, and the limits table has help texts.
  const decides = core.filter((path) => layerOf(path) === "core" && !/\/(?:errors|error-codes|limits)\.ts$/.test(path));
  test.each(decides)("%s contains no sentence for people", (path) => {
    expect(read(path).match(/["`][A-Z][^"`\n]* [^"`\n]*[.?:…][^"`\n]*["`]/)?.[0]).toBeUndefined();
  });
});

describe("files that the loop has written", () => {
  const keeping = ["report", "runtime", "engines", "workspace", "hook", "host"];
  // Text that its own hash or another schema vouches for, and a hint that nothing depends on.
  const vouched = ["src/engines/amend.ts", "src/engines/local/payloads.ts", "src/hook/places.ts"];

  test("are read back through a schema in formats/kept/", () => {
    const found = shipped.filter((path) => keeping.includes(layerOf(path)) && /\bJSON\.parse\(/.test(bare(read(path))));
    expect(found.filter((path) => path.endsWith(".ts"))).toEqual(vouched);
  });
});

describe("programs", () => {
  const mayStartGit = [
    "src/workspace/git/git.ts",
    "src/cli/commands/demo.ts", // It creates its own repository, which no agent has touched.
    "src/drill/matrix/play-case.ts", // The same.
    "src/agents/rehearsal/player.mjs", // It is an agent, in a separate process, and commits like one.
  ];
  const outside = shipped.filter((path) => layerOf(path) !== "testing");

  test("git is started in one place only", () => {
    const starting = /\b(?:spawn|spawnSync|execFile|execFileSync|execa)\(\s*["'`]git["'`]|\bfile:\s*["'`]git["'`]/;
    const found = outside.filter((path) => starting.test(read(path)) && !mayStartGit.includes(path));
    expect(found).toEqual([]);
    expect(outside.filter((path) => path.startsWith("src/workspace/") && /child_process/.test(read(path)))).toEqual([
      "src/workspace/git/git.ts",
    ]);
  });

  /** What a file starts: each call with its arguments, strings included. */
  function startsIn(path: string): string[] {
    const text = read(path).replace(/^\s*(?:\*|\/[/*]).*$/gm, "");
    const calls = text.matchAll(/(?<![\w.$])(?:spawn|spawnSync|execFile|execFileSync|fork)\(/g);
    return [...calls].map(({ 0: begun, index }) => {
      let [at, open] = [index + begun.length, 1];
      for (; open > 0 && at < text.length; at += 1) open += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0;
      return text.slice(index, at);
    });
  }
  // These were started in an environment that somebody chose for them, or only serve tests.
  const mayAll = (path: string): boolean =>
    layerOf(path) === "drill" || /^src\/agents\/rehearsal\/|\.mjs$|-for-tests\.ts$/.test(path);
  const starts = outside
    .filter((path) => !mayAll(path))
    .flatMap((path) => startsIn(path).map((call) => ({ path, call })));

  test("other programs are started by a path", () => {
    expect(starts.length).toBeGreaterThan(10);
    expect(starts.filter(({ call }) => /^\w+\(\s*["'][\w-]+["']/.test(call))).toEqual([]);
  });

  test("every program is started in a chosen environment: its own programs are looked up there", () => {
    expect(starts.filter(({ call }) => !/\benv\b/.test(call))).toEqual([]);
  });

  test.each(shipped)("%s starts no shell", (path) => {
    const code = bare(read(path));
    expect(code.match(/\bshell:\s*(?:true|"")/)?.[0]).toBeUndefined();
    expect(code.match(/(?<![.\w])(?:exec|execSync)\(/)?.[0]).toBeUndefined();
  });
});

describe("files", () => {
  const linesMax = 500;
  const linesHigh = 300;

  test.each(sources)("%s is short enough to read", (path) => {
    expect(read(path).split("\n").length).toBeLessThanOrEqual(linesMax);
  });

  test.each(shipped)("%s starts with a comment that says what it is for", (path) => {
    expect(read(path).replace(/^#![^\n]*\n/, "")).toMatch(/^\/[/*]/);
  });

  test("above 300 lines are listed, to be looked at twice", ({ annotate }) => {
    const long = sources.filter((path) => read(path).split("\n").length > linesHigh);
    if (long.length > 0) annotate(long.join(", "));
    expect(long.length).toBeLessThan(sources.length / 10);
  });

  const named = [
    "src",
    "tests",
    "scripts",
    "docs",
    "samples",
    "schema",
    "bench",
    "faults",
    "examples",
    "plugin",
    ".github",
    ".ci",
  ].flatMap(filesBelow);
  const top = fs
    .readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
  const everywhere = [...named, ...top].filter((path) =>
    /\.(?:ts|mts|mjs|js|json|jsonl|md|ya?ml|sh|txt)$|^\.npmrc$|^\.ci\//.test(path),
  );

  test("hold no half-done merge", () => {
    expect(everywhere.filter((path) => /^(?:<{7}|>{7}|\|{7})(?: |$)/m.test(read(path)))).toEqual([]);
  });

  test("name no package registry and no person's home folder", () => {
    const registry =
      /https?:\/\/(?!registry\.npmjs\.org)[\w.-]*(?:registry|artifactory|nexus|verdaccio|npm-proxy|mirror)[\w.-]*/i;
    const home =
      /(?<![\w.$<{~-])\/(?:home|Users)\/(?!(?:x|you|me|user|someone|pat|USER|NAME|nobody|linuxbrew)\b)[a-z][\w.-]*\/|\/root\/\w/;
    const found = everywhere.flatMap((path) => {
      const text = read(path);
      return [registry, home].flatMap((pattern) => (pattern.test(text) ? [`${path}: ${pattern.exec(text)?.[0]}`] : []));
    });
    expect(found).toEqual([]);
  });

  test("the package and the code agree on the version", () => {
    expect((JSON.parse(read("package.json")) as { version: string }).version).toBe(version);
  });

  test("only tests import code that is for tests", () => {
    const found = shipped.filter(
      (path) => layerOf(path) !== "testing" && importsOf(path).some((to) => layerOf(to) === "testing"),
    );
    expect(found).toEqual([]);
  });
});
