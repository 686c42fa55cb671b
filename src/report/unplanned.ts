// What a request asks for while no plan has made features of it: the items of its lists, or the request itself.
import type { Run } from "../core/run.ts";
import { allDone } from "../core/select.ts";
import { ownWords } from "../formats/contract/others-words.ts";
import { requestItems } from "../formats/contract/request-items.ts";
import { requestToFeature } from "../formats/queue/request-to-feature.ts";

export type Unplanned = { readonly steps: readonly string[]; readonly criteria: readonly string[] };

const nothing: Unplanned = { steps: [], criteria: [] };

export function unplannedOf(run: Run): Unplanned {
  const { stages, request } = run.contract;
  if (!stages.includes("plan") || run.spent.iterations > 0 || !allDone(run)) return nothing;
  const { name, criteria } = requestToFeature(request);
  const items = requestItems(ownWords(request));
  return { steps: items.length === 0 ? [name] : items, criteria };
}
