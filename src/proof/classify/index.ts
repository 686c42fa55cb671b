// Product and judge: what a feature may change, and what decides whether it passes.
export { classify } from "./classify.ts";
export { describeSplit, type Shown, type Split } from "./describe.ts";
export { filesOfModule, importersOf, importsOf } from "./imports/index.ts";
export { importsIn } from "./imports/python.ts";
export type { Classification, Settings } from "./kinds.ts";
export { mixManifest } from "./manifests/mix.ts";
export { isLockfile, isManifest } from "./names/dependencies.ts";
export { isDocumentName } from "./names/documents.ts";
export { isShowFolder, isToolFolder } from "./names/folders.ts";
export { pythonPackages } from "./packages/named-python.ts";
