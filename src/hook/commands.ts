// The /loopwright commands, as a person types them. Light: every prompt of every session may pass through here.
import { requestItems } from "../formats/contract/request-items.ts";

export type TypedCommand =
  | {
      readonly is: "start";
      readonly request: string;
      readonly criteria: readonly string[];
      readonly iterations: number | null;
    }
  | { readonly is: "continue"; readonly iterations: number | null }
  /** A cap on cost was asked for, which a held session cannot have. */
  | { readonly is: "budget" }
  | { readonly is: "release" | "accept" | "status" };

// The CLI has its own /loop, so that one is ours only with our prefix.
const ours =
  /^\s*\/(?:loopwright:(loop|loop-continue|loop-release|loop-accept|loop-status)|(loop-continue|loop-release|loop-accept|loop-status))(?![\w:-])([\s\S]*)$/;

export function readCommand(prompt: string): TypedCommand | null {
  const [, named, short, rest = ""] = ours.exec(prompt) ?? [];
  const name = named ?? short;
  if (name === undefined) return null;
  const { iterations, budget, text } = withoutFlags(rest);
  if (budget !== null) return { is: "budget" };
  const said =
    name === "loop"
      ? (/^(continue|cancel|release|accept|status)$/.exec(text)?.[1] ?? "start")
      : name.slice("loop-".length);
  switch (said) {
    case "start":
      return { is: "start", request: text, criteria: requestItems(text), iterations };
    case "continue":
      return { is: "continue", iterations };
    case "status":
    case "accept":
      return { is: said };
    default:
      return { is: "release" };
  }
}

/** `--iterations 5` or `--iterations=5`, first or last, and `--budget` in the same way. */
function withoutFlags(rest: string): { iterations: number | null; budget: number | null; text: string } {
  const budget = withoutFlag("budget", rest.trim());
  const iterations = withoutFlag("iterations", budget.text);
  return { iterations: iterations.value, budget: budget.value, text: iterations.text };
}

function withoutFlag(name: string, text: string): { value: number | null; text: string } {
  const flag = new RegExp(`^--${name}[= ]\\$?(\\d{1,4})(?=\\s|$)|(?<=\\s)--${name}[= ]\\$?(\\d{1,4})$`);
  const found = flag.exec(text);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? { value: null, text } : { value: Number(value), text: text.replace(flag, "").trim() };
}
