// A large folder: a checkpoint of it, a clean checkout of another tree, and the way back, compared with git's own.
import * as fs from "node:fs";
import { join } from "node:path";
import { sideBySide, timed } from "./measure.mjs";
import { makeRepository, write } from "./place.mjs";
import { row } from "./results.mjs";

const perFolder = 50;

export async function manyFiles(place, { dist }, count) {
  const { openWorkspace } = await import(join(dist, "workspace/open.js"));
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [pathOf(at), `file ${at}\n${"a line of text\n".repeat(20)}`]),
  );
  const [ours, theirs] = [makeRepository(place, "ours", files), makeRepository(place, "theirs", files)];
  for (const root of [ours, theirs]) place.git(root, "repack", "-adq"); // As in a real repository of that size.
  const workspace = await openWorkspace({ root: ours, vaultDir: place.folder("vault"), kind: "git" });
  const sh = (script) => timed("sh", ["-c", script], { cwd: theirs, env: place.env });
  await workspace.inspect();
  let id = 0;
  const change = (root, round) =>
    write(root, Object.fromEntries([1, 2, 3].map((nth) => [pathOf(nth * 997), `round ${round} ${nth}\n`])));
  const around = (prepare, act) => async (round) => {
    prepare(round);
    const start = performance.now();
    await act(round);
    return performance.now() - start;
  };
  const checkpoint = await sideBySide(
    15,
    {
      ours: around(
        (round) => change(ours, round),
        () => workspace.checkpoint(`c${++id}`),
      ),
      git: around(
        (round) => change(theirs, round),
        () => void sh("git add -A && git write-tree"),
      ),
    },
    { warmUp: 3 },
  );

  const trees = [await workspace.tree()];
  change(ours, "other");
  trees.push(await workspace.tree());
  place.git(theirs, "commit", "-q", "-am", "one");
  change(theirs, "other");
  place.git(theirs, "commit", "-q", "-am", "other");
  const scratch = await sideBySide(
    15,
    {
      ours: (round) => workspace.scratch("bench", trees[Math.abs(round % 2)], { bring: [] }).then(() => {}),
      git: (round) => sh(`git clean -fdxq && git checkout -q ${round % 2 === 0 ? "main~1" : "main"}`),
    },
    { warmUp: 3 },
  );

  const clean = await workspace.checkpoint("clean");
  place.git(theirs, "checkout", "-q", "main");
  const spoil = (root) => {
    change(root, `spoilt ${Math.random()}`);
    write(root, { "new/file.txt": "new" });
    fs.rmSync(join(root, pathOf(5)), { force: true });
  };
  const restore = await sideBySide(
    9,
    {
      ours: around(
        () => spoil(ours),
        () => workspace.restore(clean, "bench"),
      ),
      git: around(
        () => spoil(theirs),
        () => void sh("git stash -q -u && git stash drop -q"),
      ),
    },
    { warmUp: 2 },
  );
  const n = count.toLocaleString("en");
  const group = (name, { ours: loop, git }) => ({
    name,
    bars: [
      { name: "the loop", value: loop },
      { name: "git", value: git },
    ],
  });
  return {
    rows: [
      row(
        `checkpoint of ${n} files, 3 of them changed, against \`git add -A && git write-tree\``,
        "ms",
        checkpoint.ours,
        checkpoint.git,
      ),
      row(
        `clean checkout of another tree of ${n} files, against \`git clean && git checkout\``,
        "ms",
        scratch.ours,
        scratch.git,
      ),
      row(
        `restoring ${n} files with everything kept in quarantine, against \`git stash\``,
        "ms",
        restore.ours,
        restore.git,
      ),
    ],
    plots: [
      {
        kind: "bars",
        name: "files",
        title: `A folder of ${n} files`,
        unit: "ms",
        groups: [group("checkpoint", checkpoint), group("clean checkout", scratch), group("restore", restore)],
      },
    ],
  };
}

const pathOf = (at) =>
  `src/part-${Math.floor(at / perFolder / 10)}/folder-${Math.floor(at / perFolder)}/file-${at}.txt`;
