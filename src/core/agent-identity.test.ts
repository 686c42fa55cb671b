// The committer of an agent's commits, in every process that an agent starts.
import { expect, test } from "vitest";
import { agentCommitterEmail, agentCommitterName, agentGitEnvironment } from "./agent-identity.ts";

test("an agent's process commits with an unreachable address", () => {
  expect(agentGitEnvironment).toEqual({
    GIT_COMMITTER_NAME: agentCommitterName,
    GIT_COMMITTER_EMAIL: agentCommitterEmail,
  });
  expect(agentCommitterEmail).toMatch(/@[a-z]+\.invalid$/);
});
