// The loop's own files when a run is merged with a branch that has other versions of them. They never conflict.
import type { TreeId } from "../../core/ids.ts";
import { inboxIn, putInbox } from "../../formats/contract/inbox.ts";
import { type FeatureEntry, type FeatureFile, parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { mergeFeatures } from "../../formats/queue/features-merge.ts";
import { renderStatuses } from "../../formats/queue/features-render.ts";
import { isQueue, notWork, recordPath } from "../../runtime/records/paths.ts";
import type { LaidFile, Workspace } from "../../workspace/workspace.ts";

type Trees = { readonly base: TreeId; readonly ours: TreeId; readonly theirs: TreeId };

/** `ours` is the person's branch, `theirs` the run's. */
export async function mergedRecords(workspace: Workspace, trees: Trees, recordsDir: string): Promise<LaidFile[]> {
  const found: LaidFile[] = [];
  for (const path of notWork(recordsDir)) {
    const text = async (tree: TreeId) => (await workspace.read(tree, path))?.toString("utf8") ?? null;
    const [base, ours, theirs] = [await text(trees.base), await text(trees.ours), await text(trees.theirs)];
    const content = mergedText(path, recordsDir, base, ours, theirs);
    if (content !== ours) found.push({ path, content });
  }
  return found;
}

export function mergedText(
  path: string,
  recordsDir: string,
  base: string | null,
  ours: string | null,
  theirs: string | null,
): string | null {
  if (theirs === base || ours === theirs) return ours;
  if (ours === base) return theirs;
  if (ours === null || theirs === null) return ours;
  if (isQueue(path)) return mergedQueue(path, base, ours, theirs);
  if (path === recordPath(recordsDir, "loop-run-log.md")) return mergedLog(base ?? "", ours, theirs);
  return ours; // The next run writes it again, or it is the person's.
}

/** The person's features, with those that the run added, and complete where the run completed them. */
function mergedQueue(path: string, base: string | null, ours: string, theirs: string): string {
  const [mine, other] = [parseFeaturesJson(ours, path), parseFeaturesJson(theirs, path)];
  const before = new Set((base === null ? [] : parseFeaturesJson(base, path).features).map(({ id }) => id));
  const added = other.features.filter(({ id }) => !before.has(id));
  const { text } = mergeFeatures(mine, added, theirs, path);
  const done = new Set(namesOf(other, (status) => status === "complete"));
  const file = parseFeaturesJson(text, path);
  const isDone = (id: string): boolean => file.features.some((each) => each.id === id && done.has(nameOf(each)));
  return renderStatuses(file, (id) => (isDone(id) ? "complete" : undefined));
}

/**
 * The person's queue with the statuses that the run gave: of features that are the same in both, where the person has
 * not given another one meanwhile.
 */
export function statusesInto({ begun, ours, theirs, isAsTaken }: Queues): string {
  return renderStatuses(ours, (id) => {
    const mine = find(ours.features, id);
    const other = find(theirs, id);
    if (mine === undefined || other === undefined || nameOf(mine) !== nameOf(other)) return undefined;
    const isThePersons = !isAsTaken && mine.status !== (find(begun, id)?.status ?? mine.status);
    return isThePersons || !isEscalated(other.status) ? undefined : other.status;
  });
}

const find = (all: readonly FeatureEntry[], id: string) => all.find((each) => each.id === id);
/** Others say what is in a worktree: complete is what only a commit that has landed can make a feature. */
const isEscalated = (status: string): boolean => ["blocked", "needs-rework", "not-started"].includes(status);

type Queues = {
  /** As the run began with it. */
  readonly begun: readonly FeatureEntry[];
  readonly ours: FeatureFile;
  readonly theirs: readonly FeatureEntry[];
  /** The person has not changed the file since the run took it. */
  readonly isAsTaken: boolean;
};

/** The person's contract with the run's inbox. Null: there is none, or the person has changed the list itself. */
export function inboxInto({
  base,
  ours,
  theirs,
}: Record<"base" | "ours", string | null> & { theirs: string }): string | null {
  const list = inboxIn(theirs);
  if (ours === null || list === null) return null;
  const mine = inboxIn(ours);
  return mine === list || (base !== null && mine === inboxIn(base)) ? putInbox(ours, list) : null;
}

const nameOf = ({ name, criteria }: FeatureFile["features"][number]): string => JSON.stringify([name, ...criteria]);
const namesOf = ({ features }: FeatureFile, isMeant: (status: string) => boolean): string[] =>
  features.filter(({ status }) => isMeant(status)).map(nameOf);

/** Both sides only add entries at the end. The person may have committed some of the run's already. */
function mergedLog(base: string, ours: string, theirs: string): string {
  const added = theirs.startsWith(base) ? theirs.slice(base.length) : theirs;
  const missing = added.split(/^(?=#{2,3} )/m).filter((entry) => entry.trim() !== "" && !ours.includes(entry.trim()));
  return missing.length === 0 ? ours : `${ours.trimEnd()}\n\n${missing.join("").trimStart()}`;
}
