// Answers what an agent asks leave for, by what its session is there to do.

const reading = new Set(["read", "search", "think", "fetch"]);

/**
 * Makers may do what they ask for, but for what no session does. Verifiers may look and run, and change nothing.
 * @returns {{ outcome: object, refused: string | null }}
 */
export function answerTo(request, { mayWrite, permissions, destructive }) {
  const { toolCall = {}, options = [] } = request;
  const why = permissions === "all" ? null : objection(toolCall, mayWrite, destructive);
  const wanted = why === null ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const fitting = wanted.flatMap((kind) => options.filter((each) => each.kind === kind));
  // Some can be told no in two ways, of which one ends the turn.
  const option = fitting.find(({ optionId }) => !/cancel|abort/i.test(optionId)) ?? fitting[0];
  const outcome = option === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: option.optionId };
  return { outcome, refused: why === null ? null : `${toolCall.title ?? toolCall.kind ?? "a tool"}: ${why}` };
}

function objection({ kind = "other", title = "", rawInput }, mayWrite, destructive) {
  const command = typeof rawInput === "object" ? commandIn(rawInput) : "";
  const rule = destructive.find(({ pattern }) => new RegExp(pattern).test(command || title));
  if (rule !== undefined) return rule.why;
  if (mayWrite || kind === "execute" || reading.has(kind)) return null;
  return "This session changes nothing.";
}

/** Agents call it differently, and some give it in words. */
function commandIn(input) {
  const command = input?.command ?? input?.cmd ?? "";
  return Array.isArray(command) ? command.join(" ") : String(command);
}
