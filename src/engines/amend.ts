// Amends the request of a task. The original request is kept word for word; the amended one counts.
import { UserError } from "../core/errors.ts";
import { type FeatureId, featureId } from "../core/ids.ts";
import { progressIn } from "../core/progresses.ts";
import type { Run } from "../core/run.ts";
import { isFinished } from "../core/tally.ts";
import { parseFeaturesJson } from "../formats/queue/features-json.ts";
import { appendFeatures, nextNumber } from "../formats/queue/features-render.ts";
import { requestToFeature } from "../formats/queue/request-to-feature.ts";
import { highestInRuns } from "../project/queue/used-numbers.ts";
import { runFiles } from "../project/runs/home.ts";
import { featuresInScope } from "../runtime/inputs.ts";
import type { SignalFact } from "../runtime/ports.ts";
import { featuresPath, featuresSource } from "../runtime/records/paths.ts";
import type { Changes } from "./engine.ts";
import type { Running } from "./running.ts";

type IntentMode = NonNullable<Changes["intent"]>["mode"];

/** The event, and the run's files that go with it: what was said, and the work queue if it was made from the request. */
export type Amendment = { readonly fact: SignalFact; readonly files: Readonly<Record<string, string>> };

/** Null: nothing changes. Writes nothing. */
export function amendment({ home, plan, story }: Running, mode: IntentMode, text: string): Amendment | null {
  if (mode === "preserve") return null;
  if (text.trim() === "")
    throw new UserError("empty-request", {
      what: "Nothing was changed.",
      why: "The new request is empty.",
      next: 'loop continue --intent append "…"',
    });
  const { run } = story;
  const { contract } = run;
  const isFromQueue = !contract.stages.includes("plan") && plan.isDrafted !== true;
  if (isFromQueue) throw queueDecides(contract.recordsDir);
  const request = mode === "replace" ? text : `${contract.request}\n\n${text}`;
  if (request === contract.request) return null;
  const said = { [`request-${run.spent.sessions}-${mode}.md`]: `${text}\n` };
  const dropped = mode === "replace" ? replacedBy(run) : [];
  const fact = { type: "amended", mode, text, request, ...(dropped.length === 0 ? {} : { dropped }) } as const;
  if (contract.stages.includes("plan")) return { fact, files: said };
  const queue = queueFor(runFiles(home.dir), { dropped, text, highestUsed: highestInRuns(home.project.root) });
  const features = featuresInScope(parseFeaturesJson(queue, featuresSource), contract.scope);
  return { fact: { ...fact, features }, files: { ...said, [featuresSource]: queue } };
}

/** What the run works on is not made from a request, so that another request would change nothing. */
const queueDecides = (recordsDir: string): UserError =>
  new UserError("queue-decides", {
    what: "Nothing was changed.",
    why: `The run works on the features in ${featuresPath(recordsDir)}, not on a request.`,
    next: `Add or change a feature in ${featuresPath(recordsDir)} while the run rests, then: loop continue`,
  });

/** Everything that is not done yet. A plan that is partly built stays: its planner would not know what is there. */
function replacedBy(run: Run): FeatureId[] {
  const { contract, progress } = run;
  if (contract.stages.includes("plan") && progress.all.some(({ commit }) => commit !== null)) return [];
  return contract.features.map(({ id }) => id).filter((id) => isOpen(run, id));
}

/** New text becomes a separate feature; features drafted from text that no longer counts are dropped. */
function queueFor(
  files: ReturnType<typeof runFiles>,
  { dropped, text, highestUsed }: { dropped: readonly string[]; text: string; highestUsed: number },
): string {
  const raw = files.read(featuresSource) ?? '{ "version": 1, "features": [] }\n';
  const { features } = parseFeaturesJson(raw, featuresSource);
  const json = JSON.parse(raw) as { features: { id: string }[] };
  const kept = JSON.stringify({ ...json, features: json.features.filter(({ id }) => !dropped.includes(id)) });
  const number = Math.max(highestUsed + 1, nextNumber({ features }));
  const id = featureId(`F${String(number).padStart(3, "0")}`);
  return appendFeatures(kept, [{ ...requestToFeature(text), id }]);
}

/** A commit stays, and so does the feature that it is of. */
const isOpen = (run: Run, id: FeatureId): boolean => {
  const progress = progressIn(run.progress, id);
  return progress !== undefined && !isFinished(progress) && progress.commit === null;
};
