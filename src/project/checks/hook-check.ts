// The repository's own pre-commit hook as a check. It is found before any session has worked, and runs in a clean
// checkout: a hook is a program, and an agent that can write to .git could replace it.
import * as fs from "node:fs";
import { join, relative } from "node:path";
import { UserError } from "../../core/errors.ts";
import type { CheckSettings, Settings } from "../../formats/config/settings.ts";
import { hookFile } from "../../workspace/git/git.ts";
import { detectChecks } from "./detect.ts";

/** The configured checks, or the detected ones, ready to run. */
export const checksIn = (root: string, { checks }: Pick<Settings, "checks">): CheckSettings[] =>
  (checks ?? detectChecks(root)).map((check) => (check.hook === undefined ? check : withHook(root, check, check.hook)));

type Name = NonNullable<CheckSettings["hook"]>;
/** `path`: the file of the tree that decides, if it is one. `text`: a hook outside of the tree, as it is now. */
type Hook = { readonly run: string; readonly path?: string; readonly text?: Buffer };

const bytesMax = 64 << 10;

function withHook(root: string, check: CheckSettings, name: Name): CheckSettings {
  const { run, path, text } = hookIn(root, name);
  const laid = text === undefined ? [] : [laying(text, ownHook(name))];
  return {
    ...check,
    tests: path === undefined ? check.tests : [path],
    before: [
      "loop_proved=$(git rev-parse 'HEAD^{tree}')",
      staged,
      "mkdir -p .git/hooks .git/own",
      ...laid,
      wrapped(run, name),
    ].join(" &&\n"),
  };
}

/** A hook looks at what is staged: here every file, over an empty commit. */
const staged = 'git update-ref HEAD "$(git commit-tree -m nothing "$(git hash-object -t tree -w /dev/null)")"';

/** What a hook changes is not what was proved, so that a change fails the check. */
const wrapped = (run: string, name: Name): string =>
  `printf '#!/bin/sh\\n%s && git diff --exit-code %s\\n' ${quoted(run)} "$loop_proved" > .git/hooks/${name} &&
chmod +x .git/hooks/${name}`;

/** Under the hook's own name, which it may look at. */
const ownHook = (name: Name): string => `.git/own/${name}`;

function hookIn(root: string, name: Name): Hook {
  // Husky's own file is not part of the repository, and runs this one.
  const husky = `.husky/${name}`;
  if (isFile(join(root, husky))) return { run: `PATH="$PWD/node_modules/.bin:$PATH" sh -e ${husky}`, path: husky };
  const file = hookFile(root, name);
  if (file !== null && isProgram(file)) {
    const path = relative(root, fs.realpathSync(file));
    const isOurs = !path.startsWith("..") && !path.startsWith(".git/");
    return isOurs ? { run: quoted(`./${path}`), path } : { run: ownHook(name), text: scriptIn(file) };
  }
  const config = ".pre-commit-config.yaml";
  if (isFile(join(root, config))) return { run: "pre-commit run --all-files", path: config };
  throw noHook(`There is no executable hook ${file ?? `.git/hooks/${name}`}, no ${husky} and no ${config}.`);
}

function scriptIn(file: string): Buffer {
  const bytes = fs.readFileSync(file);
  if (bytes.length <= bytesMax && !bytes.includes(0)) return bytes;
  throw noHook(
    `${file} is not a script of at most ${bytesMax >> 10} kB, so that it cannot be copied into a clean checkout.`,
  );
}

const laying = (bytes: Buffer, to: string): string => `base64 -d > ${to} << 'end of the hook' &&
${bytes.toString("base64").replace(/.{1,100}/g, "$&\n")}end of the hook
chmod +x ${to}`;

const noHook = (why: string): UserError =>
  new UserError("no-hook", {
    what: "The check pre-commit cannot be run.",
    why,
    next: 'Install the hook, or name its command in loop.yaml: checks: [{ name: pre-commit, run: "…" }]',
  });

function isFile(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Git runs only executable hooks. */
const isProgram = (path: string): boolean => isFile(path) && (fs.statSync(path).mode & 0o111) !== 0;

const quoted = (word: string): string => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
