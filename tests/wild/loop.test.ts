// Loopwright on these repositories: `loop check` finds the one missing line, with it a run proves the feature, and the
// broken change is not accepted. Needs network and minutes, so it runs only with WILD=1; WILD=go,rust selects some.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MadeWild, makeWild } from "./make.ts";
import { wildNames } from "./repositories/index.ts";
import { git, plainEnv, writeFiles } from "./shell.ts";

const cli = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const asked = process.env["WILD"] ?? "";
const chosen = wildNames.filter((name) => asked === "1" || asked.split(",").includes(name));

describe.skipIf(chosen.length === 0).each(chosen.length === 0 ? wildNames : chosen)(
  "%s",
  { timeout: 900_000 },
  (name) => {
    let root: string;
    let made: MadeWild;
    let start: string;

    beforeAll(() => {
      root = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), "wild-loop-"));
      fs.chmodSync(root, 0o755); // A server that refuses to run as root must be able to reach its own folder.
      made = makeWild(name, join(root, "project"));
      git(made.dir, ["config", "user.name", "Pat"]);
      git(made.dir, ["config", "user.email", "pat@example.invalid"]);
      writeFiles(root, { "maker.sh": maker, "checker.mjs": checker, ...patchFiles(made) });
      writeFiles(made.dir, { "loop.yaml": settings(root, made) });
      git(made.dir, ["add", "--all"]);
      git(made.dir, ["commit", "--quiet", "--message", "Settings of the loop"]);
    }, 900_000);
    afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

    function loop(...args: string[]) {
      const env = { ...plainEnv(), XDG_STATE_HOME: join(root, "state"), WILD_ROOT: root, LOOPWRIGHT_SANDBOX: "off" };
      const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args, "--trust"], {
        cwd: made.dir,
        env,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
      return { status, stdout, all: `${stdout}${stderr}` };
    }

    test("loop check makes it fit to start, with at most the expected line", () => {
      const first = loop("check", "--json");
      const { fit, add } = JSON.parse(first.stdout) as { fit: boolean; add: Addition | null };
      if (fit) expect(add, first.all).toBeNull();
      else {
        expect(lines(add), first.all).toHaveLength(1);
        expect(made.expect.lines).toBe(1);
        expect(loop("check", "--write").status).toBe(0);
        git(made.dir, ["commit", "--quiet", "--all", "--message", "What a clean checkout needs"]);
      }
      const second = loop("check", "--json");
      expect(second.status, second.all).toBe(0);
      expect(JSON.parse(second.stdout)).toMatchObject({ fit: true, checks: [{ looks: "named" }] });
      start = git(made.dir, ["rev-parse", "HEAD"]).trim();
    });

    test("the feature is proved", () => {
      const ran = play("feature");
      expect(ran.status, ran.all).toBe(0);
      expect(git(made.dir, ["diff", "--stat", "refs/wild/feature", "HEAD", "--", ...changed("feature")])).toBe("");
    });

    test("the broken change is not accepted", () => {
      const ran = play("broken");
      expect(ran.status, ran.all).not.toBe(0);
      expect(git(made.dir, ["diff", "--stat", start, "HEAD", "--", ...changed("broken")])).toBe("");
    });

    const changed = (change: "feature" | "broken"): string[] =>
      git(made.dir, ["diff", "--name-only", `refs/wild/${change}~1`, `refs/wild/${change}`])
        .trim()
        .split("\n");

    function play(change: "feature" | "broken") {
      git(made.dir, ["reset", "--quiet", "--hard", start]);
      git(made.dir, ["clean", "--quiet", "-d", "--force"]);
      fs.rmSync(join(root, "state"), { recursive: true, force: true });
      fs.copyFileSync(join(root, `${change}.patch`), join(root, "next.patch"));
      return loop("--yes", "Add the feature that the new tests describe");
    }
  },
);

type Addition = { build?: string; room?: Record<string, string[]> };
const lines = (add: Addition | null): string[] =>
  add === null ? [] : [...(add.build === undefined ? [] : ["build"]), ...Object.keys(add.room ?? {})];

const patchFiles = ({ patches }: MadeWild): Record<string, string> => ({
  "feature.patch": patches.feature,
  "broken.patch": patches.broken,
});

function settings(root: string, { check, before, after }: MadeWild): string {
  const around = Object.entries({ before, after }).filter(([, line]) => line !== undefined);
  return [
    "place: here",
    "agents:",
    `  maker: { kind: command, command: [sh, ${root}/maker.sh] }`,
    `  checker: { kind: command, command: [node, ${root}/checker.mjs] }`,
    "checks:",
    "  - name: test",
    `    run: ${check}`,
    ...around.map(([key, line]) => `    ${key}: ${line}`),
    "",
  ].join("\n");
}

const maker = `cat > /dev/null
git apply "$(dirname "$0")/next.patch" || :
printf '{"status":"done","summary":"done","usage":{"cost_usd":0.01}}' > "$LOOP_REPLY_FILE"
`;

/** Approves everything, so that any refusal comes from the proof. */
const checker = `import * as fs from "node:fs";
const prompt = fs.readFileSync(0, "utf8");
const found = [...new Set([...prompt.matchAll(/^\\s*(?:[-*]\\s*)?(C\\d+)[.:]/gm)].map(([, id]) => id))];
const criteria = (found.length > 0 ? found : ["C1"]).map((criterion) => ({
  criterion,
  met: true,
  verification: "execution output",
  evidence: [{ command: "the tests" }],
}));
fs.writeFileSync(
  process.env.LOOP_REPLY_FILE,
  JSON.stringify({ verdict: "pass", summary: "done", criteria, usage: { cost_usd: 0.01 } }),
);
`;
