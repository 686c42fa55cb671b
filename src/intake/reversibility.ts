// How long it would take to undo: 2A under a minute, 2B under five, 1 hours or never. When in doubt between 2B and 1: 1.
import { foreignDanger } from "./abroad.ts";
import { distinct, type Evidence, type FromRequest, findAll } from "./evidence.ts";
import { locators } from "./locators.ts";
import { hiding } from "./pasted.ts";
import type { Reading } from "./reading.ts";

export type Reversibility = "2A" | "2B" | "1";
export type ReversibilityFound = {
  readonly reversibility: Reversibility;
  readonly evidence: readonly Evidence[];
  readonly reasons: readonly string[];
};

type Danger = { readonly pattern: RegExp; readonly why: string };
const data =
  "(?:users?|customers?|accounts?|rows?|records?|(?:user |customer )?data|databases?|db|tables?|prod(?:uction)?|backups?|buckets?|volumes?|history|entries|columns?|collections?|log table)";
const near = "\\b[^.;\\n]{0,60}(?<![/\\w.-])";
const dangers: readonly Danger[] = [
  {
    pattern: new RegExp(
      `\\b(?:delete|remove|purge|wipe|erase|truncate|drop|clear out|destroy|overwrite|reset|merge|dedup\\w*|anonymi[sz]e|migrate)${near}${data}(?![\\w-]| of contents)`,
      "gi",
    ),
    why: "data that is deleted does not come back",
  },
  {
    pattern: new RegExp(
      `(?<![/\\w.-])${data}\\b[^.;\\n]{0,60}\\b(?:deleted|purged|wiped|dropped|truncated|erased)\\b`,
      "gi",
    ),
    why: "data that is deleted does not come back",
  },
  {
    pattern:
      /\b(?:(?:db|database|sql):? (?:drop|delete|truncate)|alter table|drop (?:table|column|database)|foreign keys?|primary keys?|(?:make|set)\b[^.;\n]{0,40}\b(?:unique|nullable|not null)|backfill\w*|(?:database|db) schema|schema (?:change|migration)s?|schemas? (?:of|for)\b[^.;\n]{0,30}\b(?:tables?|databases?|db)|migrations?\b(?! (?:to|from|guides?|docs?|notes?))|(?:add|create|drop|remove|rename|split|change|make)\b[^.;\n]{0,50}\bcolumns?\b(?![^.;\n]{0,60}\b(?:page|screen|view|overview|ui|csv|grid|report|dashboard)\b)|(?:add|create|drop|remove)\b[^.;\n]{0,30}\bindex(?:es)? (?:on|to|for)|(?:rename|split|move|merge|partition)\b[^.;\n]{0,30}\btables?)\b/gi,
    why: "a schema that others' data depends on changes",
  },
  {
    pattern:
      /\bpublic api\b|\bbreaking changes?\b|\b(?:remove|delete|drop|change|rename|deprecate|rework)\b[^.;\n]{0,40}\b(?:endpoints?|responses?|(?:rest |http |public )?apis?|exported (?:functions?|types?|names?)|public (?:methods?|exports?|interfaces?)|sdk|wire format|file format|protocol)\b/gi,
    why: "others build on what is public",
  },
  {
    pattern:
      /\b(?:publish|release|deploy|ship|roll out|submit)\b[^.;\n]{0,40}(?:\b(?:npm|pypi|crates|maven|prod(?:uction)?|registry|app store|live|customers|packages?|docker hub|versions?)\b|\bv?\d+\.\d+|\bv\d)|\b(?:prepare|cut|tag|make|do)\b[^;\n]{0,20}\brelease\b|\bforce[- ]push\w*|\brewrite (?:the )?(?:git )?history\b|\bcleaned history\b|\b(?:send|mail|e-?mail|notify)\b[^.;\n]{0,30}\ball (?:our )?(?:users|customers|subscribers)\b|\bnewsletter\b/gi,
    why: "what is out cannot be called back",
  },
  {
    pattern:
      /(?<![/\w-])(?:payments?|stripe|paypal|refunds?|payouts?|charg(?:ed?|es|ing) (?:twice|customers?|cards?|users?|the)|charged|chargebacks?|credit cards?)\b/gi,
    why: "money moves",
  },
  {
    pattern:
      /\b(?:oauth\w?|sso|saml|ldap|jwts?|passwords? (?:hash\w*|reset|storage)|permissions?|access control|rbac|acls?|admin checks?|authori[sz]ation|authentication|auth(?:entication)? (?:flow|logic|scheme)|(?:session|login|access|refresh|api|auth|bearer)[ -](?:tokens?|keys?)|tokens?\b[^.;\n]{0,40}\b(?:expir|revo[ck]|invalidat)\w*|(?:expir|revo[ck]|invalidat)\w*[^.;\n]{0,40}\btokens?|signing keys?|reset\b[^.;\n]{0,20}\bpasswords?|impersonat\w*|rotate\b[^.;\n]{0,20}\b(?:keys?|secrets?)|(?:re-?)?encrypt\w*|decrypt\w*|2fa|mfa|csrf)\b/gi,
    why: "who may do what depends on it",
  },
  {
    pattern:
      /\b(?:terraform|dns|firewall|iam|kubernetes cluster|prod(?:uction)? (?:database|db|servers?|s3|bucket|cluster|environment|data))\b/gi,
    why: "it reaches systems that git cannot put back",
  },
];

