// How random a text looks, compared with words, names and paths. All rules here use this one measure.

/**
 * The 200 most frequent of the 676 pairs of letters, counted in source code and documents. They cover nine of ten pairs
 * in words, and three of ten random pairs.
 */
const frequentPairs = new Set(
  (
    "ab ac ad ag ai ak al am an ap ar as at au ay ba be bj bl bo bu ca ce ch ck cl co cr ct cu da de di do du ea ec ed ee ef " +
    "eg el em en ep er es et ev ew ex ey fa fe fi fo fr fu ga ge gi gn gr ha he hi ho ht ia ic id ie if ig il im in io ip ir " +
    "is it iv je js ke ki la ld le li ll lo ls lt lu ly ma mb me mi mm mo mp na nc nd ne nf ng ni nl no ns nt nu ob oc od of " +
    "og ol om on oo op or os ot ou ov ow pa pe pi pl po pp pr ps pt pu qu ra rc rd re rg ri rk rm rn ro rr rs rt ru ry sa sc " +
    "se sh si so sp ss st su sy ta tc te th ti to tp tr ts tt tu ty ua ub ue ui ul um un ur us ut va ve vi wa we wh wi wn wo " +
    "xp xt yp"
  ).split(" "),
);

/** Logarithms of how much likelier a pair is in random text than in words. */
const weights = { frequent: -1.1, rare: 2.1, letterAndDigit: 2, other: 0 } as const;
/** Subtracted for each pair: without it, long texts would add up to anything. */
const perPair = 0.4;

/** Every key of 32 characters or more has a stretch of this; of ordinary lines, one in five hundred. */
export const randomStretch = 7;

type Kind = "lower" | "upper" | "digit" | "other";

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return "lower";
  if (code >= 65 && code <= 90) return "upper";
  return code >= 48 && code <= 57 ? "digit" : "other";
}

function weightOf(text: string, at: number): number {
  const [one, two] = [kindOf(text.charCodeAt(at)), kindOf(text.charCodeAt(at + 1))];
  if (one === "other" || two === "other") return weights.other;
  if (one === "digit" || two === "digit") return one === two ? weights.other : weights.letterAndDigit;
  // Where a new word begins inside a name, the two letters say nothing.
  if (one === "lower" && two === "upper") return weights.other;
  return frequentPairs.has(text.slice(at, at + 2).toLowerCase()) ? weights.frequent : weights.rare;
}

/**
 * The weight of the most random-looking stretch. A key inside a path, or after a word, scores as if it were alone: the
 * text around it cannot dilute it.
 */
export function stretchOf(text: string): number {
  let [here, best] = [0, 0];
  for (let at = 0; at + 1 < text.length; at++) {
    here = Math.max(0, here + weightOf(text, at) - perPair);
    best = Math.max(best, here);
  }
  return best;
}
