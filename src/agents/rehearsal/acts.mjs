// Named behaviors, for a scene without explicit steps. Part of the player: plain JavaScript.

/** What each role replies on success. @param {string} role */
export function usualReply(role) {
  if (role === "evaluator" || role === "skeptic" || role.endsWith("-verifier")) {
    return { verdict: "pass", summary: "Rehearsed: all criteria are met.", criteria: [] };
  }
  if (role === "auditor") return { status: "passed", gaps: [] };
  return { status: "done", summary: "Rehearsed: the work is done." };
}

/**
 * @param {{ act?: string, steps?: object[], wrong?: object[], reply?: object, pace_ms?: number }} scene
 * @param {{ role: string, attempt: number }} now
 * @returns {object[]}
 */
export function stepsOf(scene, { role, attempt }) {
  const work = scene.steps ?? [];
  const reply = { do: "reply", reply: scene.reply ?? usualReply(role) };
  const half = Math.ceil(work.length / 2);
  switch (scene.act) {
    case undefined:
      return work;
    case "honest":
      return [...work, reply];
    case "slow":
      return [...work.flatMap((step) => [{ do: "sleep", ms: scene.pace_ms ?? 1000 }, step]), reply];
    case "wrong-first-then-right":
      return attempt === 1 ? [...(scene.wrong ?? []), reply] : [...work, reply];
    case "lying":
      return [reply];
    case "hanging":
      return [{ do: "print", text: "thinking" }, { do: "ignore-term" }, { do: "hang" }];
    case "crashing":
      // It crashes in the middle, once: resumed, it continues with the second half.
      return [...work.slice(0, half), { do: "crash" }, ...work.slice(half), reply];
    case "limited":
      return [{ do: "limited", retry_after_s: 5 }, ...work, reply];
    case "flooding":
      return [{ do: "flood", mb: 20, kind: "lines" }, { do: "flood", mb: 5, kind: "one-line" }, ...work, reply];
    default:
      throw new Error(`no such act: ${scene.act}`);
  }
}