const rest = "(?:(?! and | but | then )[^.;,:\\n]){0,80}";
/**
 * Things that are named only to be left alone are not in danger. "Who do not pay" leaves nothing alone, so the verb has
 * to fit.
 */
const leftAlone = new RegExp(
  `\\b(?:don['’]?t|do not|never|must not|mustn['’]?t|should not|shouldn['’]?t|avoid) (?:just |ever )?(?:touch|chang|break|alter|modify|delet|remov|dropp?|add|publish|deploy|releas|migrat|renam|rewrit|affect|us|send|push|edit|introduc|requir)(?:e|ing)?\\b${rest}|\\b(?:without|instead of|keep(?:ing)?)\\b${rest}|\\bno (?!longer)[\\w-]{2,30}(?: [\\w-]{2,30}){0,2}|[^.;,:\\n]{0,60}\\b(?:unchanged|untouched|stays? the same|stays? as)\\b`,
  "gi",
);
const sql = /\b(?:drop (?:table|database|schema)|truncate table|delete from|alter table)\b/gi;

export function reversibilityOf(reading: Reading): ReversibilityFound {
  const { plain, prose, text, language } = reading;
  const small = smallThings(reading);
  const meant = hiding(plain, leftAlone);
  const foreign = foreignDanger.map(({ pattern, why }) => ({ why, found: findAll(pattern, plain, text, 2) }));
  const found = [
    ...dangers.map(({ pattern, why }) => ({ why, found: findAll(pattern, meant, text, 2) })),
    { why: "data that is deleted does not come back", found: findAll(sql, hiding(prose, leftAlone), text, 2) },
    ...foreign,
    { why: "what is out cannot be called back", found: goingOut(reading) },
  ].filter((each) => each.found.length > 0);
  // Correcting a word about payments in the handbook moves no money.
  if (found.length > 0 && !(small.isText && found.every(({ why }) => !outward.has(why))))
    return {
      reversibility: "1",
      evidence: distinct(found.flatMap((each) => each.found)),
      reasons: unique(found.map(({ why }) => why)),
    };
  if (small.evidence.length > 0) return { reversibility: "2A", evidence: small.evidence, reasons: [small.why] };
  const cannotSee = language.isKnown ? [] : ["the rules know few words of its language, so a danger may go unseen"];
  return {
    reversibility: "2B",
    evidence: [],
    reasons: ["a change to code, undone by going back to a checkpoint", ...cannotSee],
  };
}

/** "Release the lock" has no outside effect; "publish" as an order does. */
function goingOut({ deeds, text }: Reading): FromRequest[] {
  const inside = /^(?:events?|messages?|locks?|memory|resources?|handles?|connections?|buffers?)$/;
  return deeds
    .filter(({ verb }) => ["publish", "deploy", "release", "ship", "force-push"].includes(verb))
    .filter(({ object }) => !object.slice(0, 4).some((word) => inside.test(word.text)))
    .map(({ at, length }) => ({ text: text.slice(at, at + length), at }));
}

const outward = new Set([
  "data that is deleted does not come back",
  "what is out cannot be called back",
  "a schema that others' data depends on changes",
]);
const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

type Small = { readonly isText: boolean; readonly evidence: readonly Evidence[]; readonly why: string };
const nothingSmall: Small = { isText: false, evidence: [], why: "" };

/** Texts, settings, names, formatting, tests: a single step undoes them. */
function smallThings(reading: Reading): Small {
  const { plain, prose, text, deeds, symptoms } = reading;
  if (symptoms.length > 0) return nothingSmall;
  const places = locators(reading).filter(({ text: place }) => /[./]|README|CHANGELOG|LICENSE/.test(place));
  const isDoc = (place: string): boolean =>
    /\.(?:md|rst|txt|adoc)$|^(?:README|CHANGELOG|LICENSE|CONTRIBUTING)\b/.test(place);
  if (places.length > 0 && places.every(({ text: place }) => isDoc(place)))
    return { isText: true, evidence: places, why: "only texts change" };
  const typos = findAll(
    /\b(?:typos?|spelling|misspelling|wording|docstrings?|(?:in|to) the (?:docs|readme|handbook)|documentation|code comments)\b/gi,
    plain,
    text,
    2,
  );
  if (typos.length > 0 && deeds.length <= 1) return { isText: true, evidence: typos, why: "only texts change" };
  const [first, second] = deeds;
  if ((first?.verb === "document" || first?.verb === "docs") && second === undefined)
    return {
      isText: true,
      evidence: [{ text: text.slice(first.at, first.at + first.length), at: first.at }],
      why: "only texts change",
    };
  if (first === undefined || (second !== undefined && second.workflow !== null)) return nothingSmall;
  const order = { text: text.slice(first.at, first.at + first.length), at: first.at };
  if (["rename", "reformat", "format", "lint"].includes(first.verb))
    return { isText: false, evidence: [order], why: "a change of names or form" };
  if (
    ["add", "write", "create"].includes(first.verb) &&
    first.object.slice(0, 4).some((word) => /^tests?$/.test(word.text))
  )
    return { isText: false, evidence: [order], why: "only tests are added" };
  const config = findAll(
    /\bconfig\S{0,60}\.(?:ya?ml|json|toml|ini|env)\b|\S{0,60}\.(?:ya?ml|toml|ini)\b/gi,
    prose,
    text,
    2,
  );
  if (
    ["set", "change", "lower", "bump", "update"].includes(first.verb) &&
    config.length > 0 &&
    places.length === config.length
  )
    return { isText: false, evidence: config, why: "a setting changes" };
  return nothingSmall;
}
