// Whether a module of the project offers a name to others.
import { filesOfModule } from "../classify/index.ts";
import { offeredNames } from "../source/index.ts";
import type { View } from "../view.ts";

/** Null: its text does not say. */
export function provides(
  path: string,
  name: string,
  view: View,
  seen: ReadonlySet<string> = new Set(),
): boolean | null {
  const offered = offeredNames(path, view.text(path) ?? "");
  if (offered === null) return null;
  if (offered.names.has(name)) return true;
  if (offered.isOpen) return null;
  const known = new Set([...seen, path]);
  const passed = offered.all.map((module) => {
    const [file] = filesOfModule(path, module, view);
    if (file === undefined) return null;
    return known.has(file) ? false : provides(file, name, view, known);
  });
  return passed.includes(true) ? true : passed.includes(null) ? null : false;
}

/** Of a module as this file imports it; of a package of Python, its modules are names, too. */
export function moduleProvides(path: string, module: string, name: string, view: View): boolean | null {
  const inside = module.endsWith(".") ? `${module}${name}` : `${module}.${name}`;
  if (path.endsWith(".py") && filesOfModule(path, inside, view).length > 0) return true;
  const each = filesOfModule(path, module, view).map((file) => provides(file, name, view));
  return each.includes(true) ? true : each.includes(null) ? null : false;
}
