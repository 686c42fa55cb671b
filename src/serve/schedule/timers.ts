// Puts a timer into systemd, crontab or launchd, finds it, and takes it out again.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { UserError } from "../../core/errors.ts";
import { writeAtomic } from "../../host/disk.ts";
import { findOwnProgram, ownPath, ownProgram } from "../../host/own-programs.ts";
import { type Command, cronLine, cronMark, launchdPlist, serviceUnit, timerUnit, unitName } from "./units.ts";

export const timerKinds = ["systemd", "cron", "launchd"] as const;
export type TimerKind = (typeof timerKinds)[number];

export interface Timer {
  /** The files or lines, for people to read. */
  text(command: Command): string;
  isInstalled(): boolean;
  /** What was done. */
  install(command: Command): string;
  remove(): string;
}

export const timerOf = (kind: TimerKind): Timer => ({ systemd, cron, launchd })[kind];

export function usualKind(): TimerKind {
  if (process.platform === "darwin") return "launchd";
  return isProgram("systemctl") ? "systemd" : "cron";
}

function unitsDir(): string {
  const given = process.env["XDG_CONFIG_HOME"];
  return join(given !== undefined && isAbsolute(given) ? given : join(homedir(), ".config"), "systemd", "user");
}

function removeUnits(): null {
  for (const end of ["service", "timer"]) fs.rmSync(join(unitsDir(), `${unitName}.${end}`), { force: true });
  return null;
}

/** Why systemd did not do it; null: it did. */
function attempt(args: readonly string[]): string | null {
  try {
    run("systemctl", ["--user", ...args]);
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.why;
    throw error;
  }
}

const systemd: Timer = {
  text: (command) => `# ${unitName}.service\n${serviceUnit(command)}\n# ${unitName}.timer\n${timerUnit}`,
  isInstalled: () => fs.existsSync(join(unitsDir(), `${unitName}.timer`)),
  install(command) {
    const dir = unitsDir();
    const files = { [`${unitName}.service`]: serviceUnit(command), [`${unitName}.timer`]: timerUnit };
    fs.mkdirSync(dir, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeAtomic(join(dir, name), text, { mode: 0o644 });
    try {
      run("systemctl", ["--user", "daemon-reload"]);
      run("systemctl", ["--user", "enable", "--now", `${unitName}.timer`]);
    } catch (error) {
      // Files that no manager reads would look like a timer.
      removeUnits();
      throw error;
    }
    return `Installed ${join(dir, `${unitName}.timer`)}`;
  },
  remove() {
    const asked = [attempt(["disable", "--now", `${unitName}.timer`]), removeUnits(), attempt(["daemon-reload"])];
    const failure = asked.find((each) => each !== null);
    return failure == null
      ? "Removed the timer of systemd"
      : `Removed the files of the timer. systemd could not be told: ${failure}\nIf the timer still runs: systemctl --user stop ${unitName}.timer`;
  },
};

const crontab = (): string => {
  try {
    return execFileSync(ownProgram("crontab"), ["-l"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...ownEnv(), LC_ALL: "C" },
    });
  } catch (error) {
    // Only its own words tell that there is none from a failure, after which everything in it would be written over.
    if (error instanceof Error && "stderr" in error && noCrontab.test(String(error.stderr))) return "";
    throw failed("crontab", ["-l"], error);
  }
};
/** Those of Vixie's cron and its kin, and of busybox. */
const noCrontab = /^(?:crontab: )?no crontab for |^crontab: can't open '[^']*': No such file or directory/m;
/** A line of the person's may have the same mark. */
const isOurs = (line: string): boolean => line.endsWith(cronMark) && / schedule run --quiet # /.test(line);
const withoutOurs = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !isOurs(line))
    .join("\n");

const cron: Timer = {
  text: (command) => `${cronLine(command)}\n`,
  isInstalled: () => isProgram("crontab") && crontab().split("\n").some(isOurs),
  install(command) {
    const others = withoutOurs(crontab()).replace(/\n*$/, "");
    run("crontab", ["-"], `${others === "" ? "" : `${others}\n`}${cronLine(command)}\n`);
    return "Installed a line in your crontab";
  },
  remove() {
    run("crontab", ["-"], withoutOurs(crontab()));
    return "Removed the line from your crontab";
  },
};

const plist = (): string => join(homedir(), "Library", "LaunchAgents", `${unitName}.plist`);
const launchd: Timer = {
  text: launchdPlist,
  isInstalled: () => fs.existsSync(plist()),
  install(command) {
    fs.mkdirSync(join(plist(), ".."), { recursive: true });
    writeAtomic(plist(), launchdPlist(command), { mode: 0o644 });
    return `Wrote ${plist()}\nThis file was never tried on a Mac. To load it: launchctl load ${plist()}`;
  },
  remove() {
    fs.rmSync(plist(), { force: true });
    return `Removed ${plist()}\nTo unload it: launchctl remove ${unitName}`;
  },
};

const ownEnv = (): NodeJS.ProcessEnv => ({ ...process.env, PATH: ownPath() });
const isProgram = (name: string): boolean => findOwnProgram(name) !== null;

function run(program: string, args: readonly string[], input = ""): void {
  try {
    execFileSync(ownProgram(program), args, {
      input,
      stdio: ["pipe", "ignore", "pipe"],
      encoding: "utf8",
      env: ownEnv(),
    });
  } catch (error) {
    throw failed(program, args, error);
  }
}

function failed(program: string, args: readonly string[], cause: unknown): UserError {
  const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr ?? "").trim() : "";
  const why = said.split("\n")[0] || (cause instanceof Error ? cause.message : String(cause));
  const next =
    program === "systemctl"
      ? "Use cron instead: loop schedule install --with cron"
      : "Look at what would be written, and put it where you want it: loop schedule install --dry-run";
  return new UserError("no-timer", { what: `"${[program, ...args].join(" ")}" failed.`, why, next }, { cause });
}
