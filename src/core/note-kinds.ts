// What the notes of a run are about, and which of them report a problem.

/** True: something was rejected, undone or set aside, or did not work. The others tell what was configured or what happened. */
const noteKinds = {
  agents: false,
  baseline: false,
  changed: false,
  compacted: false,
  dependencies: false,
  folded: false,
  money: false,
  place: false,
  prd: false,
  proof: false,
  "stale-lock-taken-over": false,
  walls: false,
  checks: true,
  "copy-altered": true,
  "copy-not-written": true,
  "copy-restored": true,
  features: true,
  "file-refused": true,
  ignored: true,
  "lock-stolen": true,
  login: true,
  notify: true,
  plan: true,
  price: true,
  "record-edited": true,
  records: true,
  "set aside": true,
  signal: true,
  "snapshot-ignored": true,
  strays: true,
  "torn-tail-dropped": true,
  "vault-restored": true,
  "worktree-restored": true,
} as const satisfies Readonly<Record<string, boolean>>;

export type NoteKind = keyof typeof noteKinds;

const known: Readonly<Record<string, boolean>> = noteKinds;

/** A note of another version may be one. */
export const isProblem = (about: string): boolean => (Object.hasOwn(known, about) ? known[about] : undefined) ?? true;
