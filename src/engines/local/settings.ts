// The settings in force: the user's file, the workspace's, and what was said on the command line.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type LoopYaml, mergeLoopYaml, parseLoopYaml } from "../../formats/loop-yaml.ts";
import { checkCeilings, type Settings, settle } from "../../formats/settings.ts";
import { readIfExists } from "../../host/disk.ts";

export function loadSettings(root: string, flags: LoopYaml, yesReally: boolean): Settings {
  const read = (path: string, name: string): LoopYaml => {
    const text = readIfExists(path);
    return text === null ? {} : parseLoopYaml(text, name);
  };
  const userFile = userConfig();
  const merged = mergeLoopYaml(read(userFile, userFile), read(join(root, "loop.yaml"), "loop.yaml"), flags);
  const settings = settle(merged);
  checkCeilings(settings.limits, yesReally);
  return settings;
}

function userConfig(env: NodeJS.ProcessEnv = process.env): string {
  const given = env["XDG_CONFIG_HOME"];
  const base = given !== undefined && isAbsolute(given) ? given : join(homedir(), ".config");
  return join(base, "loopwright", "loop.yaml");
}
