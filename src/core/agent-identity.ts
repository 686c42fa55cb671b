// Who an agent's commits are by. It is how the loop tells them from a person's.

/** The committer of every commit that an agent of ours makes: the reserved domain makes sure it is nobody's address. */
export const agentCommitterEmail = "agent@loopwright.invalid";
export const agentCommitterName = "Loopwright agent";

/** What an agent's process has in its environment; git puts these before any configuration. */
export const agentGitEnvironment: Readonly<Record<string, string>> = {
  GIT_COMMITTER_NAME: agentCommitterName,
  GIT_COMMITTER_EMAIL: agentCommitterEmail,
};
