// The process of a session: fixed arguments, arguments by role, and the same result for the same request.
import { describe, expect, test } from "vitest";
import { runId, sessionId } from "../../core/ids.ts";
import { replySchema } from "../../formats/reply/reply-schema.ts";
import type { SessionRequest } from "../agent.ts";
import { codexAgent } from "./codex.ts";

const env = { PATH: "/bin", HOME: "/home/x", OPENAI_API_KEY: "key", GITHUB_TOKEN: "secret", GIVEN: "yes" };
const request: SessionRequest = {
  ...{
    run: runId("run"),
    session: sessionId("one"),
    role: "builder",
    feature: null,
    attempt: 1,
    prompt: "secret plan",
  },
  ...{
    replySchema: { type: "object" },
    cwd: '/no "where"',
    mayWrite: true,
    folder: "/vault/one",
    part: 1,
    nativeId: null,
  },
  ...{ costUsdMax: 2.5, timeoutMs: 60_000, silenceMs: 600_000, handoverPercent: 100 },
};
const launch = (changes: Partial<SessionRequest> = {}, config = {}, more = {}) =>
  codexAgent(config, { env: { ...env, ...more }, isRoot: false, now: () => 0 }).launch({ ...request, ...changes });
const after = (args: readonly string[], flag: string): string | undefined => args[args.indexOf(flag) + 1];

test("the same request gives the same process; the prompt is on stdin, which is then closed", () => {
  expect(launch()).toEqual(launch());
  expect(launch()).toMatchObject({ stdin: "prompt", endSignal: "SIGINT" });
  expect(launch().args.at(-1)).toBe("-");
  expect(JSON.stringify(launch())).not.toContain("secret plan");
});

test.each(["producer", "verdict", "audit", "plan", "design", "review"] as const)(
  "the schema of a %s fits strict outputs: every property is required, and no others are allowed",
  (kind) => {
    const text = launch({ replySchema: replySchema(kind) }).files?.at(-1)?.content ?? "";
    const look = (schema: Record<string, unknown>): void => {
      if (schema["type"] === "array") look(schema["items"] as Record<string, unknown>);
      if (![schema["type"]].flat().includes("object")) return;
      const properties = schema["properties"] as Record<string, Record<string, unknown>>;
      expect(schema["required"]).toEqual(Object.keys(properties));
      expect(schema["additionalProperties"]).toBe(false);
      for (const below of Object.values(properties)) look(below);
    };
    look(JSON.parse(text));
  },
);

test("a thread is started or resumed", () => {
  expect(launch().args.slice(0, 2)).toEqual(["exec", "--json"]);
  const { args } = launch({ nativeId: "thread" });
  expect(args.slice(0, 2)).toEqual(["exec", "resume"]);
  expect(args.slice(-2)).toEqual(["thread", "-"]);
});

test("the schema is a file in the session's folder, and so is the reply", () => {
  const { args, files } = launch();
  expect(files?.filter(({ path }) => !path.endsWith(".mjs"))).toEqual([
    { path: "/vault/one/reply-schema.json", content: '{"type":"object","properties":{},"required":[]}' },
  ]);
  expect(after(args, "--output-schema")).toBe("/vault/one/reply-schema.json");
  expect(after(args, "--output-last-message")).toBe("/vault/one/reply.json");
  expect(launch({ replySchema: null }).args).not.toContain("--output-schema");
});

describe("the sandbox", () => {
  test.each([
    { mayWrite: false, permissions: "core", has: 'sandbox_mode="read-only"' },
    { mayWrite: false, permissions: "bypass", has: 'sandbox_mode="read-only"' },
    { mayWrite: false, permissions: "inherit", has: 'sandbox_mode="read-only"' },
    { mayWrite: true, permissions: "core", has: 'sandbox_mode="workspace-write"' },
    { mayWrite: true, permissions: "bypass", has: "--dangerously-bypass-approvals-and-sandbox" },
    { mayWrite: true, permissions: "inherit", has: 'approval_policy="never"' },
  ])("mayWrite $mayWrite, $permissions: $has", ({ mayWrite, permissions, has }) => {
    const { args } = launch({ mayWrite }, { permissions });
    expect(args).toContain(has);
    const bypassed = args.includes("--dangerously-bypass-approvals-and-sandbox");
    expect(bypassed).toBe(mayWrite && permissions === "bypass");
  });

  test.each([
    { tmp: undefined, home: "/tmp/x/.codex", is: "/var/tmp" },
    { tmp: "/scratch", home: "/scratch/codex", is: "/var/tmp" },
    { tmp: "/scratch", home: "/scratches/codex", is: "/scratch" },
    { tmp: undefined, home: "/home/x/.codex", is: undefined },
  ])("with its home in $home and temporary files in $tmp, temporary files go to $is", ({ tmp, home, is }) => {
    expect(launch({}, {}, { TMPDIR: tmp, CODEX_HOME: home }).env["TMPDIR"]).toBe(is);
  });
});

test("its folder is not trusted, under any of its paths", () => {
  expect(launch().args).toContain('projects={"/no \\"where\\""={trust_level="untrusted"}}');
});

test("a custom provider gets short timeouts, and only its key is passed on", () => {
  const provider = { name: "own", baseUrl: "http://127.0.0.1:1/v1", keyEnv: "GIVEN" };
  const { args, env: made } = launch({}, { provider });
  const table = args.find((arg) => arg.startsWith("model_providers.loopwright=")) ?? "";
  expect(table).toContain('base_url="http://127.0.0.1:1/v1"');
  expect(table).toContain("request_max_retries=2");
  expect(args).toContain('model_provider="loopwright"');
  expect(made).toMatchObject({ GIVEN: "yes", GIT_COMMITTER_NAME: "Loopwright agent", GIT_SSH_COMMAND: "/bin/false" });
  expect(made).not.toHaveProperty("GITHUB_TOKEN");
});

test("it never waits for a network forever", () => {
  expect(after(launch().args, "--disable")).toBe("unbounded_connection_retries");
});

describe("compaction", () => {
  const limit = (changes: Partial<SessionRequest>, config = {}) =>
    launch(changes, config).args.find((arg) => arg.startsWith("model_auto_compact_token_limit="));

  test.each([
    { model: "gpt-5.5", percent: 75, is: 193_800 },
    { model: undefined, percent: 50, is: 129_200 },
  ])("at $percent % of the window of $model is at $is tokens", ({ model, percent, is }) => {
    const config = model === undefined ? {} : { model };
    expect(limit({ compactPercent: percent, handoverPercent: 90 }, config)).toBe(
      `model_auto_compact_token_limit=${is}`,
    );
  });

  test.each([
    { why: "nobody asked", changes: {}, config: {} },
    { why: "it is handed over before", changes: { compactPercent: 90, handoverPercent: 90 }, config: {} },
    {
      why: "nobody knows the window",
      changes: { compactPercent: 50, handoverPercent: 90 },
      config: { model: "other" },
    },
  ])("is left to codex when $why", ({ changes, config }) => {
    expect(limit(changes, config)).toBe(undefined);
  });
});

test("short instructions are a file in the session's folder, and are omitted by default", () => {
  const { args, files } = launch({}, { prompt: "short" });
  expect(args).toContain('model_instructions_file="/vault/one/instructions.md"');
  expect(files?.find(({ path }) => path === "/vault/one/instructions.md")?.content).toContain("software engineer");
  expect(JSON.stringify(launch())).not.toContain("instructions.md");
});
