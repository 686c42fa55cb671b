// A request without a FEATURES.json is one feature: F001, with the request as its description. Its first criterion is the
// request, and the items of its lists are further ones: the person's own words, without what the request quotes.
import { UserError } from "../../core/errors.ts";
import { featureId } from "../../core/ids.ts";
import { ownWords } from "../contract/others-words.ts";
import { requestItems, withoutItems } from "../contract/request-items.ts";
import { shortened } from "../text/shortened.ts";
import type { FeatureEntry } from "./features-json.ts";
import { requestKind } from "./request-kind.ts";

const nameMax = 72;
const criterionMax = 300;
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

export function requestToFeature(request: string): FeatureEntry {
  const text = plain(ownWords(request));
  if (text === "") {
    throw new UserError("empty-request", {
      what: "There is nothing to do.",
      why: "The request is empty.",
      next: 'Say what should be done: loop "…"',
    });
  }
  const kind = requestKind(text);
  return {
    id: featureId("F001"),
    name: shortened(firstLine(text), nameMax),
    priority: 1,
    status: "not-started",
    description: request,
    criteria: criteriaIn(text),
    dependencies: [],
    designDoc: null,
    checks: null,
    mayTouch: null,
    ...(kind === null ? {} : { kind }),
  };
}

function criteriaIn(text: string): string[] {
  const items = requestItems(text).map((item) => shortened(item.replace(/ +/g, " "), criterionMax));
  if (items.length === 0) return [firstSentences(text)];
  const rest = firstSentences(withoutItems(text).replace(/:\s*$/, ""));
  return [...new Set(rest === "" ? items : [rest, ...items])];
}

// Control characters would reach terminals and commit messages; line breaks stay.
const plain = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(/[^\S\n]|[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, " ")
    .trim();

/** The first line, without heading or list markers, unless nothing else is in it. */
function firstLine(text: string): string {
  const line = (text.split("\n")[0] ?? "").replace(/ +/g, " ").trim();
  return line.replace(/^(?:#{1,6}|[-*+>]|\d{1,3}[.)]) +/, "") || line;
}

/** Whole sentences as far as they fit; at least the first, cut if necessary. */
function firstSentences(text: string): string {
  const start = text
    .slice(0, criterionMax * 4)
    .replace(/\s+/g, " ")
    .trim();
  let taken = "";
  for (const { segment } of sentences.segment(start)) {
    if (taken !== "" && (taken + segment).trim().length > criterionMax) break;
    taken += segment;
  }
  return shortened(taken.trim(), criterionMax);
}
