// The patterns for the five dimensions. None has nested repetition, and none spans a line.

/** A number to reach. */
export const measured =
  /(?:<=?|>=?|≤|≥|\bunder|\bbelow|\babove|\bat least|\bat most|\bless than|\bmore than|\bfewer than|\bwithin|\btarget(?: of)?|\bto under|\bno more than|\bexceeds?)\s{0,3}~?\d[\d.,]{0,12}\s{0,2}(?:%|ms|s|sec\w{0,5}|min\w{0,5}|hours?|[kmg]b|rps|lines?|loc|x|days?)?|\bp\d\d\b|\bfrom v?\d[\d.]{0,8} ?\w{0,3} to v?\d[\d.]{0,8}/gi;

/** An exact value. */
export const exactValue =
  /\b(?:to|as|at) (?:[A-Z][\w.+-]{1,30} )?[\^~]?v?\d[\d.,]{0,12}(?: ?(?:%|ms|s|sec\w{0,5}|min\w{0,5}|hours?|[kmg]b|px|days?))?(?![\w])/gi;

/** How long to go on, and nothing about what should be done. */
export const persistence =
  /\b(?:please|and|just|now|keep (?:going|on|at it|working|trying|iterating)|(?:don['’]?t|do not|never) (?:stop|give up)|continue|go on|loop|iterate|until (?:it(?:['’]s| is)? |you(?:['’]re| are) |everything(?: is)? )?(?:done|finished|complete|ready|works?|passes|green)|until (?:all )?(?:the |of the )?tests? (?:pass|are green|are passing))\b/gi;

/** The suite itself is the goal. */
export const testsPass =
  /\b(?:tests?|suite|specs?|ci|build|lint|`?npm test`?)(?: (?:must|should|to|all|still|is|are|run|and|run and|stays?|be|sollen)){0,4} (?:pass(?:es|ing)?|green)\b|\bfail+ing (?:unit |integration |e2e )?(?:tests?|specs?|build)\b|\b(?:make|get|turn) (?:the |all |all the )?(?:tests?|suite|ci|build) (?:pass|green|work)\b|\btests? fail(?:s|ing)?\b|\bci is (?:red|failing|broken)\b|\ball tests pass\b/gi;

const soft =
  "(?! (?:be )?(?:more |very |really |a bit )?(?:better|nicer?|robust|clean\\w*|modern|fast\\w*|good|great|stable|secure|probably|maybe|do something|do|scalable|production|easy|easier|simple\\w*))";
/** Visible behaviour. */
export const observable = new RegExp(
  `\\b(?:should|must)\\b(?! not)${soft}|\\b(?:re)?format\\w* [^\\n.;]{0,30}\\bwith \\w+|\\breturns? (?:a |an )?(?:\\d{3}|[\\w"'{[]+)|\\binstead of\\b|\\bexpected\\b|\\bso that\\b|\\b(?:exits?|responds?|fails?) with\\b|\\bthrows?\\b|\\bgives? (?:a )?\\d{3}\\b|\\bgets? (?:a )?[45]\\d\\d\\b|\\b(?:then|otherwise) \\d{3}\\b|\\bprints?\\b|\\bcan be\\b|\\bis (?:shown|printed|returned|skipped|ignored|counted)\\b|\\bable to\\b`,
  "gi",
);

const literal = "(?:[\"'“`[{]|-?\\d|(?:true|false|null|undefined|None|True|False|nil)\\b)";
const gives = "(?:is|returns?|gives?|equals?|becomes?|yields?|(?:should|must) (?:be|return|give|equal)|={2,3}|[=-]>|→)";
const amount = "\\d{0,9}(?:\\.\\d{1,9})? ?(?:x|%|times|ms|sec\\w{0,5}|s)(?!\\w)";
const call = "\\b[\\w$.]{1,60}";
const result = `\\(${literal}[^()\\n]{0,80}\\)\`?\\s{0,3}${gives}\\s{0,3}\`?${literal}(?!${amount})[^\\n;]{0,60}`;
/** A call with its expected result, `slug("A b") is "a-b"`: not a measurement, `load(1) is 3 times slower`. */
export const workedExample = new RegExp(call + result, "g");
/** What an example calls: the thing that has to give the result. */
export const calledInExample = new RegExp(`${call}(?=${result})`, "g");

/** What it must respect. */
export const constraint =
  /\b(?:without|never|avoid(?:ing)?|don['’]?t|do not|must ?n['’o]t|must not|should not|shouldn['’]?t|refuse to|nothing else|out of scope) [^\n.;,]{1,60}|\bno (?!longer|idea|one\b|matter|such)(?:changes? to |new |more |breaking )?[\w`-]{2,30}|\b(?:keep|keeping|preserv(?:e|ing)|retain(?:ing)?) (?:the|all|our|existing|current|old|its?|every|it)\b[^\n.;,]{0,40}|\b(?:unchanged|untouched|stays? the same|same (?!as\b)\w+|byte for byte|backwards?[- ]compatib\w+|compatible with)\b|\b(?:use|using|via) (?!it\b|this\b|that\b|case|of\b)[^\n.;,]{2,40}|\b(?:max(?:imum)?|at most|no more than|up to)\.? \d[\d.,]{0,9}\s?\w{0,10}|<\s?\d[\d.,]{0,9} (?:loc|lines|files|deps)\b|\bonly\b|\b(?:RFC|ISO|WCAG|ES) ?\d[\d.:-]{0,10}|\b(?:node|python|java|go|php|ruby) ?\d[\d.]{0,5}\+?|\boff by default\b|\boptional\b|\bbehind a (?:feature )?flag\b|\bexisting (?:users|stack|tests|code|api|behaviou?r|order|flow)\b|\bstill (?:be|work|run|pass)\b|\bworks? (?:without|offline|with)\b/gi;

/** The checks of the project, by name or by their expected result. */
const suite = new RegExp(
  `${testsPass.source}|\\b(?:npm (?:run )?test|pytest|cargo test|go test|make test|npm run lint|tsc|typecheck)\\b|\\btest suite\\b`,
  "gi",
);
/** If the request itself names the suite, an existing suite is not a second way to tell. */
export const suiteIsSaid = (prose: string): boolean => prose.search(suite) >= 0;

/** Ways to tell that it worked, by kind. The first is visible behaviour. */
export const successKinds: readonly { readonly pattern: RegExp; readonly inCode: boolean }[] = [
  { pattern: observable, inCode: false },
  { pattern: suite, inCode: true },
  {
    pattern:
      /\b(?<!fail+ing )(?:unit |integration |regression |e2e |own )?tests? (?:in|for|cover\w{0,3}|that)\b|\bcases in\b|\bcover(?:s|ed)? (?:by|both|the|all)\b|\b(?:with|has|have|its own|a) (?:its own |unit |regression |some |more )?tests?\b/gi,
    inCode: false,
  },
  { pattern: new RegExp(`${measured.source}|\\bmeasured by\\b|\\bbenchmark\\w*`, "gi"), inCode: true },
  {
    pattern:
      /\bacceptance criteria\b|\b(?:expected|actual) (?:behaviou?r|result|output)\b|\b(?:steps )?to reproduce\b|\bmanual(?:ly)? (?:qa|test\w*|check\w*)\b|\b(?:verify|make sure|ensure) that\b|\breviewed by\b/gi,
    inCode: false,
  },
];

/** A stated end. */
export const doneWhen =
  /\b(?:done|finished|complete|ready|stop) (?:when|once|if|after)\b[^\n.;]{1,80}|\buntil (?=[^\n.;]{0,80}(?:pass|green|coverage|tests?|lint|build|works?|done|complete|zero|clean|%|all))[^\n.;]{1,80}|^[ \t]{0,3}#{1,4} ?(?:definition of )?done\b|\bdefinition of done\b|\bPR (?:is )?(?:merged|opened?|ready)\b|\b(?:open|create|raise) an? (?:PR|pull request)\b|\bmerged? (?:to|into) (?:main|master|trunk)\b/gim;
export const worksAgain = /\b(?:when|once|until) (?:it|everything|this) (?:just )?works?\b/i;
