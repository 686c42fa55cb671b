// Answers an agent's permission requests by the role of its session.
import { homedir, tmpdir } from "node:os";
import { refusalOf } from "../cli/refusals.mjs";

const reading = new Set(["read", "search", "think", "fetch"]);

/**
 * Makers may do what they ask for, except what no session may do. Verifiers may read and run, but change nothing.
 * @returns {{ outcome: object, refused: string | null, destructive: { command: string, why: string } | null }}
 */
export function answerTo(request, { mayWrite, permissions, cwd, why: words }) {
  const { toolCall = {}, options = [] } = request;
  const place = { cwd, workspace: cwd, home: homedir(), temp: tmpdir(), why: words };
  const broken = permissions === "all" ? null : refusalOf(commandOf(toolCall), place);
  const why = permissions === "all" ? null : (broken ?? objection(toolCall, mayWrite));
  const wanted = why === null ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const fitting = wanted.flatMap((kind) => options.filter((each) => each.kind === kind));
  // Some have two options for no, one of which ends the turn.
  const option = fitting.find(({ optionId }) => !/cancel|abort/i.test(optionId)) ?? fitting[0];
  const outcome = option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId };
  return {
    outcome,
    refused: why === null ? null : `${toolCall.title ?? toolCall.kind ?? "a tool"}: ${why}`,
    destructive: broken === null ? null : { command: commandOf(toolCall).slice(0, 1000), why: broken },
  };
}

const commandOf = ({ title = "", rawInput }) => (typeof rawInput === "object" ? commandIn(rawInput) : "") || title;

function objection({ kind = "other" }, mayWrite) {
  if (mayWrite || kind === "execute" || reading.has(kind)) return null;
  return "This session changes nothing.";
}

/** Agents name it differently, and some give it as a list. */
function commandIn(input) {
  const command = input?.command ?? input?.cmd ?? "";
  return Array.isArray(command) ? command.map(quoted).join(" ") : String(command);
}

const quoted = (word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${String(word).replaceAll("'", `'\\''`)}'`);
