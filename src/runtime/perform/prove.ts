// Has the prover prove a candidate. On retry: it is proved again; the candidate is a fixed tree.

import type { Cause } from "../../core/cause.ts";
import type { Effect } from "../../core/effect.ts";
import { allowedFeature } from "../../core/held.ts";
import { progressIn } from "../../core/progresses.ts";
import type { Run } from "../../core/run.ts";
import { readHidden } from "../../formats/reply/reply-exam.ts";
import { hiddenPlace, type Proved, type ProveOrder } from "../../proof/prover.ts";
import type { Ports, Result } from "../ports.ts";
import { keepProved } from "../proof-record.ts";
import { keepFolder } from "./folder.ts";

export async function prove(
  { work, candidate }: Extract<Effect, { do: "prove" }>,
  run: Run,
  ports: Ports,
  cut: AbortSignal,
): Promise<Result> {
  const order: ProveOrder = {
    contract: run.contract,
    feature: allowedFeature(run, work.feature),
    earlier: run.contract.features.filter(
      ({ id }) => id !== work.feature && progressIn(run.progress, id)?.status === "complete",
    ),
    base: work.base.tree,
    candidate,
    ...(run.origin === null ? {} : { person: run.origin.person ?? run.origin.tree }),
    label: `${work.feature}-i${work.iteration}`,
    ...(work.decided === undefined ? {} : { decided: work.decided }),
    ...hiddenFor(run, work.feature, ports),
  };
  const proved = await ports.prover.prove(order, cut);
  await keepFolder(run, candidate, `seen after the proof of ${work.feature}`, ports);
  if (proved.cut) return { type: "cut", usage: null };
  keepProved(ports.files, work, candidate, proved);
  for (const note of proved.notes.slice(0, notesMax)) ports.note("proof", note.slice(0, textMax));
  const { grade, proof, contradiction } = proved;
  return {
    type: "proved",
    candidate,
    proof,
    grade,
    checks: proved.checks.slice(0, checksMax),
    failures: proved.failures.slice(0, listMax).map(bounded),
    missing: proved.missing.slice(0, listMax).map((text) => text.slice(0, textMax)),
    ...(proved.isForPerson === true ? { isForPerson: true } : {}),
    contradiction: contradiction === null ? null : boundedNames(contradiction),
  };
}

function hiddenFor({ contract }: Run, feature: string, { files }: Ports): Pick<ProveOrder, "hidden"> {
  const place = hiddenPlace(feature);
  const hidden = contract.proof.depth === "deep" ? readHidden(files.read(place), files.path(place)) : null;
  return hidden === null || hidden.length === 0 ? {} : { hidden };
}

// An event is one line of the journal, so long output is truncated here. The proof's own record has all of it.
const checksMax = 60;
const listMax = 20;
const notesMax = 5;
const textMax = 500;
const causeMax = 3000;
const namesMax = 50;

const bounded = (cause: Cause): Cause => ({
  ...cause,
  key: cause.key.slice(0, 300),
  text: cause.text.slice(0, causeMax),
});

function boundedNames({ files, tests }: NonNullable<Proved["contradiction"]>): NonNullable<Proved["contradiction"]> {
  const names = (all: readonly string[]): string[] => all.slice(0, namesMax).map((name) => name.slice(0, 300));
  return { files: names(files), tests: names(tests) };
}
