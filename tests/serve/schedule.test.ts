// A timer of the system instead of the server. systemctl and crontab are programs of this test that write down what they get.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cronLine, serviceUnit, timerUnit } from "../../src/serve/schedule/units.ts";
import { ended, Project, until } from "../support/project.ts";
import { builder, evaluator, right, sampleFiles } from "../support/sample.ts";
import { Served } from "./served.ts";

let of: Project;
let env: Record<string, string>;
beforeEach(() => {
  const { "docs/FEATURES.json": _, ...files } = sampleFiles([builder("F001", 1, right("F001")), evaluator], []);
  const request = "Add a function f001() to src/F001.js that returns 'F001', with a test in test/F001.test.js";
  const triggers = `triggers:\n  - { name: nightly, cron: { at: "0 3 * * *" }, request: "${request}" }\n`;
  of = new Project({ ...files, "loop.yaml": `${files["loop.yaml"]}autonomy: L3\n${triggers}` });
  const bin = join(of.dir, "bin");
  fs.mkdirSync(bin);
  const program = (name: string, text: string) =>
    fs.writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program("systemctl", 'echo "$@" >> "$HOME/systemctl.log"');
  program(
    "crontab",
    'if [ "$1" = -l ]; then cat "$HOME/crontab" 2>/dev/null || { echo "no crontab for me" >&2; exit 1; }; else cat > "$HOME/crontab"; fi',
  );
  env = { PATH: `${bin}:${of.env["PATH"]}` };
});
afterEach(async () => {
  await until("no process left", () => of.strays().length === 0, 30_000);
  of.remove();
});

const loop = (...args: string[]) => ended(of.start(args, env));
const home = (name: string): string => fs.readFileSync(join(of.home, name), "utf8");

test("a timer of systemd is installed, listed and removed", async () => {
  await loop("serve", "--add", of.root);
  const installed = await loop("schedule", "install", "--with", "systemd");
  expect(installed.code, installed.stderr).toBe(0);
  const dir = join(of.home, ".config/systemd/user");
  expect(fs.readdirSync(dir).sort()).toEqual(["loopwright.service", "loopwright.timer"]);
  expect(home("systemctl.log")).toBe("--user daemon-reload\n--user enable --now loopwright.timer\n");
  const listed = (await loop("schedule", "list")).stdout;
  expect(listed).toContain("Timer: systemd\n");
  expect(listed).toContain(`${of.root}  nightly  0 3 * * * (UTC)\n`);
  expect((await loop("schedule", "remove")).stdout).toContain("Removed");
  expect(fs.readdirSync(dir)).toEqual([]);
  expect((await loop("schedule", "list")).stdout).toContain("No timer is installed.");
});

test("a crontab that cannot be read is not written over", async () => {
  fs.writeFileSync(join(of.home, "crontab"), "5 4 * * * backup\n");
  const broken = `#!/bin/sh\nif [ "$1" = -l ]; then echo "cannot open: I/O error" >&2; exit 1; fi\ncat > "$HOME/crontab"\n`;
  fs.writeFileSync(join(of.dir, "bin", "crontab"), broken, { mode: 0o755 });
  const { code, stderr } = await loop("schedule", "install", "--with", "cron");
  expect([code, stderr]).toEqual([1, expect.stringContaining("I/O error")]);
  expect(home("crontab")).toBe("5 4 * * * backup\n");
});

