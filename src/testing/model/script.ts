// Ways to decide which step answers a request: one after the other, by tool rounds, by a marker in the prompt, by function.
import type { Fault, ModelRequest, Step } from "./step.ts";

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
 * Step i answers the request that has i tool rounds since the last prompt; the last one repeats. Nothing is remembered,
 * so an agent that was killed and resumed gets the step that fits its own transcript.
 */
export function rounds(steps: readonly (Step | string)[]): Script {
  const fired = countFaults();
  return (request) => (request.side ? aside : fired(stepAt(steps, request.rounds)).step);
}

/** Several conversations on one server: the first marker found in what the user said picks the script. */
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

// A fault that has been met often enough is taken out of its step; until then the step is held where it is.
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
