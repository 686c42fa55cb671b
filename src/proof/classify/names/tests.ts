// Rule 4: files that are tests, or belong to tests, by their name or folder.
import { foldersOf, nameOf } from "../paths.ts";

/**
 * sure: nothing else has such a name. likely: product may have it too (a `test` command, an A/B test), so code in a
 * product folder that product uses is not taken for a test.
 */
export type TestName = { readonly how: "sure" | "likely"; readonly reason: string };

const sureFolder = /^__\w*(?:test|spec|mock|fixture|snapshot|screenshot)\w*__$/i;

const likelyFolders: readonly RegExp[] = [
  /^tests?$/i,
  /^test(?:utils?|helpers?|data|support|lib|kit|fixtures?|resources|suites?|cases?|harness)$/i,
  /^tests?[-_.][\w.-]+$|^[\w.-]+[-_]tests?$/i,
  /^(?:e2e|testing|specs?|cypress|playwright|fixtures?|goldens?|golden[-_]?(?:files?|masters?|data)|expected|expectations|snapshots?|mocks?|stubs|fakes|cassettes|step_definitions|benches|bats|acceptance|fuzz|fuzzing|fuzz_targets)$/i,
  // Gradle and Xcode: `integrationTest`, `AppTests`. .NET: `Shop.Tests`.
  /^[A-Za-z]\w*?[a-z](?:Tests?|Specs?|UITests|TestFixtures)$/,
  /^.+\.(?:Unit|Integration|Functional|E2E)?(?:Tests?|Specs?|Benchmarks)$/,
];

const sureNames: readonly RegExp[] = [
  /\.(?:tests?|e2e|e2e-spec|cy|bench|benchmark|test-d|spec-d|tst|types-test)\.[^.]+(?:\.snap)?$/i,
  // `openapi.spec.yaml` describes an interface.
  /\.specs?\.(?!ya?ml$|json$|md$|txt$)[^.]+(?:\.snap)?$/i,
  /_test\.go$/,
  /^conftest\.py$/i,
  /\.(?:bats|snap|golden|feature|robot|test|tests)$/i,
  /\.(?:approved|received|expected|golden)(?:\.[^.]+)?$/i,
  /^(?:vitest|jest|karma|mocha|jasmine|playwright|cypress|ava|tests?|specs?)[-_.]?(?:global[-_.]?)?(?:setup|teardown|bootstrap)\.[^.]+$/i,
  /^(?:vitest|jest|karma|mocha|jasmine|ava)[-_.](?:env|environment|helpers?|utils?|matchers|shims?)\.[^.]+$/i,
  /^(?:spec|rails|test)_helper\.\w+$/i,
  /^(?:setup|global[-_.]?setup|global[-_.]?teardown)[-_.]?(?:tests?|vitest|jest|mocha|spec)\.[^.]+$/i,
  /^global[-_.]?(?:setup|teardown)\.[^.]+$/i,
  /^specrunner\.html?$/i,
];

const likelyNames: readonly RegExp[] = [
  /[-_](?:tests?|specs?|bench|e2e)\.[^.]+$/i,
  /^tests?[-_][^/]*\.[^.]+$/i,
  /^tests?\.[\w.]+$/i,
  /^(?:test(?:ing|utils?|helpers?|suite|case|lib)|spec[-_.]?(?:helpers?|utils?))\.[^.]+$/i,
  /^(?:Test[A-Z]\w*|\w*(?:Tests?|TestCase|TestSuite|Specs?)|\w*[a-z]IT)\.(?:java|kt|kts|scala|groovy|cs|fs|vb|swift|php|hs|dart|m|mm)$/,
  /^(?:run|runner|all)[-_]?(?:tests?|specs?|checks?)(?:\.[^.]+)?$/i,
  /^tests?$/i,
];

/** Null: nothing in the path says test. */
export function testName(path: string): TestName | null {
  const name = nameOf(path);
  const way = foldersOf(path);
  const own = way.find((folder) => sureFolder.test(folder));
  if (own !== undefined) return { how: "sure", reason: `in ${own}/, a folder of tests` };
  if (sureNames.some((pattern) => pattern.test(name))) return { how: "sure", reason: "a test, by its name" };
  const folder = way.find((part) => isTestFolder(part));
  if (folder !== undefined) return { how: "likely", reason: `in ${folder}/, a folder of tests` };
  const likely = likelyNames.some((pattern) => pattern.test(name)) && !/\.(?:mdx?|rst|adoc)$/i.test(name);
  return likely ? { how: "likely", reason: "a test, by its name" } : null;
}

export const isTestFolder = (folderName: string): boolean =>
  sureFolder.test(folderName) || likelyFolders.some((pattern) => pattern.test(folderName));
