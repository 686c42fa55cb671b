// Ways to choose the step for a request: in sequence, by tool rounds, by a marker in the prompt, by a function.
import type { Fault, ModelRequest, Step } from "./step.ts";

/** Chooses the answer to a request. */
export type Script = (request: ModelRequest) => Step | string | Promise<Step | string>;

const aside: Step = { text: "ok" };

/** Step i answers the i-th request of the conversation; the last one repeats. A fault with `times` holds its step. */
export function queue(steps: readonly (Step | string)[]): Script {
  let at = 0;
  const fired = countFaults();
  return (request) => {
    if (request.side) return aside;
    const { step, held } = fired(stepAt(steps, at));
    if (!held) at += 1;
    return step;
  };
}

/**
 * Step i answers the request with i tool rounds since the last prompt; the last one repeats. Stateless, so an agent
 * that was killed and resumed gets the step that fits its own transcript.
 */
export function rounds(steps: readonly (Step | string)[]): Script {
  const fired = countFaults();
  return (request) => (request.side ? aside : fired(stepAt(steps, request.rounds)).step);
}

/** Several conversations on one server: the first marker found in the user's text picks the script. */
export function byMarker(scripts: Readonly<Record<string, Script>>, otherwise: Script = () => aside): Script {
  return (request) => {
    const said = request.prompts.join("\n");
    const marker = Object.keys(scripts).find((text) => said.includes(text));
    return ((marker === undefined ? undefined : scripts[marker]) ?? otherwise)(request);
  };
}

function stepAt(steps: readonly (Step | string)[], index: number): Step {
  const step = steps[Math.min(index, steps.length - 1)] ?? aside;
  return typeof step === "string" ? { text: step } : step;
}

// A fault that was hit often enough is removed from its step; until then the step does not advance.
function countFaults(): (step: Step) => { step: Step; held: boolean } {
  const met = new Map<Fault, number>();
  return (step) => {
    const { fault, ...rest } = step;
    if (fault?.times === undefined) return { step, held: false };
    const count = met.get(fault) ?? 0;
    met.set(fault, count + 1);
    return count < fault.times ? { step, held: true } : { step: rest, held: false };
  };
}
