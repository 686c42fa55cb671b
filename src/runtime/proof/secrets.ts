// Secrets in added lines, by rules in the spirit of gitleaks and secretlint. What was found is never repeated anywhere.
import type { Cause } from "../../core/run.ts";
import type { AddedLine } from "./added-lines.ts";

type SecretRule = {
  readonly kind: string;
  readonly pattern: RegExp;
  /** Common in honest tests and lockfiles, so it counts elsewhere only. */
  readonly inCodeOnly?: true;
};

const rules: readonly SecretRule[] = [
  { kind: "AWS access key", pattern: /\b((?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16})\b/ },
  {
    kind: "AWS secret key",
    pattern: /aws.{0,30}?(?:secret|key).{0,10}?["'=:\s]([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
  },
  { kind: "GitHub token", pattern: /\b(gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{60,251})\b/ },
  { kind: "GitLab token", pattern: /\b(gl(?:pat|dt|rt)-[A-Za-z0-9_-]{20,50})\b/ },
  { kind: "Slack token", pattern: /\b(xox[abeoprs]-[A-Za-z0-9-]{10,250})/ },
  {
    kind: "Slack webhook",
    pattern: /hooks\.slack\.com\/services\/(T[A-Za-z0-9]{6,}\/B[A-Za-z0-9]{6,}\/[A-Za-z0-9]{20,})/,
  },
  { kind: "Anthropic key", pattern: /\b(sk-ant-[a-z]{3}\d{2}-[A-Za-z0-9_-]{20,200})/ },
  {
    kind: "OpenAI key",
    pattern:
      /\b(sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,200}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48})\b/,
  },
  { kind: "Google API key", pattern: /\b(AIza[0-9A-Za-z_-]{35})(?![0-9A-Za-z_-])/ },
  { kind: "Google client secret", pattern: /\b(GOCSPX-[0-9A-Za-z_-]{28})\b/ },
  { kind: "Stripe key", pattern: /\b((?:sk|rk)_live_[A-Za-z0-9]{16,200}|whsec_[A-Za-z0-9]{24,200})\b/ },
  { kind: "npm token", pattern: /\b(npm_[A-Za-z0-9]{36})\b/ },
  { kind: "PyPI token", pattern: /\b(pypi-AgE[A-Za-z0-9_-]{50,250})/ },
  { kind: "SendGrid key", pattern: /\b(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})/ },
  { kind: "private key", pattern: /(-----BEGIN (?:[A-Z]{2,9} )?PRIVATE KEY(?: BLOCK)?-----)/, inCodeOnly: true },
  {
    kind: "JSON web token",
    pattern: /\b(eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{20,500})/,
    inCodeOnly: true,
  },
  {
    kind: "password in an address",
    pattern:
      /\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?|https?):\/\/[^\s:/@"']{1,100}:([^\s@"'/$<{]{8,200})@(?!localhost|127\.|\[|db[:/]|host|example)/,
    inCodeOnly: true,
  },
];

/** `apiKey = "…"`, with a value that looks drawn by lot. */
const assignment =
  /(?:api[_-]?key|secret|token|passw(?:or)?d|access[_-]?key|client[_-]?secret|private[_-]?key|credential)["']?\s*(?::|=>?|:=)\s*["'`]([A-Za-z0-9_\-+/=.]{20,200})["'`]/i;

const lineLengthMax = 5000;

export type Secret = { readonly path: string; readonly line: number; readonly kind: string };

export type SecretOptions = {
  readonly isTest: (path: string) => boolean;
  readonly isLockfile: (path: string) => boolean;
};

export function findSecrets(lines: readonly AddedLine[], { isTest, isLockfile }: SecretOptions): Secret[] {
  return lines.flatMap(({ path, line, text }) => {
    const lenient = isTest(path) || isLockfile(path);
    const kind = kindOf(text.slice(0, lineLengthMax), lenient);
    return kind === null ? [] : [{ path, line, kind }];
  });
}

function kindOf(text: string, lenient: boolean): string | null {
  const found = rules.find(({ pattern, inCodeOnly }) => {
    if (lenient && inCodeOnly === true) return false;
    const value = pattern.exec(text)?.[1];
    return value !== undefined && !isExample(value);
  });
  if (found !== undefined) return found.kind;
  const value = lenient ? undefined : assignment.exec(text)?.[1];
  return value !== undefined && !isExample(value) && isDrawnByLot(value) ? "secret in an assignment" : null;
}

/** Everybody's example keys, and what people write where a key would go. Looked for in the value alone. */
function isExample(value: string): boolean {
  if (value.startsWith("-----")) return false;
  if (
    /example|sample|placeholder|dummy|fake|change-?me|your|redacted|xxxx|0{6}|1234567|abcdefg|qwerty|\.\.\./i.test(
      value,
    )
  )
    return true;
  return new Set(value).size < 8;
}

/** Letters and digits mixed, no words, and hardly a character twice. */
function isDrawnByLot(value: string): boolean {
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // Names of things, paths and versions are put together from words.
  if (/[a-z]{7,}|^[a-z-]+(?:[._/-][a-z0-9]+)*$/i.test(value) && !/^[0-9a-f]{32,}$/i.test(value)) return false;
  return entropy(value) >= 3.5;
}

/** Bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}

export function secretCauses(secrets: readonly Secret[]): Cause[] {
  if (secrets.length === 0) return [];
  const named = secrets.slice(0, 10).map(({ path, line, kind }) => `${kind} in ${path}:${line}`);
  const text = `The change holds what looks like a secret: ${named.join(", ")}${secrets.length > 10 ? ", …" : ""}\nRead it from the environment instead.`;
  const keys = [...new Set(secrets.map(({ path, kind }) => `${kind}@${path}`))].sort();
  return [{ kind: "secret", key: `secret:${keys.join(",").slice(0, 200)}`, text }];
}
