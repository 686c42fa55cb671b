// Requests that begin with a tag ("fix(auth): …", "[Bug] …") or with a wish ("an option to …") instead of an order.
import type { Workflow } from "./deeds.ts";

export type Heading = {
  readonly verb: string;
  readonly at: number;
  readonly length: number;
  readonly workflow: Workflow;
};

const tag = /^\s{0,20}(?:\[([A-Za-z ]{2,30})\]|([A-Za-z]{2,12})(?:\([^)\n]{1,40}\))?!?:(?=\s))/;
const wish =
  /\b(?:an? )?(?:option|ability|possibility|support|way) (?:to|for)\b|\bit(?:['’]d| would) be (?:nice|great|good|cool|useful|helpful) (?:if|to)\b|\b(?:i|we)(?:['’]d| would) like (?:to|an?|the)\b|\b(?:can|could) we (?:have|get)\b/i;
const tags: Readonly<Record<Workflow, readonly string[]>> = {
  build: ["feat", "feature", "feature request", "enhancement", "request", "docs", "doc", "test", "tests"],
  debug: ["fix", "bug", "bugfix", "hotfix", "bug report", "issue", "regression"],
  refactor: ["refactor", "chore", "perf", "style", "cleanup", "refactoring", "deps"],
};

export function headingOf(plain: string): Heading | null {
  const begin = plain.slice(0, 400);
  const [all, bracket, word] = tag.exec(begin) ?? [];
  const name = (bracket ?? word ?? "").trim().toLowerCase();
  const workflow = (["build", "debug", "refactor"] as const).find((each) => tags[each].includes(name));
  if (all !== undefined && workflow !== undefined) {
    const lead = all.length - all.trimStart().length;
    return { verb: name, at: lead, length: all.length - lead, workflow };
  }
  const found = wish.exec(begin);
  return found === null ? null : { verb: "wish", at: found.index, length: found[0].length, workflow: "build" };
}
