// The environment of a coding-agent CLI: what it needs to reach its provider, and no way to push anything anywhere.
import { baseEnv } from "../host/process/environment.ts";
import { agentEnv } from "./environment.ts";

/** What an adapter takes from the machine; given by tests, so that nothing of the machine leaks into them. */
export type HostEnv = Readonly<Record<string, string | undefined>>;

// How a machine reaches the network is its own business, and without it no provider answers.
const network = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
const certificates = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];

// Git asks nobody and reaches no remote by ssh: what is pushed, if anything, is pushed by a person.
const noRemote = { GIT_TERMINAL_PROMPT: "0", GIT_SSH_COMMAND: "/bin/false", GIT_ASKPASS: "/bin/false" };

export function cliEnv(names: readonly string[], from: HostEnv): Record<string, string> {
  const committer = Object.entries(agentEnv()).filter(([name]) => name.startsWith("GIT_COMMITTER_"));
  const own = baseEnv([...network, ...certificates, ...names], from as NodeJS.ProcessEnv);
  return { ...own, ...Object.fromEntries(committer), ...noRemote };
}
