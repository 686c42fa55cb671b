// The kind of work that a request asks for, by the person's own words. Anything unclear is a change.
import type { FeatureKind } from "../../core/contract.ts";

const polite = /^(?:please|can you|could you|kindly)\s+/i;
/** Documents by their names: files, and the words that people use for them. */
const document = String.raw`(?:[\w./-]{1,100}\.(?:md|mdx|rst|adoc)|readme|changelog|contributing|licen[cs]e|documentation|docs|documents?|user guide|tutorial)\b(?!\s+(?:folder|parser|reader|command|page|route|flag)\b)`;
const edits =
  "add|write|create|update|fix|improve|extend|expand|correct|rewrite|revise|translate|proofread|mention|explain|describe|change|replace|put|shorten|reword";
/** "Write a README", "Add a file NOTES.md": the document is the object. */
const documents = new RegExp(
  String.raw`^(?:${edits})\b(?:\s+(?:[\w'’-]+|[\w.]+\([\w, ]*\))){0,6}?\s+["'\x60]?${document}`,
  "i",
);
/** "Change X to Y in README.md": the document is the place. The words before are the text, whatever they name. */
const inDocuments = new RegExp(
  String.raw`^(?:${edits})\b[^\n]{1,120}?\s(?:in|to|into)\s+(?:(?:the|our|its|file)\s+){0,2}["'\x60]?${document}(?!\s+(?:and|when|that|which|if)\b)`,
  "i",
);
/** "Document greet()" orders a text; "docs: …" and "Typo in README.md" are one by their first word. */
const documenting = /^(?:document\s+(?!\b(?:and|then)\b)|docs?(?:\([\w./-]*\))?:\s)/i;
const misspelt = new RegExp(
  String.raw`^(?:(?:there (?:is|are)|fix|correct)\s+)?(?:(?:a|an|the|some|all)\s+)?(?:typos?|spelling|misspellings?|grammar|wording)\b[^\n]{0,80}?\b(?:in|of)\s+(?:the\s+)?["'\x60]?${document}|^(?:(?:in|on)\s+)?(?:the\s+)?${document}\s*[:,]\s+[^\n]{0,200}\b(?:typos?|spelling|misspel\w+|should (?:be|read|say))\b`,
  "i",
);
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
  return isAboutDocuments(text) ? "docs" : null;
}

/** Only a change of nothing but documents is judged as one: with code in it, it is proved, whatever this says. */
function isAboutDocuments(text: string): boolean {
  if (documenting.test(text) || misspelt.test(text)) return true;
  const order = documents.exec(text)?.[0] ?? inDocuments.exec(text)?.[0];
  return order !== undefined && !code.test(order);
}
