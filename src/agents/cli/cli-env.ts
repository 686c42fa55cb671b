// The environment of a coding-agent CLI: what it needs to reach its provider, and no way to push.
import { baseEnv } from "../../host/process/environment.ts";
import { agentEnv } from "../environment.ts";

/** An adapter's inputs from the machine; tests pass their own, so that the real machine does not leak in. */
export type HostEnv = Readonly<Record<string, string | undefined>>;

// Network settings of the machine; without them no provider can be reached.
const network = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
const certificates = ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"];

// Git does not prompt and reaches no remote over ssh: only a person pushes.
const noRemote = { GIT_TERMINAL_PROMPT: "0", GIT_SSH_COMMAND: "/bin/false", GIT_ASKPASS: "/bin/false" };

export function cliEnv(names: readonly string[], from: HostEnv): Record<string, string> {
  const committer = Object.entries(agentEnv()).filter(([name]) => name.startsWith("GIT_COMMITTER_"));
  const own = baseEnv([...network, ...certificates, ...names], from as NodeJS.ProcessEnv);
  return { ...own, ...Object.fromEntries(committer), ...noRemote };
}
