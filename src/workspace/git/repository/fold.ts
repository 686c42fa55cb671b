// After an agent's session: restores the repository, and keeps the files as the agent left them.
import type { Checkpoint, Folded, Misdeed } from "../../workspace.ts";
import { mustLoad } from "../checkpoint.ts";
import { snapshot } from "../files/snapshot.ts";
import { setUnfitAside } from "../files/unfit.ts";
import type { Ground } from "../ground.ts";
import type { Memory } from "../store/memory.ts";
import { dissolveRepositories, putBackRepositories } from "./nested-repositories.ts";
import { beforeOf, repair } from "./repair.ts";

/** Below one that is dissolved, another one can lie. */
const depthMax = 8;

export async function fold(ground: Ground, to: Checkpoint): Promise<Folded> {
  ground.memory.folded = null;
  const record = mustLoad(ground, to);
  await setUnfitAside(ground);
  const before = beforeOf(ground, record);
  const nothing: Folded = { commits: [], misdeeds: [], movedBy: null, quarantine: null };
  const why = `what an agent did to the repository after checkpoint ${to.id}`;
  const folded =
    before === null || record.repo === null
      ? nothing
      : await repair(ground, record, record.repo, before, { why, exact: false });
  if (folded.movedBy !== null) return folded;
  const nested = await putBackRepositories(ground, record, why);
  const known = new Set(record.nested.map(({ path }) => path));
  ground.memory.folded = await snapshot(ground);
  for (let depth = 0; depth < depthMax; depth++) {
    const made = ground.memory.folded.nested.filter(({ path }) => !known.has(path));
    if (made.length === 0) break;
    nested.push(...(await dissolveRepositories(ground, made, why)));
    ground.memory.folded = await snapshot(ground);
  }
  const refused = ground.memory.refused.splice(0).map(refusedFile);
  return { ...folded, misdeeds: [...folded.misdeeds, ...nested, ...refused] };
}

const refusedFile = ({ path, why, quarantine }: Memory["refused"][number]): Misdeed => ({
  kind: "file-refused",
  what: `${path} was moved to quarantine: ${why}. To bring it back: loop recover ${quarantine}`,
});
