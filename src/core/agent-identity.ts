// The committer of an agent's commits, which is how the loop tells them from a person's.

/** The committer of every commit that an agent makes. The domain is reserved, so the address can belong to no one. */
export const agentCommitterEmail = "agent@loopwright.invalid";
export const agentCommitterName = "Loopwright agent";

/** Environment variables of an agent's process; git prefers them over any configuration. */
export const agentGitEnvironment: Readonly<Record<string, string>> = {
  GIT_COMMITTER_NAME: agentCommitterName,
  GIT_COMMITTER_EMAIL: agentCommitterEmail,
};
