// What goes wrong, in people's words. A strong symptom can be observed; a weak one only says that the person is
// unhappy.

export const strongSymptom =
  /\b(?:crash(?:es|ed|ing)?|panic(?:s|ked)?|aborts?|causes|segfaults?|hangs?|freezes?|deadlocks?|leaks?|race conditions?|infinite (?:loop|recursion)|flaky|time[sd]? out|timeouts|not (?!allowed|needed|supposed|used)\w{3,20}ed|(?:very|too|extremely) slow|dies|off[- ]by[- ]one|cannot|can['’]?t|unable to|does nothing|do(?:es)?(?:n['’]?t| not) (?!work\b|want\b|need\b|have to\b|touch\b|change\b|break\b|exist\b)\w{2,20}|los(?:es|t|ing)|is red|twice|doubled|duplicated|throws|returns? (?:null|undefined|nan)|fail(?:s|ed|l?ing)?|drops|grows|corrupt(?:s|ed)?|(?:wrong|incorrect|missing|stale|duplicate|unexpected) (?!with\b|in\b|and\b|or\b)\w{2,30}|is (?:missing|ignored|never)|\w{1,40}(?:Error|Exception)|TS\d{4}|[45]\d\d errors?|error [45]\d\d)\b/gi;
export const weakSymptom =
  /\b(?:broken|bugs?|wrong|incorrect(?:ly)?|buggy|errors?|exceptions?|issues? with|problems? with|not working|do(?:es)?n['’]?t work|do(?:es)? not work|stopped working|weird|odd|inconsistent|ha(?:s|ve) no|typos?|misspell\w{0,4}|regressions?|failures?|warnings?|slow)\b(?![ -](?:handl|messages?|pages?|codes?))/gi;

const one = new RegExp(`^${strongSymptom.source}$`, "i");
/** A word that reports rather than asks. */
export const isSymptom = (word: string): boolean => one.test(word);
