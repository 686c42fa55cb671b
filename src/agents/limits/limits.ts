// Recognizes a usage limit in an error message, in the wordings that agents have used, and when it ends.
import { readResetTime } from "./reset-time.ts";

/** A usage limit: wait until `retryAt`; null: the end is unknown. */
export type Limit = { retryAt: number | null };

// Apostrophes may be straight, curly or missing, so the patterns skip them.
const limitWordings: readonly RegExp[] = [
  // "You've hit your session limit", "hit your limit", "hit your 5-hour limit", "hit your Opus limit"
  /\b(?:hit|reached|exceeded) (?:your|the|my) (?:(?:\d+-hour|session|weekly|daily|monthly|usage|rate|plan|model|opus|sonnet|haiku|[a-z]+ weekly|included)\s+)*(?:limit|quota)\b/i,
  // "5-hour limit reached", "Weekly limit reached", "Claude AI usage limit reached|1735689600"
  /\b(?:\d+-hour|session|weekly|daily|monthly|usage|opus|sonnet|model|plan) (?:weekly )?(?:usage )?limit (?:reached|exceeded|hit|has been reached)\b/i,
  /\busage[_ ]limit[_ ](?:reached|exceeded|has been reached)\b/i,
  /\blimit will reset at\b/i,
  /\bout of (?:extra usage|codex messages|messages|usage)\b/i,
  /\bexceed your account.s rate limit\b/i,
  /\bquota will reset\b/i,
  // "Quota exceeded for quota metric …", "You have exhausted your daily quota"
  /\bquota (?:exceeded|exhausted|reached)\b/i,
  /\bexhausted your (?:\w+ )?(?:quota|capacity)\b/i,
  /\bRESOURCE_EXHAUSTED\b/,
];

// Waiting does not lift a cap that a person has to raise.
const moneyWordings: readonly RegExp[] = [
  /\bcredit balance\b/i,
  /\b(?:individual|monthly|org\S*(?: \w+)?|organization\S*(?: \w+)?) spend(?:ing)? limit\b/i,
  /\bspend(?:ing)? (?:limit|cap)\b/i,
  /\binsufficient[_ ](?:quota|funds|credits?|balance)\b/i,
  /\bexceeded your current quota\b/i,
  /\bbilling\b.{0,40}\b(?:hard limit|not active|inactive|disabled|details)\b/i,
  /\bpayment (?:required|method)\b/i,
  /\bout of credits?\b/i,
];

/** "Disk quota exceeded" (EDQUOT) is about the machine: waiting does not help, and the agent's plan has nothing to do with it. */
const isAboutDisk = (line: string): boolean => /\bEDQUOT\b|\b(?:dis[ck]|block|inode) quota\b/i.test(line);

export function readLimit(text: string, now: number, zone?: string): Limit | null {
  const said = text
    .split("\n")
    .filter((line) => !isAboutDisk(line))
    .join("\n");
  if (isAboutMoney(text) || !limitWordings.some((wording) => wording.test(said))) return null;
  return { retryAt: readResetTime(text, now, zone) };
}

export const isAboutMoney = (text: string): boolean => moneyWordings.some((wording) => wording.test(text));
