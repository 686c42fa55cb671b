// What to do in a folder where no check was found: a command that fits what is there.
import * as fs from "node:fs";
import { join } from "node:path";

const commands: readonly (readonly [RegExp, string])[] = [
  [/^package\.json$|\.[cm]?[jt]s$/, "node --test"],
  [/^pyproject\.toml$|\.py$/, "python3 -m unittest"],
  [/^go\.mod$|\.go$/, "go test ./..."],
  [/^Cargo\.toml$/, "cargo test"],
];

export function nameACheck(root: string): string {
  const names = ["", "src"].flatMap((folder) => namesIn(join(root, folder)));
  const known = commands.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  const run = known ?? "sh test.sh";
  const is = known === undefined ? " It may be a script of yours that fails while something is wrong." : "";
  return `Name the command that runs your tests, in loop.yaml: checks: [{ name: test, run: "${run}" }].${is} Where there are no tests, write a first one: work that no test shows cannot be proved.`;
}

const namesIn = (dir: string): string[] => (fs.existsSync(dir) ? fs.readdirSync(dir) : []);
