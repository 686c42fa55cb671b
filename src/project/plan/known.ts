// What the workspace adds to a request, for intake: its checks, its work queue, SHAPE.md, the scope. Read-only.
import { UserError } from "../../core/errors.ts";
import { type LoopYaml, mergeLoopYaml } from "../../formats/config/loop-yaml.ts";
import { type Settings, settle } from "../../formats/config/settings.ts";
import { readShapeMd } from "../../formats/contract/shape-md.ts";
import { inScope } from "../../formats/queue/feature-selector.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import type { Known, KnownCheck } from "../../intake/known.ts";
import { namesWanted } from "../../intake/names.ts";
import { featuresPath, keptRecordsDir, shapePath } from "../../runtime/records/paths.ts";
import { detectChecks } from "../checks/detect.ts";
import { type Reader, readConfiguration, readOnce } from "../config/read-once.ts";
import { readLayers } from "../config/settings.ts";
import { findNames } from "./find-names.ts";

/** `troubles`: what could not be read and was not counted. A score is no reason to fail. */
export type Looked = { readonly known: Known; readonly troubles: readonly UserError[] };

/** With a request only the request counts, and other open features say nothing about it. */
export function lookAround(
  root: string,
  request: string | null,
  flags: LoopYaml = {},
  disk: Reader = readOnce(root),
): Looked {
  const troubles: UserError[] = [];
  const tried = <T>(look: () => T): T | null => {
    try {
      return look();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      troubles.push(error);
      return null;
    }
  };
  const settings = tried(() => settingsOf(root, disk, flags));
  const features = request !== null ? null : tried(() => featuresOf(disk, settings));
  const shape = shapeOf(disk);
  const scope = settings === null ? null : scopeOf(settings);
  const names = request === null ? [] : findNames(root, namesWanted(request));
  const known: Known = {
    checks: checksOf(root, settings, flags),
    ...(names.length === 0 ? {} : { names }),
    ...(features === null ? {} : { features }),
    ...(shape === null ? {} : { shape }),
    ...(scope === null ? {} : { scope }),
  };
  return { known, troubles };
}

function settingsOf(root: string, disk: Reader, flags: LoopYaml): Settings {
  const { user, workspace } = readLayers(readConfiguration(root, disk), flags, disk);
  return settle(mergeLoopYaml(user, workspace, flags));
}

function checksOf(root: string, settings: Settings | null, flags: LoopYaml): KnownCheck[] {
  const configured = settings?.checks ?? null;
  const from = flags.checks !== undefined ? "--check" : "loop.yaml";
  if (configured !== null) return configured.map(({ name, run, must }) => ({ name, run, must, from }));
  return detectChecks(root).map(({ name, run, must }) => ({ name, run, must, from: sources[name] ?? "this project" }));
}

/** The file from which a check was detected, as people know it. */
const sources: Readonly<Record<string, string>> = {
  test: "package.json",
  node: "the test files",
  pytest: "the pytest configuration",
  unittest: "the test files",
  go: "go.mod",
  cargo: "Cargo.toml",
  maven: "pom.xml",
  gradle: "gradlew",
  rspec: ".rspec",
  phpunit: "phpunit.xml",
  make: "Makefile",
  script: "the test script",
};

function featuresOf(disk: Reader, settings: Settings | null): NonNullable<Known["features"]> | null {
  const path = featuresPath(settings?.recordsDir ?? keptRecordsDir);
  const text = disk.read(path);
  if (text === null) return null;
  const scope = { include: settings?.scope.features.include ?? null, exclude: settings?.scope.features.exclude ?? [] };
  const open = parseFeaturesJson(text, path).features.filter(
    ({ id, status }) => status !== "complete" && status !== "existing" && inScope(id, scope),
  );
  return { from: path, open: open.length, criteria: open.reduce((sum, { criteria }) => sum + criteria.length, 0) };
}

function shapeOf(disk: Reader): NonNullable<Known["shape"]> | null {
  const text = disk.read(shapePath);
  if (text === null) return null;
  const { criteria, mustNot } = readShapeMd(text);
  return { from: shapePath, criteria: criteria.length, mustNots: mustNot.length };
}

function scopeOf({ scope }: Settings): NonNullable<Known["scope"]> | null {
  const mayTouch = scope.mayTouch ?? [];
  return mayTouch.length + scope.mustNot.length === 0 ? null : { from: "loop.yaml", mayTouch, mustNots: scope.mustNot };
}
