// The machine: the platform, Node and git.
import { execFileSync } from "node:child_process";
import { release } from "node:os";
import { findOwnProgram, ownPath } from "../../host/own-programs.ts";
import { version } from "../../version.ts";
import type { Finding } from "./finding.ts";

export function machineFindings(platform: NodeJS.Platform = process.platform): Finding[] {
  return [
    { what: "loop", is: "good", says: `${version} on Node ${process.versions.node}` },
    platformFinding(platform),
    gitFinding(),
  ];
}

function platformFinding(platform: NodeJS.Platform): Finding {
  const what = "platform";
  if (platform === "linux") return { what, is: "good", says: `Linux ${release()}: everything is supported here` };
  if (platform === "darwin")
    return {
      what,
      is: "note",
      says: `macOS ${release()}: the same rules, but clean checkouts are copies instead of mounts, and nothing walls off the agent`,
    };
  const says = `${platform === "win32" ? "Windows" : platform} is not supported`;
  return { what, is: "bad", says, next: "Use Linux or macOS. On Windows, run loop inside WSL 2." };
}

function gitFinding(): Finding {
  const path = findOwnProgram("git");
  if (path === null) return { what: "git", is: "bad", says: "not on PATH", next: "Install git, or use --no-git." };
  const env = { ...process.env, PATH: ownPath() };
  return { what: "git", is: "good", says: execFileSync(path, ["--version"], { encoding: "utf8", env }).trim() };
}
