// What a session must not run, as patterns over the command line, and the refusal messages.
//
// This is guidance, not the boundary: a shell has many ways to express a command. The guarantees are elsewhere: no
// credentials, refs compared after each session, everything kept in the vault.

// Options that git takes before its command's name.
const git = (command: string): string => `\\bgit\\b(?:\\s+(?:-[cC]\\s+\\S+|--?[\\w-]+(?:=\\S+)?))*\\s+${command}`;
/** The rest of the same command. */
const having = (flag: string): string => `[^|;&\\n]*\\s${flag}\\b`;

/** Where a command begins. */
const first = "(?:^|[|;&(\\n]|\\bsudo\\s|\\bxargs\\s)\\s*";
const rest = "[^|;&\\n]*";
const sqlClient = "\\b(?:psql|mysql|mariadb|sqlite3|sqlcmd|duckdb|cockroach|clickhouse-client)\\b";
/** The words of a statement are written in any case. */
const anyCase = (word: string): string => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
const dropping = `\\b(?:${anyCase("drop")}\\s+(?:${anyCase("table")}|${anyCase("database")}|${anyCase("schema")})|${anyCase("truncate")}\\s)`;

const amended = "A commit is not amended in a run: the loop makes the commits.";
const thrownAway = "Work is not thrown away in a run.";
const published = "Nothing is published in a run.";
const erased = "Disks and databases are not erased in a run.";
const rewritten = "History is not rewritten in a run.";

export const destructive: readonly { pattern: string; why: string }[] = [
  { pattern: git("push\\b"), why: "Pushing is left to the person who runs the loop." },
  { pattern: git("(?:rebase|filter-branch|filter-repo|update-ref|replace)\\b"), why: rewritten },
  { pattern: git("reflog\\s+(?:expire|delete)\\b"), why: rewritten },
  { pattern: git("commit\\b") + having("--amend"), why: amended },
  { pattern: git("reset\\b") + having("--hard"), why: thrownAway },
  { pattern: `${git("clean\\b")}(?![^|;&\\n]*\\s(?:-\\w*n|--dry-run))`, why: thrownAway },
  { pattern: `${first}find\\s${rest}\\s-delete\\b`, why: thrownAway },
  { pattern: `${first}find\\s${rest}\\s-exec(?:dir)?\\s+(?:rm|shred|unlink)\\b`, why: thrownAway },
  { pattern: `${first}dd\\s${rest}\\bof=/dev/(?!null\\b|stdout\\b)`, why: erased },
  { pattern: `${first}(?:mkfs(?:\\.\\w+)?|mkswap|wipefs|fdisk|sfdisk|parted)\\s${rest}/dev/`, why: erased },
  { pattern: ">\\s*/dev/(?:sd|hd|vd|xvd|nvme|disk|mmcblk)\\w", why: erased },
  { pattern: `${sqlClient}[^\\n]*${dropping}|${dropping}[^\\n]*\\|\\s*(?:\\w+\\s+)?${sqlClient}`, why: erased },
  {
    pattern: `${first}(?:dropdb|dropuser|redis-cli\\s${rest}\\b(?:flushall|FLUSHALL|flushdb|FLUSHDB))\\b`,
    why: erased,
  },
  { pattern: git("branch\\b") + having("(?:-D|--delete)"), why: "Branches are not deleted in a run." },
  { pattern: "\\b(?:npm|pnpm|yarn|bun|cargo|poetry|uv)\\s+publish(?![\\w-])", why: published },
  { pattern: "\\b(?:twine\\s+upload|gem\\s+push|docker\\s+push)\\b", why: published },
  { pattern: "\\bgh\\s+(?:pr\\s+merge|release\\s+create|repo\\s+delete)\\b", why: published },
];

/** Agents do these out of habit, on their own work, which the loop keeps anyway. */
export const isMild = (why: string): boolean => why === amended || why === thrownAway;

/** The refusal for deleting outside the workspace; the path follows. */
export const outside = "Nothing outside the workspace is deleted in a run: ";

/** Whether this message is ours. A person's own hooks refuse things too, and those are theirs to judge. */
export const isRefusal = (said: string): boolean =>
  said.startsWith(outside) || destructive.some(({ why }) => why === said);