test("a first line is written where there is no crontab", async () => {
  expect((await loop("schedule", "install", "--with", "cron")).code).toBe(0);
  expect(home("crontab")).toMatch(/^\* \* \* \* \* .* # loopwright\n$/);
});

test("a line of the crontab is added once, and other lines stay", async () => {
  fs.writeFileSync(join(of.home, "crontab"), "# mine\n5 4 * * * backup # loopwright\n");
  for (const _ of [1, 2]) expect((await loop("schedule", "install", "--with", "cron")).code).toBe(0);
  const lines = home("crontab").trimEnd().split("\n");
  expect([lines.length, lines.slice(0, 2)]).toEqual([3, ["# mine", "5 4 * * * backup # loopwright"]]);
  expect(lines[2]).toMatch(/^\* \* \* \* \* PATH=.* schedule run --quiet # loopwright$/);
  expect((await loop("schedule", "list", "--json")).stdout).toContain('"cron"');
  expect((await loop("schedule", "remove")).code).toBe(0);
  expect(home("crontab")).toBe("# mine\n5 4 * * * backup # loopwright\n");
});

test("nothing is installed by a dry run, and an unknown system is refused", async () => {
  const shown = await loop("schedule", "install", "--with", "launchd", "--dry-run");
  expect(shown.stdout).toContain("<key>StartInterval</key><integer>60</integer>");
  expect(fs.readdirSync(of.home).filter((name) => name === "Library")).toEqual([]);
  expect((await loop("schedule", "install", "--with", "anacron")).code).toBe(64);
});

test("a system that refuses is named, with what to do", async () => {
  fs.writeFileSync(join(of.dir, "bin/systemctl"), "#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n");
  const { code, stderr } = await loop("schedule", "install", "--with", "systemd");
  expect([code, stderr]).toEqual([1, expect.stringContaining("Failed to connect to bus")]);
  expect(stderr).toContain("loop schedule install --with cron");
  expect((await loop("schedule", "list")).stdout).toContain("No timer is installed.");
});

test("what a system that refuses has left is removed all the same, and so are all timers", async () => {
  const unit = join(of.home, ".config/systemd/user/loopwright.timer");
  fs.mkdirSync(dirname(unit), { recursive: true });
  fs.writeFileSync(unit, "");
  fs.writeFileSync(join(of.dir, "bin/systemctl"), "#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n");
  await loop("schedule", "install", "--with", "cron");
  const { code, stdout } = await loop("schedule", "remove");
  expect([code, fs.existsSync(unit)]).toEqual([0, false]);
  expect(stdout).toContain("systemd could not be told: Failed to connect to bus");
  expect(stdout).toContain("Removed the line from your crontab");
});

const odd = {
  argv: ["/usr/bin/env", "a b", 'say "x"', "100%", "$HOME", "it's"],
  env: { PATH: "/bin:/a b/100%", X: 'q"\\' },
};

test.skipIf(!fs.existsSync("/usr/bin/systemd-analyze"))(
  "systemd finds nothing wrong with the units, whatever the paths are",
  () => {
    fs.writeFileSync(join(of.dir, "loopwright.service"), serviceUnit(odd));
    fs.writeFileSync(join(of.dir, "loopwright.timer"), timerUnit);
    const files = ["service", "timer"].map((end) => join(of.dir, `loopwright.${end}`));
    expect(
      execFileSync("systemd-analyze", ["verify", "--user", ...files], {
        env: { ...of.env, XDG_RUNTIME_DIR: of.dir },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      }),
    ).toBe("");
  },
);

test("a shell that reads the crontab line gets the same words", () => {
  const line = cronLine({ ...odd, argv: ["printf", "%s\\n", ...odd.argv.slice(1)] });
  // As cron does: \% is a plain %.
  const command = line.replace(/^(?:\* ){5}/, "").replaceAll("\\%", "%");
  const said = execFileSync("/bin/sh", ["-c", command], {
    env: { PATH: "/usr/bin:/bin", HOME: "/x" },
    encoding: "utf8",
  });
  expect(said.trimEnd().split("\n")).toEqual(odd.argv.slice(1));
});

const jump = fileURLToPath(new URL("../faults/clock-jump.mjs", import.meta.url));

test("each look begins what is due, once, and leaves it to a server if there is one", {
  timeout: 180_000,
}, async () => {
  await loop("serve", "--add", of.root);
  const served = await Served.start(of);
  const kept = await loop("schedule", "run");
  expect([kept.code, kept.stdout, kept.stderr.includes("loop serve keeps")]).toEqual([0, "", true]);
  await served.stop();
  expect((await loop("schedule", "run")).stdout).toBe("");
  const slept = join(of.dir, "slept");
  fs.writeFileSync(slept, "");
  Object.assign(env, { NODE_OPTIONS: `--import=${jump}`, JUMP_MS: String(3 * 86_400_000), JUMP_FILE: slept });
  expect((await loop("schedule", "run")).stdout).toBe("Began 1 run.\n");
  await until("the run's end", () => of.strays().length === 0, 60_000);
  expect((await loop("schedule", "run")).stdout).toBe("");
  expect(of.runs()).toHaveLength(1);
  expect(of.git("ls-files", "src/F001.js")).toBe("src/F001.js");
  const lines = fs.readFileSync(join(of.home, "state/loopwright/serve/firings.jsonl"), "utf8");
  expect(lines).toContain('"outcome":"success"');
});
