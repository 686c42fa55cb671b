// The kind of work that a request asks for, by the person's own words. Anything unclear is a change.
import type { FeatureKind } from "../../core/contract.ts";

const polite = /^(?:please|can you|could you|kindly)\s+/i;
const documents =
  /^(?:add|write|create|update|fix|improve|extend|expand|correct|rewrite|revise|translate|proofread)\b(?:\s+[\w'’-]+){0,6}?\s+(?:readme|changelog|contributing|licen[cs]e|documentation|docs|documents?|user guide|tutorial)\b/i;
const tests =
  /^(?:add|write|create|extend|improve)\s+(?:(?:more|some|missing|unit|integration|regression|better|the|a)\s+)*tests?\s+(?:for|of|that|covering)\b|^(?:increase|improve|raise)\s+(?:the\s+)?(?:test\s+)?coverage\b/i;
const rearranged =
  /^(?:refactor|restructure|reorgani[sz]e|clean up|tidy(?: up)?|simplify|deduplicate|(?:remove|delete) (?:the |all )?(?:unused|dead|obsolete|deprecated)\b|(?:add|write) (?:missing )?(?:type (?:hints|annotations)|types|docstrings|jsdoc|comments)\b|(?:move|rename) (?:the )?(?:file |module |folder )?[\w.-]*\/[\w./-]+ )/i;
/** A second instruction may ask for anything. */
const another =
  /(?:\band|[.;,]|\bthen|\balso)\s+(?:then\s+|also\s+)?(?:add|implement|fix|change|make|support|remove|write|create|build|let|allow|return)\b/i;
/** Behavior that should change. */
const behaviour =
  /\b(?:so that|throws?|returns?|accepts?|rejects?|supports?|handles?|must|should|instead of|no longer)\b/i;
/** Statements that everything stays the same, and by what means: not a change of behavior. */
const stays =
  /(?:[;,.]|\band|\bbut)?\s{0,3}(?:(?:all|the|existing|old|its)\s+)*(?:tests?|behaviou?r|output|results?|api)\b(?:[^;.]|\.\S){0,200}?\b(?:must|should|has to|have to|needs? to)\s+(?:stay|remain|keep|be|pass|not change)\b(?:[^;.]|\.\S){0,200}/gi;
const otherMeans = /\b(?:use|using|with)\b(?:[^;.]|\.\S){0,200}?\binstead of\b/gi;
/** Code mentioned together with a document, and words that start another thought. */
const code =
  /\b(?:function|class|method|endpoint|route|flag|option|command|module|parameter|handler|component|test|crash|bug)(?:e?s)?\b|\b(?:and|when|that|which|if)\b/i;

export function requestKind(request: string): Exclude<FeatureKind, "change"> | null {
  const text = request.trim().replace(polite, "");
  if (another.test(text)) return null;
  if (rearranged.test(text)) return behaviour.test(text.replace(stays, "").replace(otherMeans, "")) ? null : "keep";
  if (tests.test(text)) return "judge";
  const order = documents.exec(text)?.[0];
  return order !== undefined && !code.test(order) ? "docs" : null;
}
