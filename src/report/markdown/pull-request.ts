// The texts of a pull request about a run.

import { shortLine } from "../../formats/text/shortened.ts";
import { visibleText } from "../../formats/text/visible-text.ts";
import type { Overview } from "../overview.ts";

type Head = { readonly branch: string; readonly isDefault: boolean } | { readonly commit: string } | null;

const titleMax = 100;

export function pullRequestTitle({ request, features }: Overview): string {
  const done = features.filter(isThere);
  const text = done.length === 1 ? (done[0]?.name ?? request) : (request.trim().split("\n")[0] ?? "");
  return shortLine(visibleText(text), titleMax);
}

const isThere = ({ commit, takenBack }: Overview["features"][number]): boolean => commit !== null && takenBack === null;

export function pullRequestBody(run: Overview): string {
  const done = run.features.filter(isThere);
  const open = run.features.filter(({ isDone }) => !isDone);
  const toRead = run.readFirst.filter(({ takenBack }) => takenBack === null);
  const first = toRead.map(({ commit, feature, why }) => `- \`${commit?.slice(0, 10)}\` ${feature}: ${why}`);
  const parts = [
    visibleText(run.request).trim(),
    "## Done\n",
    ...done.map(({ id, name, standing, restsOn, criteria }) =>
      [
        `- **${id} ${oneLine(name)}**: ${standing}${restsOn === "" ? "" : `; ${restsOn.replace(/ [█░]+/g, "")}`}`,
        ...criteria.map(({ text, isMet }) => `  - [${isMet ? "x" : " "}] ${oneLine(text)}`),
      ].join("\n"),
    ),
    ...(open.length === 0
      ? []
      : ["## Not done\n", ...open.map(({ id, name, standing }) => `- ${id} ${oneLine(name)}: ${standing}`)]),
    "## How it was checked\n",
    ...run.agreed.checks.map(({ name, run: command }) => `- ${name}: \`${oneLine(command).replaceAll("`", "'")}\``),
    ...(first.length === 0 ? [] : ["## Read first\n", ...first]),
  ];
  return `${visibleText(spaced(parts)).trim()}\n${closing(run.request)}`;
}

/** The issue that the request was read from, so that merging closes it. */
function closing(request: string): string {
  const from = /^From https?:\/\/[^/\s]+\/([\w.-]+\/[\w.-]+)\/issues\/(\d+)$/gm;
  const [, repository, number] = [...request.matchAll(from)].at(-1) ?? [];
  return number === undefined ? "" : `\nCloses ${repository}#${number}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A blank line around headings; lists stay together. */
const spaced = (parts: readonly string[]): string =>
  parts.map((part) => (part.startsWith("#") ? `\n${part}` : part)).join("\n");

export function pullRequestScript(
  run: Overview,
  head: Head,
  { root, title, body }: { readonly root: string; readonly title: string; readonly body: string },
): string {
  const last = run.iterations.findLast(({ commit }) => commit !== null)?.commit ?? "HEAD";
  const own = run.worktree?.isAhead === true ? run.worktree.branch : null;
  const current = head !== null && "branch" in head && !head.isDefault ? head.branch : null;
  const branch = own ?? current ?? `loop/${run.task}`;
  const isNew = own === null && current === null;
  const base = run.worktree?.onto ?? (head !== null && "branch" in head && head.isDefault ? head.branch : null);
  return `${[
    "#!/bin/sh",
    `# Written for run ${run.run}. It pushes a branch and opens a pull request. Read it, then run it yourself.`,
    "set -eu",
    `cd ${quoted(root)}`,
    // It can be run again, for example after a push that failed.
    ...(isNew
      ? [
          `git rev-parse --quiet --verify ${quoted(`refs/heads/${branch}`)} >/dev/null || git branch ${quoted(branch)} ${quoted(last)}`,
        ]
      : []),
    `git push --set-upstream origin ${quoted(branch)}`,
    `gh pr create --head ${quoted(branch)}${base === null || base === branch ? "" : ` --base ${quoted(base)}`} --title "$(cat ${quoted(title)})" --body-file ${quoted(body)}`,
  ].join("\n")}\n`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
