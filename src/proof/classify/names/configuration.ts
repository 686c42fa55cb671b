// Rule 3, configuration: files that decide how the project is built, checked and run, by their names; and CI.
import { foldersOf, nameOf } from "../paths.ts";

/** likely: a name for settings of a tool or of the program, such as `app.config.ts`: product where product uses it. */
export type ConfigurationName = { readonly how: "sure" | "likely"; readonly reason: string };

const tools =
  "vitest|vite|jest|karma|mocha|jasmine|ava|tap|playwright|cypress|wdio|nightwatch|web-test-runner|testcafe|stryker|babel|swc|webpack|rollup|rolldown|esbuild|tsup|tsdown|unbuild|parcel|metro|snowpack|turbo|nx|postcss|tailwind|next|nuxt|svelte|astro|remix|gatsby|vue|quasar|angular|eslint|prettier|stylelint|commitlint|lint-staged|release|semantic-release|knip|biome|oxlint|dprint|size-limit|bundlewatch|c8|nyc|storybook|drizzle|graphql|codegen|craco|capacitor|expo|electron-builder|electron|vetur|syncpack|depcheck|lage|wireit|moon|react-router|sentry|happo|percy|chromatic|pm2|ecosystem";

const sure: readonly RegExp[] = [
  new RegExp(`^(?:${tools})(?:\\.[\\w-]+)*\\.(?:config|workspace|conf|projects)(?:\\.[\\w-]+)?\\.[cm]?[jt]sx?$`, "i"),
  new RegExp(`^(?:${tools})(?:\\.config|rc)\\.(?:json[c5]?|ya?ml|toml)$`, "i"),
  /^(?:biome|turbo|nx|knip|dprint|cypress|jest|playwright|nightwatch|karma|stryker|size-limit|moon|codegen)\.(?:json[c5]?|ya?ml)$/i,
  /^(?:tsconfig|jsconfig)(?:[-.][\w.-]*)?\.json$/i,
  /^(?:pnpm-workspace\.ya?ml|lerna\.json|rush\.json|bunfig\.toml|deno\.jsonc?|angular\.json|vercel\.json|netlify\.toml|babel\.config\.\w+|import_map\.json)$/i,
  /^(?:(?:GNU)?Makefile(?:[-_.](?!py$|[cm]?[jt]sx?$|rb$|go$|rs$|php$)[\w-]+)?|.+\.mk|[Jj]ustfile|[Tt]askfile\.ya?ml|Rakefile|Earthfile|[Gg]ulpfile[\w.]*|Gruntfile[\w.]*|Jakefile[\w.]*|Snakefile|SConstruct|SConscript|wscript)$/i,
  /^(?:CMakeLists\.txt|CMakePresets\.json|CTestTestfile\.cmake|.+\.cmake|meson\.build|meson_options\.txt|configure(?:\.ac|\.in)?|Makefile\.(?:am|in)|BUILD(?:\.bazel)?|WORKSPACE(?:\.bazel)?|MODULE\.bazel|.+\.bzl)$/,
  /^(?:tox\.ini|pytest\.(?:ini|toml)|mypy\.ini|pylintrc|ruff\.toml|noxfile\.py|fabfile\.py|dodo\.py|invoke\.ya?ml|pyrightconfig\.json|MANIFEST\.in|hatch\.toml|hatch_build\.py|environment[\w.-]*\.ya?ml)$/i,
  // Python loads these automatically.
  /^(?:sitecustomize|usercustomize)\.py$/i,
  /^(?:build\.rs|rust-toolchain(?:\.toml)?|\.?rustfmt\.toml|\.?clippy\.toml|deny\.toml|nextest\.toml|cross\.toml)$/i,
  /^(?:go\.work|Magefile\.go|magefile\.go)$/,
  /^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|gradlew(?:\.bat)?|mvnw(?:\.cmd)?|build\.sbt|build\.xml|lombok\.config|[\w.-]*(?:checkstyle|spotbugs|pmd)[\w.-]*\.xml)$/i,
  // JUnit and TestNG find these anywhere on the class path.
  /^(?:junit-platform\.properties|testng[\w.-]*\.xml|logback-test\.xml|allure\.properties|(?:org\.junit|org\.testng|org\.mockito|org\.assertj)\.[\w.]+)$/,
  /^(?:.+\.(?:csproj|fsproj|vbproj|sln|slnx|props|targets|runsettings|ruleset|editorconfig)|global\.json|nuget\.config|xunit\.runner\.json|packages\.config)$/i,
  /^(?:mix\.exs|Package\.swift|pubspec\.ya?ml|dune-project|stack\.ya?ml|.+\.cabal|rebar\.config|project\.clj|deps\.edn|Podfile|Cartfile|shard\.yml)$/,
  /^(?:phpunit[\w.-]*\.xml(?:\.dist)?|phpstan[\w.-]*|psalm\.xml[\w.]*|codeception[\w.-]*\.ya?ml|Pest\.php|rector\.php|pint\.json|cucumber\.ya?ml|artisan)$/,
  /^(?:(?:.+\.)?Dockerfile(?:\.[\w.-]+)?|Containerfile|(?:docker-)?compose(?:[-.][\w.-]+)?\.ya?ml|Vagrantfile|Procfile[\w.]*|Tiltfile|skaffold\.ya?ml|flake\.(?:nix|lock)|(?:default|shell)\.nix|devbox\.json)$/i,
  /^(?:Jenkinsfile[\w.-]*|azure-pipelines[\w.-]*\.ya?ml|bitbucket-pipelines\.ya?ml|appveyor\.ya?ml|cloudbuild[\w.-]*\.ya?ml|buildspec[\w.-]*\.ya?ml|codecov\.ya?ml|sonar-project\.properties|lefthook[\w.-]*\.(?:ya?ml|toml|json)|renovate\.json5?|dependabot\.ya?ml|mkdocs\.ya?ml|typedoc\.json|api-extractor\.json|CODEOWNERS|manage\.py)$/i,
];

const likely = /\.(?:config|conf)\.(?:[cm]?[jt]sx?|json|ya?ml|toml)$/i;

/** Null: nothing in the path says configuration. */
export function configurationName(path: string): ConfigurationName | null {
  const name = nameOf(path);
  const hidden = foldersOf(path).find((folder) => folder.startsWith(".") && folder !== ".well-known");
  if (hidden !== undefined) return { how: "sure", reason: `in ${hidden}/, a folder of tool settings` };
  if (name.startsWith(".")) return { how: "sure", reason: "a tool's settings, by its name" };
  if (sure.some((pattern) => pattern.test(name))) return { how: "sure", reason: "configuration, by its name" };
  return likely.test(name) ? { how: "likely", reason: "configuration, by its name" } : null;
}
