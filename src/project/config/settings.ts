// The effective settings: the user's file, the workspace's file, and the command line.
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { type LoopYaml, mergeLoopYaml, parseLoopYaml } from "../../formats/config/loop-yaml.ts";
import { checkCeilings, type Settings, settle } from "../../formats/config/settings.ts";
import { readIfExists } from "../../host/disk.ts";
import type { WorkspaceDisk } from "../../runtime/ports.ts";
import { keptRecordsDir, ownRecordsDir, recordPath } from "../../runtime/records/paths.ts";
import { type ConfigNote, type Configuration, configurationIn } from "./config-files.ts";
import { configBytesMax, type Reader, readConfiguration, readOnce } from "./read-once.ts";

/** The layers, least specific first. The files are named as people know them. */
export type Layers = {
  readonly user: LoopYaml;
  readonly workspace: LoopYaml;
  readonly flags: LoopYaml;
  readonly userFile: string;
  readonly workspaceFile: string;
  readonly notes: readonly ConfigNote[];
};

/** `configuration` is the workspace's; null: there is none. */
export function readLayers(
  configuration: Configuration | null,
  flags: LoopYaml,
  disk: Pick<WorkspaceDisk, "read">,
): Layers {
  const own = usersOwn("loopwright") ?? usersOwn("autoloop");
  return {
    user: { records_dir: usualRecordsDir(disk), ...fromEnvironment(), ...parsed(own) },
    workspace: parsed(configuration),
    flags,
    userFile: own?.name ?? "",
    workspaceFile: configuration?.name ?? "loop.yaml",
    notes: [...(own?.notes ?? []), ...(configuration?.notes ?? [])],
  };
}

/** The user's file in a folder of their configuration, named by its path. */
function usersOwn(program: string): Configuration | null {
  const folder = join(userFolder(), program);
  const found = configurationIn(folder, (name) => readIfExists(join(folder, name), configBytesMax));
  if (found === null) return null;
  const inFolder = (name: string): string => join(folder, name);
  return {
    ...found,
    name: inFolder(found.name),
    notes: (found.notes ?? []).map((note) => ({ ...note, file: inFolder(note.file) })),
  };
}

const parsed = (configuration: Configuration | null): LoopYaml =>
  configuration === null ? {} : parseLoopYaml(configuration.text, configuration.name);

/** `disk`: what was read already is not read again. */
export function loadSettings(
  root: string,
  flags: LoopYaml,
  yesReally: boolean,
  disk: Reader = readOnce(root),
): Settings {
  const settings = settle(readSettings(root, flags, disk));
  checkCeilings(settings.limits, yesReally);
  return settings;
}

/** What the files and flags set, without the defaults. */
export function readSettings(root: string, flags: LoopYaml, disk: Reader = readOnce(root)): LoopYaml {
  const { user, workspace } = readLayers(readConfiguration(root, disk), flags, disk);
  return mergeLoopYaml(user, workspace, flags);
}

/** For containers and CI, where one setting holds for all workspaces: whatever a file says wins. */
function fromEnvironment(env: NodeJS.ProcessEnv = process.env): LoopYaml {
  const mode = env["LOOPWRIGHT_SANDBOX"] ?? "";
  return mode === "" ? {} : parseLoopYaml(`sandbox: ${JSON.stringify(mode)}`, "LOOPWRIGHT_SANDBOX");
}

/** A repository that has neither contract, queue nor budget gets none: the records stay out of its sight. */
function usualRecordsDir(disk: Pick<WorkspaceDisk, "read">): string {
  const isKept = (["LOOP.md", "FEATURES.json", "loop-budget.md"] as const).some(
    (name) => disk.read(recordPath(keptRecordsDir, name)) !== null,
  );
  return isKept ? keptRecordsDir : ownRecordsDir;
}

/** Whether the person has said themselves that no walls are needed. What a repository's file says does not count. */
export const saidUnconfined = (flags: Pick<LoopYaml, "sandbox">, env: NodeJS.ProcessEnv = process.env): boolean =>
  flags.sandbox === "off" || env["LOOPWRIGHT_SANDBOX"] === "off";

/** Where the records are, by the user's and the workspace's files. */
export function recordsDirOf(configuration: Configuration | null, disk: Pick<WorkspaceDisk, "read">): string {
  const { user, workspace } = readLayers(configuration, {}, disk);
  return settle(mergeLoopYaml(user, workspace, {})).recordsDir;
}

function userFolder(env: NodeJS.ProcessEnv = process.env): string {
  const given = env["XDG_CONFIG_HOME"];
  return given !== undefined && isAbsolute(given) ? given : join(homedir(), ".config");
}
