// After any change by an agent, a restore gives the checkpoint's tree, and no file is lost.
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { lstatIfExists } from "../../../host/disk.ts";
import {
  agent,
  anId,
  everything,
  makeRepository,
  open,
  removeTemporaryFolders,
  temporaryFolder,
  type World,
  write,
} from "../../../testing/workspace-rig.ts";

afterAll(removeTemporaryFolders);

const names = [
  "a",
  "b.txt",
  "dir/c",
  "dir/d e",
  "dir/deep/é",
  "-dash",
  "new\nline",
  'quo"te',
  "\u2028",
  "src/main.js",
  "README.md",
  "e\u0301",
  ":colon",
  "*star",
];
const ignored = [".env", "x.log", "node_modules/m/i.js", "dir/y.log"];
const nestable = ["inner", "dir", "src"];

// Links lead out of the folder, and steps may follow them: to a temporary folder, never to one of the machine's.
const outside = temporaryFolder();
fs.writeFileSync(join(outside, "theirs"), "theirs");

const path = fc.constantFrom(...names);
const step = fc.oneof(
  fc.record({ do: fc.constant("write" as const), path, text: fc.constantFrom("", "1", "two\r\n", "three\0") }),
  fc.record({ do: fc.constant("remove" as const), path: fc.constantFrom(...names, "dir", "src", ".gitignore") }),
  fc.record({ do: fc.constant("chmod" as const), path }),
  fc.record({ do: fc.constant("link" as const), path, text: fc.constantFrom("a", "nowhere", outside, "dir") }),
  fc.record({ do: fc.constant("rename" as const), path, to: fc.constantFrom(...names, "dir", "moved/here") }),
  fc.record({
    do: fc.constant("ignored" as const),
    path: fc.constantFrom(...ignored),
    text: fc.constantFrom("i", "j"),
  }),
  fc.record({
    do: fc.constant("rules" as const),
    text: fc.constantFrom("", "*\n", "dir/\n", "node_modules/\n*.log\n.env\nb.txt\n"),
  }),
  fc.record({ do: fc.constant("repository" as const), path: fc.constantFrom(...nestable), commits: fc.boolean() }),
  fc.record({ do: fc.constant("submodule" as const), path: fc.constantFrom("inner", "dir/sub") }),
  fc.record({ do: fc.constant("large" as const), path }),
  fc.record({ do: fc.constant("folder" as const), path: fc.constantFrom("empty", "dir/empty/er") }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

// A step that the file system refuses (such as a folder in place of a file) does nothing.
function take(root: string, what: Step): void {
  const at = join(root, what.do === "rules" ? ".gitignore" : what.path);
  try {
    if (what.do === "write" || what.do === "ignored" || what.do === "rules") put(at, what.text);
    else if (what.do === "remove") fs.rmSync(at, { recursive: true, force: true });
    else if (what.do === "chmod") {
      const stat = fs.lstatSync(at);
      if (!stat.isSymbolicLink()) fs.chmodSync(at, stat.mode ^ 0o111);
    } else if (what.do === "link") {
      fs.rmSync(at, { recursive: true, force: true });
      fs.symlinkSync(what.text, at);
    } else if (what.do === "rename") fs.renameSync(at, join(root, what.to));
    else if (what.do === "folder") fs.mkdirSync(at, { recursive: true });
    else if (what.do === "large") put(at, "a line that is there many times\n".repeat(100_000));
    else if (what.do === "submodule") makeSubmodule(root, what.path);
    else makeInner(at, what.commits);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** No link leads there from inside, so that a step changes nothing outside the folder. */
const isReached = (at: string): boolean =>
  !lstatIfExists(at)?.isSymbolicLink() && fs.realpathSync(dirname(at)) === dirname(at);

function put(at: string, text: string): void {
  if (isReached(at)) fs.writeFileSync(at, text);
}

function makeInner(at: string, commits: boolean): void {
  if (!isReached(at)) return;
  write(at, { "inner.txt": "inner" });
  agent(at, "init", "-q");
  if (!commits) return;
  agent(at, "add", "-A");
  agent(at, "commit", "-qm", "inner", "--allow-empty");
}

/** As `git submodule add` leaves it, without a remote. */
function makeSubmodule(root: string, path_: string): void {
  if (!isReached(join(root, path_))) return;
  makeInner(join(root, path_), true);
  const head = agent(join(root, path_), "rev-parse", "HEAD").trim();
  put(join(root, ".gitmodules"), `[submodule "${path_}"]\n\tpath = ${path_}\n\turl = ./${path_}\n`);
  agent(root, "update-index", "--add", "--cacheinfo", `160000,${head},${path_}`);
}

/** The nested repositories, each with its last commit, which must be readable. */
const historiesIn = (root: string): string[] =>
  [...nestable, "dir/sub"]
    .filter((path_) => lstatIfExists(join(root, path_, ".git"))?.isDirectory() && isReached(join(root, path_)))
    .map((path_) => `${path_} ${agent(join(root, path_), "log", "-1", "--format=%H %T")}`);

const isIgnored = (path_: string): boolean => /(?:^|\/)(?:node_modules\/|[^/]*\.log$|\.env$)/.test(path_);
const isInTheWay = (name: string, wanted: readonly string[]): boolean =>
  wanted.some((path_) => name.startsWith(`${path_}/`) || path_.startsWith(`${name}/`));
const part = (files: Record<string, string>, keep: (path_: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([name]) => keep(name)));

/** Set PROPERTY_RUNS=500 for a longer run. */
const numRuns = Number(process.env["PROPERTY_RUNS"] ?? 40);
let world: World | undefined;

test("a restore gives the same files and tree, and keeps ignored and removed files", {
  timeout: Math.max(300_000, numRuns * 10_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.array(step, { minLength: 1, maxLength: 10 }),
      async (first, second) => {
        world ??= await open(makeRepository(), "git");
        const { root, workspace } = world;
        write(root, { ".gitignore": "node_modules/\n*.log\n.env\n" });
        for (const what of first) if (what.do !== "rules" && what.do !== "repository") take(root, what);
        if (!fs.existsSync(join(root, ".gitignore"))) write(root, { ".gitignore": "node_modules/\n*.log\n.env\n" });
        const before = everything(root);
        const histories = historiesIn(root);
        const checkpoint = await workspace.checkpoint(anId());
        for (const what of second) take(root, what);
        const changed = everything(root);
        const { quarantine, tree } = await workspace.restore(checkpoint, "property");
        const after = everything(root);
        expect(tree).toBe(checkpoint.tree);
        expect(historiesIn(root)).toEqual(histories);
        expect(part(after, (name) => !isIgnored(name))).toEqual(part(before, (name) => !isIgnored(name)));
        for (const name of Object.keys(changed).filter(isIgnored))
          if (!isInTheWay(name, Object.keys(before))) expect([name, after[name]]).toEqual([name, changed[name]]);
        await expectKept(world, quarantine, changed, after);
      },
    ),
    { numRuns, endOnFailure: true },
  );
});

/** Every file from before the restore is still in place or in quarantine, unchanged. */
async function expectKept(
  { workspace }: World,
  id: string | null,
  changed: Record<string, string>,
  after: Record<string, string>,
): Promise<void> {
  const gone = Object.entries(changed).filter(([name, content]) => after[name] !== content);
  if (gone.length === 0) return;
  const to = fs.mkdtempSync(join(dirname((world as World).root), "out-"));
  await workspace.quarantine.bringBack(id ?? "", { to });
  const kept = everything(to);
  for (const [name, content] of gone) expect([name, kept[name]]).toEqual([name, content]);
}
