// A tree of the store as a view for pure code, with the required texts loaded beforehand.
import type { TreeId } from "../../core/ids.ts";
import type { RoomSource, TreeFile } from "../../workspace/git/rooms/room-source.ts";
import { type View, viewBytesMax } from "../view.ts";
import { decidesDependencies } from "./lockfiles.ts";

const codeFile = /\.[cm]?[jt]sx?$|(?:^|\/)package\.json$/;
const codeFilesMax = 4000;

/** Manifests and lockfiles. */
export async function manifestsOf(source: RoomSource, tree: TreeId): Promise<ReadonlyMap<string, string>> {
  const wanted = (await source.entries(tree)).filter(({ path, kind }) => isText(kind) && decidesDependencies(path));
  return textsOf(source, wanted);
}

/** Every path, and the texts of files that can import something. */
export async function viewOf(source: RoomSource, tree: TreeId): Promise<View> {
  const entries = await source.entries(tree);
  const wanted = entries.filter(({ path, kind }) => isText(kind) && codeFile.test(path)).slice(0, codeFilesMax);
  const texts = await textsOf(source, wanted);
  return { paths: entries.map(({ path }) => path).sort(), text: (path) => texts.get(path) ?? null };
}

const isText = (kind: TreeFile["kind"]): boolean => kind === "file" || kind === "program";

async function textsOf(source: RoomSource, files: readonly TreeFile[]): Promise<ReadonlyMap<string, string>> {
  const blobs = await source.blobs(files.map(({ id }) => id));
  const text = (id: string): string => (blobs.get(id) ?? Buffer.alloc(0)).toString("utf8");
  return new Map(
    files
      .filter(({ path, id }) => decidesDependencies(path) || (blobs.get(id)?.length ?? 0) <= viewBytesMax)
      .map(({ path, id }) => [path, text(id)]),
  );
}
