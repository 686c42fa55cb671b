// The first line of a feature's commit, and what the first line of any commit says.

type Named = { readonly id: string; readonly name: string; readonly description: string };

export const commitSubject = ({ id, name, description }: Named): string =>
  `${kindOf(id)}(${id}): ${wholeName(oneLine(name), description)}`;

const conventional =
  /^(?:[a-z]+\([^()\n]+\)|(?:feat|fix|build|chore|ci|docs|perf|refactor|revert|style|tests?))!?:\s+(?=\S)/i;

/** A commit's message without a conventional prefix: "feat(stats): add largest" is "add largest". */
export const withoutPrefix = (message: string): string => message.replace(conventional, "");

/** The prefix of an id indicates the kind of work. */
function kindOf(id: string): string {
  if (/^R\d/.test(id)) return "refactor";
  return /^B\d/.test(id) ? "fix" : "feat";
}

const sentenceMax = 160;

/** A name that was cut out of a request is given as the sentence that it is from, if that is not a paragraph. */
function wholeName(name: string, description: string): string {
  if (!name.endsWith("…")) return name;
  const from = oneLine(description);
  const at = from.indexOf(name.slice(0, -1));
  if (at === -1) return name;
  const [sentence = ""] = from.slice(at).split(/(?<=[.!?:]) /, 1);
  return sentence.length > name.length - 1 && sentence.length <= sentenceMax ? sentence.replace(/[.:]$/, "") : name;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
