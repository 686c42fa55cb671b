// By which terms the commits of a range are proved: those of its base, read in a checkout of it. The folder holds what
// the commits made of them.
import { join } from "node:path";
import type { Feature, Scope } from "../../core/contract.ts";
import { Bug, UserError } from "../../core/errors.ts";
import type { TreeId } from "../../core/ids.ts";
import { withoutPrefix } from "../../formats/queue/commit-subject.ts";
import { parseFeaturesJson } from "../../formats/queue/features-json.ts";
import { draftFeaturesJson } from "../../formats/queue/features-render.ts";
import { requestKind } from "../../formats/queue/request-kind.ts";
import { requestToFeature } from "../../formats/queue/request-to-feature.ts";
import { readIfExists } from "../../host/disk.ts";
import type { ProofContract } from "../../proof/prover.ts";
import { withoutBasis } from "../../runtime/commit-body.ts";
import { featuresInScope } from "../../runtime/inputs.ts";
import { featuresPath } from "../../runtime/records/paths.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkSpec } from "../checks/check-spec.ts";
import { detectChecks } from "../checks/detect.ts";
import { readOnce } from "../config/read-once.ts";
import { loadSettings } from "../config/settings.ts";
import { requireTrust } from "../config/trust.ts";
import type { RangeCommit } from "./commit-range.ts";

export type RangeTerms = {
  readonly contract: ProofContract;
  readonly features: readonly Feature[];
  readonly recordsDir: string;
};

/** `agreed`: the person agrees to the programs that the base's loop.yaml names. */
export async function termsAt(workspace: Workspace, base: TreeId, agreed: boolean): Promise<RangeTerms> {
  const { dir, dispose } = await workspace.scratch("base", base, { bring: [] });
  try {
    requireTrust(workspace.root, agreed, readOnce(dir));
    const settings = loadSettings(dir, {}, true);
    const checks = (settings.checks ?? detectChecks(dir)).map(checkSpec);
    if (checks.length === 0) throw noChecks();
    const { mayTouch, mustNot, mayChange, onDestructive } = settings.scope;
    const scope: Scope = { mayTouch: mayTouch ?? [], mustNot, mayChange, onDestructive, include: null, exclude: [] };
    const path = featuresPath(settings.recordsDir);
    const text = readIfExists(join(dir, path));
    return {
      contract: { checks, proof: settings.proof, scope },
      features: text === null ? [] : featuresInScope(parseFeaturesJson(text, path), scope),
      recordsDir: settings.recordsDir,
    };
  } finally {
    await dispose();
  }
}

/** As the base describes it; otherwise the request is what the commit's message says about the feature. */
export function featureOf({ message, proved }: RangeCommit, { features, contract }: RangeTerms): Feature {
  const known = features.find(({ id }) => id === proved?.feature);
  if (known !== undefined) return known;
  const said = proved === null ? message : withoutBasis(message);
  const entry = requestToFeature(said.trim() === "" ? "A change without a message" : withoutPrefix(said));
  const kind = entry.kind ?? requestKind(said); // "refactor: …" names the kind in the prefix.
  const drafts = draftFeaturesJson([kind === null ? entry : { ...entry, kind }]);
  const [drafted] = featuresInScope(parseFeaturesJson(drafts, "the commit"), contract.scope);
  if (drafted === undefined) throw new Bug("a drafted feature is in no scope");
  return drafted;
}

const noChecks = (): UserError =>
  new UserError("no-checks", {
    what: "Nothing was proved.",
    why: "The base of the range configures no check, and none was detected there.",
    next: 'Name one in its loop.yaml: checks: [{ name: test, run: "npm test" }]',
  });
