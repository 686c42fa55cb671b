// What waits for a person, a line each, as LOOP.md and PROGRESS.md list it.
import type { Overview } from "../overview.ts";
import { inboxLine } from "../words/inbox-words.ts";

export const inboxList = ({ inbox }: Pick<Overview, "inbox">): string[] =>
  inbox.map(({ feature, text, rootCause, next }) =>
    inboxLine({ about: feature ?? "run", what: text, rootCause, next }),
  );
