// The append-only record that a run resumes from.

/**
 * Contract: when `append` resolves, the event is on disk in the vault and survives any crash; the copy follows. `open`
 * drops a torn last line (keeping its bytes) and refuses any other damage with line and byte. One writer at a time.
 */
export interface Journal<Event, State> {
  /** Read once, by opening: the last snapshot, if any, and the events since. */
  readonly past: { snapshot: State | null; events: readonly Event[]; seq: number };
  /** Repairs and problems found while opening, for the run log. */
  readonly notices: readonly JournalNotice[];
  append(event: Event): Promise<number>;
  /** Lets the next opening start here. A snapshot is a cache: losing it costs time, not data. */
  snapshot(state: State): Promise<void>;
  close(): Promise<void>;
}

export type JournalNotice = {
  kind:
    | "torn-tail-dropped"
    | "copy-restored"
    | "copy-altered"
    | "vault-restored"
    | "snapshot-ignored"
    | "copy-not-written";
  text: string;
};
