// What to ask if a dimension is missing, with an example answer that fits the request.
import type { Workflow } from "./deeds.ts";
import { clause, type DimensionName } from "./dimensions.ts";
import type { Known } from "./known.ts";
import type { Reading } from "./reading.ts";

export const questions: Readonly<Record<DimensionName, string>> = {
  outcome: "What will be different when this is done, so that somebody could see or measure it?",
  scope: "Where: which files, routes, commands or screens?",
  constraints: "What must not change, and what does the work have to keep to?",
  success: "How would you tell that it worked: which command, test, number or observation?",
  done: "When is it over: what is the last thing that has to be true?",
};

type Examples = Readonly<Record<Workflow, string>>;
const about = (thing: string | null, text: (thing: string) => string, otherwise: string): string =>
  thing === null ? otherwise : text(thing);

export function exampleFor(name: DimensionName, workflow: Workflow, reading: Reading, known: Known): string {
  const thing = thingOf(reading);
  const check = known.checks?.[0]?.run ?? "npm test";
  const examples: Readonly<Record<DimensionName, Examples>> = {
    outcome: {
      build: about(
        thing,
        (it) => `With ${it} in place, \`list --sort date\` prints the newest first.`,
        "`list --sort date` prints the newest first.",
      ),
      debug: 'Saving an empty form shows "name is required" instead of a blank page.',
      refactor: about(
        thing,
        (it) => `After the work on ${it}, the p95 of GET /api/search is below 100 ms.`,
        "The p95 of GET /api/search is below 100 ms.",
      ),
    },
    scope: {
      build: about(
        thing,
        (it) => `${capital(it)}: only in src/cli/list.ts and its test.`,
        "Only src/cli/list.ts and its test.",
      ),
      debug: about(
        thing,
        (it) => `${capital(it)}: POST /api/login in src/api/login.ts.`,
        "POST /api/login, in src/api/login.ts.",
      ),
      refactor: about(
        thing,
        (it) => `${capital(it)}: all files below src/store, nothing else.`,
        "All files below src/store, nothing else.",
      ),
    },
    constraints: {
      build: "No new dependencies, and the output without the new option stays byte for byte the same.",
      debug: "No retries or sleeps, and no change to the exported functions.",
      refactor: "Exported names stay as they are, and tests are not touched.",
    },
    success: {
      build: `\`${check}\` is green, with a new test for ${thing ?? "the new behaviour"}.`,
      debug: `A test that fails today shows the bug, and \`${check}\` is green.`,
      refactor: `\`${check}\` is green without a change to any test.`,
    },
    done: {
      build: `Done when \`${check}\` is green and the README shows ${thing ?? "how to use it"}.`,
      debug: `Done when the failing case has a test and \`${check}\` is green.`,
      refactor: `Done when nothing uses the old code any more and \`${check}\` is green.`,
    },
  };
  return examples[name][workflow];
}

const thingMax = 40;

/** What the first order is about, in the request's own words, if short enough to quote. */
function thingOf({ plain, text, deeds, language }: Reading): string | null {
  const deed = deeds.find(({ content }) => content.length > 0);
  const [first] = deed?.object ?? [];
  if (deed === undefined || first === undefined || !language.isKnown) return null;
  const end = /[,:(]| (?:so|that|when|which|until|because|if|and|with|without|to|in|on|for|from|by) /.exec(
    clause(plain, first.at),
  )?.index;
  const found = text
    .slice(first.at, first.at + (end ?? clause(plain, first.at).length))
    .replace(/\s+/g, " ")
    .trim();
  const bare = found.replace(/^(?:me|us) /i, "").replace(/[\u0000-\u001f\u007f]/g, "");
  return bare === "" || bare.length > thingMax || bare.split(" ").length > 6 ? null : bare;
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
