// Findings about the whole run by the planner, the skeptic and the auditor, and their cost.
import type { Run } from "../../core/run.ts";
import type { Chronicle } from "../chronicle.ts";
import { count, money } from "./words.ts";

/** Lines for a report, the most important first; none if no session looked at the whole run. */
export function wholeLines({ audit, contract }: Run, { whole }: Chronicle): string[] {
  if (whole.length === 0) return [];
  const gaps = [...(audit?.gaps ?? [])].sort((a, b) => Number(b.blocking) - Number(a.blocking));
  const { of, depth } = contract.followUp;
  const paid = whole.reduce((sum, { costUsd }) => sum + costUsd, 0);
  return [
    ...(of === null ? [] : [`This run follows up on ${of} (${count(depth, "step")} deep).`]),
    ...gaps.map(({ id, blocking, text }) => `${blocking ? "Missing" : "Noted"}: ${id} ${text}`),
    ...(isAudited(whole) && gaps.length === 0 ? ["The audit found nothing missing."] : []),
    ...whole
      .filter(({ how }) => how === "fail")
      .map(({ role, says }) => `The ${role.replaceAll("-", " ")} objected: ${says.replace(/\s+/g, " ").slice(0, 300)}`),
    `${count(whole.length, "session")} about the whole (${[...new Set(whole.map(({ role }) => role))].join(", ")}), ${money(
      paid,
      whole.some(({ estimated }) => estimated),
    )}.`,
  ];
}

const isAudited = (whole: Chronicle["whole"]): boolean =>
  whole.some(({ role, how }) => role === "auditor" && how === "pass");
