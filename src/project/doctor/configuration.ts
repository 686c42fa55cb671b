// What is configured, as far as it can be read: a mistake in one file hides nothing else.
import { UserError } from "../../core/errors.ts";
import { type LoopYaml, mergeLoopYaml } from "../../formats/config/loop-yaml.ts";
import { type Settings, settle } from "../../formats/config/settings.ts";
import { vagueWarnings } from "../../formats/queue/vague-criteria.ts";
import { count } from "../../report/words/words.ts";
import type { ConfigNote } from "../config/config-files.ts";
import { readConfiguration, readOnce } from "../config/read-once.ts";
import { readLayers } from "../config/settings.ts";
import { nextStart, openFeatures } from "../queue/open-features.ts";
import type { Finding } from "./finding.ts";

export type Configured = {
  readonly settings: Settings;
  /** What the repository itself names. */
  readonly workspace: LoopYaml;
  readonly findings: readonly Finding[];
};

export function configured(root: string): Configured {
  const disk = readOnce(root);
  let name = "configuration";
  try {
    const found = readConfiguration(root, disk);
    name = found?.name ?? "loop.yaml";
    const { user, workspace, notes } = readLayers(found, {}, disk);
    const own: Finding =
      found === null
        ? { what: name, is: "note", says: "none: agents and checks are detected" }
        : { what: name, is: "good", says: "valid" };
    const findings = [own, ...notes.map(noted)];
    return { settings: settle(mergeLoopYaml(user, workspace, {})), workspace, findings };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const finding: Finding = { what: name, is: "bad", says: error.why, next: error.next };
    return { settings: settle({}), workspace: {}, findings: [finding] };
  }
}

const noted = ({ file, says }: ConfigNote): Finding => ({ what: file, is: "note", says });

export function featureFindings(root: string): Finding[] {
  const queue = openFeatures(root);
  const { path, features, goalIn, problem } = queue;
  const what = "features";
  if (problem !== null) return [{ what, is: "bad", says: problem, next: `Correct ${path}.` }];
  const none = goalIn === null ? "none open" : `none yet; the goal in ${goalIn} is built`;
  const open = features.length === 0 ? none : `${count(features.length, "feature")} open in ${path}`;
  return [{ what, is: "good", says: `${open}: ${nextStart(queue)}` }, ...vagueWarnings(features).map(vague)];
}

const vague = (says: string): Finding => ({ what: "features", is: "note", says });
