// The auditor: once everything is proved, does it meet the request? Compares the exact request with what exists.
import type { Gap } from "../../core/event.ts";
import { progressIn } from "../../core/progresses.ts";
import { parseReply } from "../../formats/reply/reply.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import type { ReadReply, RoleSpec, RoleTask } from "./role.ts";
import { decisions, objections, shapeOf, theRequest } from "./shared.ts";
import { quoted, sections } from "./text.ts";

const gapsMax = 20;

export const auditor: RoleSpec = {
  mayWrite: false,
  replySchema: replySchema("audit"),
  prompt: async ({ run, pair, ports }) =>
    sections(
      "You compare what was asked for with what exists now. You are in a clean checkout of the project as it is. Change nothing; run what you need to see.",
      theRequest(run, 6000),
      shapeOf(ports.files),
      quoted("What was built for it, as data:", built(run), 4000),
      decisions(run),
      objections(pair),
      `A gap is something that the request asks for, in its words or by what it plainly needs, and that is not there or does not work.
What would be nice, what is next to it, and how you would have done it are no gaps. Show each by evidence: a command and what it printed, a file, or the words of the request.`,
      `Reply with JSON: {"status": "passed" | "needs-followup", "summary": "…", "gaps": [{"id": "G1", "severity": "blocking" | "minor", "summary": "…", "criterion": "…", "evidence": ["…"]}], "revised_request": "…"}.
The criterion says what is true once the gap is closed ("--help lists every command"), not that something is missing. The revised request asks for the gaps alone, so that somebody who knows nothing else can do them.`,
    ),
  read: readAudit,
};

const built = ({ contract, progress }: RoleTask["run"]): string =>
  contract.features
    .filter(({ id }) => progressIn(progress, id)?.status === "complete")
    .map(({ id, name, criteria }) => [`${id}: ${name}`, ...criteria.map((each) => `- ${each}`)].join("\n"))
    .join("\n");

function readAudit(reply: unknown, { ports, pair }: RoleTask): ReadReply {
  const parsed = parseReply("audit", reply);
  if ("problem" in parsed) return parsed;
  if (parsed.status === "needs-followup" && parsed.gaps.length === 0)
    return { problem: "gaps is empty: a follow-up needs at least one." };
  const gaps = parsed.gaps.slice(0, gapsMax).map(
    ({ id, severity, summary, evidence, criterion }): Gap => ({
      id: id.slice(0, 20),
      blocking: severity === "blocking",
      text: summary.slice(0, 500),
      evidence: evidence.slice(0, 5).map((each) => each.slice(0, 300)),
      ...(criterion === null ? {} : { criterion: criterion.slice(0, 500) }),
    }),
  );
  const revised = (parsed.revisedRequest ?? gaps.map(({ text }) => text).join("\n")).slice(0, 10_000);
  const { files } = ports;
  files.write(`artifacts/audit/gaps-${pair?.round ?? 1}.json`, `${JSON.stringify({ version: 1, gaps }, null, 2)}\n`);
  if (gaps.length > 0) files.write("artifacts/audit/revised_request.md", `${revised}\n`);
  return { kind: "audited", summary: parsed.summary.slice(0, 2000), gaps, revised };
}
