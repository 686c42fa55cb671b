// Whether a file uses a test or assertion library: product does not, unless its manifest says that it ships with one.
import { specifiersIn } from "./imports/javascript.ts";
import { importsIn } from "./imports/python.ts";
import { type Language, languageOf } from "./names/code.ts";

/**
 * runner: only tests are written with it. assertion: product may check its own arguments with it (`node:assert`), so it
 * says little by itself.
 */
export type LibraryUse = "runner" | "assertion" | "none";

const javascriptRunner =
  /^(?:node:test(?:\/.*)?|bun:test|vitest(?:\/(?!config).*)?|@vitest\/(?!eslint).*|jest|@jest\/globals|jest-.*|mocha|jasmine|ava|tap|tape|uvu|qunit|zora|@japa\/.*|@playwright\/test|playwright-test|cypress|@cypress\/.*|@testing-library\/.*|enzyme|@vue\/test-utils|react-test-renderer|sinon|nock|msw(?:\/.*)?|supertest|proxyquire|rewire|testdouble|tsd|expect-type|chai(?:-.*)?|should|expect|expect\.js|unexpected|power-assert|@std\/(?:testing|expect)(?:\/.*)?|fast-check|@fast-check\/.*|jsr:@std\/(?:testing|expect).*)$/;
const javascriptAssertion = /^(?:(?:node:)?assert(?:\/strict)?|@std\/assert|jsr:@std\/assert.*|uvu\/assert)$/;
const pythonRunner =
  /^(?:unittest|pytest|_pytest|nose2?|hypothesis|mock|testtools|freezegun|requests_mock|testfixtures|hamcrest|assertpy|django\.test|twisted\.trial|numpy\.testing|pandas\.testing|aiohttp\.test_utils|starlette\.testclient|fastapi\.testclient)(?:\.|$)/;

/** Rust is missing here: its files hold their own tests, and test-only modules are marked where they are declared. */
const inOtherCode: Readonly<Partial<Record<Language, RegExp>>> = {
  go: /^[ \t]*(?:import[ \t]+)?(?:[\w.]+[ \t]+)?"(?:testing(?:\/\w+)?|net\/http\/httptest|github\.com\/(?:stretchr\/testify|onsi\/(?:ginkgo|gomega)|google\/go-cmp)[\w./-]*)"/m,
  c: /^[ \t]*#[ \t]*include[ \t]*["<](?:gtest\/|gmock\/|catch2?\/|catch\.hpp|doctest|unity\.h|cmocka\.h|check\.h|CUnit\/|criterion\/|boost\/test\/|munit\.h|greatest\.h)/m,
  ruby: /^[ \t]*require[ \t(]+["'](?:minitest|rspec|test\/unit|test_helper|spec_helper|capybara|webmock|mocha\/)/m,
  php: /^[ \t]*use[ \t]+(?:PHPUnit|Pest|Mockery)\b/m,
  shell: /^[ \t]*(?:load|bats_load_library)[ \t]+["']?[\w./-]*bats-|\bshunit2\b/m,
  // Java and its relatives, and .NET.
  other: new RegExp(
    [
      /^[ \t]*import[ \t]+(?:static[ \t]+)?(?:org\.(?:junit|testng|mockito|assertj|hamcrest|spockframework|scalatest)|kotlin\.test|io\.kotest|io\.mockk|XCTest\b|Testing\b)/m,
      /^[ \t]*using[ \t]+(?:static[ \t]+)?(?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools|Moq|FluentAssertions|NSubstitute)\b/m,
    ]
      .map(({ source }) => source)
      .join("|"),
    "m",
  ),
};

/** `ships`: names that the nearest manifest lists as needed to run the package, not only to develop it. */
export function libraryUse(path: string, text: string | null, ships: ReadonlySet<string>): LibraryUse {
  if (text === null) return "none";
  const language = languageOf(path, text);
  switch (language) {
    case "javascript": {
      const names = specifiersIn(text).filter((name) => !ships.has(packageName(name)));
      if (names.some((name) => javascriptRunner.test(name))) return "runner";
      return names.some((name) => javascriptAssertion.test(name)) ? "assertion" : "none";
    }
    case "python": {
      const names = importsIn(text).flatMap(({ module, names: inner }) => [
        module,
        ...inner.map((name) => `${module}.${name}`),
      ]);
      return names.some((name) => pythonRunner.test(name) && !ships.has(name.split(".")[0] ?? "")) ? "runner" : "none";
    }
    case null:
      return "none";
    default:
      return inOtherCode[language]?.test(text) ? "runner" : "none";
  }
}

export const packageName = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/** Names that a new file must not take: tests would load it instead of the library. */
export const isTestLibrary = (name: string): boolean =>
  javascriptRunner.test(name) || javascriptAssertion.test(name) || pythonRunner.test(name);
