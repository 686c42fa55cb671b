// After an agent's session: restores the repository, and keeps the files as the agent left them.
import type { Checkpoint, Folded, Misdeed } from "../../workspace.ts";
import { mustLoad } from "../checkpoint.ts";
import { snapshot } from "../files/snapshot.ts";
import { setUnfitAside } from "../files/unfit.ts";
import type { Ground } from "../ground.ts";
import type { Memory } from "../store/memory.ts";
import { beforeOf, repair } from "./repair.ts";

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
  const known = new Set(record.nested.map(({ path }) => path));
  ground.memory.folded = await snapshot(ground);
  const made = ground.memory.folded.nested.filter(({ path }) => !known.has(path));
  const refused = ground.memory.refused.splice(0).map(refusedFile);
  return { ...folded, misdeeds: [...folded.misdeeds, ...made.map(({ path }) => ownRepository(path)), ...refused] };
}

const refusedFile = ({ path, why, quarantine }: Memory["refused"][number]): Misdeed => ({
  kind: "file-refused",
  what: `${path} was moved to quarantine: ${why}. To bring it back: loop recover ${quarantine}`,
});

const ownRepository = (path: string): Misdeed => ({
  kind: "ref-changed",
  what: `a repository was made inside the workspace, in ${path}; its files count as plain files`,
});
