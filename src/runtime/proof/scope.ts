// What a feature may touch: the contract's paths and its own, new tests, and nothing that steers later sessions.
import picomatch from "picomatch";
import type { Contract, Feature } from "../../core/contract.ts";
import type { Cause } from "../../core/run.ts";
import type { Change } from "../../workspace/workspace.ts";
import type { SealRule } from "./seal.ts";

/** Files by which an agent could give orders to the sessions after it, or to the loop. */
const steering = [".claude/**", ".codex/**", ".mcp.json", ".gemini/**", ".opencode/**", "loop.yaml", ".loop/**"];

export function scopeCauses(contract: Contract, feature: Feature, changes: readonly Change[], rule: SealRule): Cause[] {
  const allowed = [...contract.scope.mayTouch, ...feature.mayTouch];
  const mayTouch = allowed.length === 0 ? () => true : picomatch([...allowed], { dot: true });
  const steers = picomatch(steering, { dot: true });
  const named = allowed.length === 0 ? () => false : mayTouch;
  const outside = changes
    .filter(({ path, kind }) => {
      if (steers(path)) return !named(path);
      return !mayTouch(path) && !rule.isReleased(path) && !(kind === "added" && rule.isTest(path));
    })
    .map(({ path }) => path);
  if (outside.length === 0) return [];
  const text = `Changed outside the scope of ${feature.id}: ${outside.slice(0, 20).join(", ")}${outside.length > 20 ? ", …" : ""}`;
  return [{ kind: "scope", key: `scope:${outside.slice().sort().join(",").slice(0, 200)}`, text }];
}
