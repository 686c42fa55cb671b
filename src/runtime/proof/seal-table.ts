// What is sealed when nobody says otherwise, by ecosystem: where tests live, and what decides how they are run.

export type Ecosystem = {
  readonly name: string;
  /** Tests, fixtures and snapshots. */
  readonly tests: readonly string[];
  /** What decides how tests are built and run. Read by itself, so that one which was not there before matters too. */
  readonly configuration: readonly string[];
};

export const ecosystems: readonly Ecosystem[] = [
  {
    name: "any",
    tests: [
      "**/{test,tests,spec,specs,e2e,__tests__,__mocks__,__snapshots__,__fixtures__,testdata,test-data}/**",
      "**/{fixtures,snapshots}/**/*.{snap,golden,json,yaml,yml,txt,csv,xml,sql,approved}",
      "**/*.{test,spec,cy,e2e}.*",
      "**/*_{test,spec}.*",
      "{test,tests,check}.*",
      "**/*.feature",
      "**/*.snap",
      "**/*.bats",
    ],
    configuration: [
      "{GNUm,m,M}akefile",
      "*.mk",
      "{j,J,.j}ustfile",
      "{T,t}askfile.{yml,yaml}",
      "Rakefile",
      "CMakeLists.txt",
      "{BUILD,WORKSPACE,MODULE}{,.bazel}",
      "Earthfile",
      "lefthook.yml",
      ".tool-versions",
    ],
  },
  {
    name: "JavaScript, TypeScript",
    tests: ["**/{jest,vitest,test}.setup.*", "**/setupTests.*", "cypress/**"],
    configuration: [
      "**/{jest,vitest,vite,karma,playwright,cypress,babel,ava,wdio,web-test-runner,nightwatch,tap}.config.*",
      "**/vitest.workspace.*",
      "**/.{mocharc,nycrc,c8rc,babelrc,swcrc,taprc}*",
      "**/tsconfig*.json",
      "**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,pnpm-workspace.yaml,bunfig.toml,deno.json,deno.jsonc}",
      "{turbo,nx,lerna}.json",
    ],
  },
  {
    name: "Python",
    tests: ["**/test_*.py", "**/tests.py"],
    configuration: [
      "**/conftest.py",
      "**/{pytest.ini,.pytest.ini,tox.ini,setup.cfg,noxfile.py,.coveragerc,mypy.ini}",
      // Python takes these from the folder it is started in, before its own.
      "{sitecustomize,usercustomize,pytest,_pytest,unittest,pluggy}.py",
      "{pytest,_pytest,unittest,pluggy}/**",
    ],
  },
  { name: "Go", tests: ["**/*_test.go"], configuration: ["go.work", "**/.golangci.{yml,yaml,toml}"] },
  {
    name: "Rust",
    tests: ["**/tests/**", "**/benches/**"],
    configuration: ["**/.cargo/config*", "**/build.rs", "rust-toolchain*", ".config/nextest.toml"],
  },
  {
    name: "Java, Kotlin, Scala",
    tests: [
      "**/src/{test,it,integrationTest,testFixtures,androidTest}/**",
      "**/*{Test,Tests,IT,Spec}.{java,kt,scala,groovy}",
    ],
    configuration: [
      "**/{build,settings}.gradle{,.kts}",
      "**/gradle.properties",
      "gradlew*",
      "gradle/wrapper/**",
      "mvnw*",
      ".mvn/**",
      "build.sbt",
    ],
  },
  {
    name: "Ruby",
    tests: ["**/{spec,test}_helper.rb", "**/rails_helper.rb"],
    configuration: ["**/.rspec", ".simplecov", "cucumber.yml", "config/cucumber.yml"],
  },
  {
    name: "PHP",
    tests: ["**/*Test.php"],
    configuration: ["**/phpunit*.xml*", "**/phpstan*.neon*", "codeception*.yml", "**/Pest.php"],
  },
  {
    name: ".NET",
    tests: ["**/*.{Tests,Test,Specs}/**", "**/*{Test,Tests}.{cs,fs,vb}"],
    configuration: ["**/*.runsettings", "**/xunit.runner.json", "Directory.Build.{props,targets}", "global.json"],
  },
];

/** Nothing here is run by a check; changing one is named, and no more. */
export const ciFiles: readonly string[] = [
  ".github/{workflows,actions}/**",
  ".gitlab-ci.yml",
  ".circleci/**",
  ".buildkite/**",
  ".travis.yml",
  "azure-pipelines*.yml",
  "bitbucket-pipelines.yml",
  "Jenkinsfile",
  ".drone.yml",
];

/** A lockfile follows its manifest: a change to it alone is named. */
export const lockfiles: readonly (readonly [lock: string, manifests: readonly string[]])[] = [
  ["package-lock.json", ["package.json"]],
  ["npm-shrinkwrap.json", ["package.json"]],
  ["yarn.lock", ["package.json"]],
  ["pnpm-lock.yaml", ["package.json", "pnpm-workspace.yaml"]],
  ["bun.lock", ["package.json"]],
  ["bun.lockb", ["package.json"]],
  ["deno.lock", ["deno.json", "deno.jsonc"]],
  ["poetry.lock", ["pyproject.toml"]],
  ["uv.lock", ["pyproject.toml"]],
  ["pdm.lock", ["pyproject.toml"]],
  ["Pipfile.lock", ["Pipfile"]],
  ["go.sum", ["go.mod"]],
  ["Cargo.lock", ["Cargo.toml"]],
  ["Gemfile.lock", ["Gemfile"]],
  ["composer.lock", ["composer.json"]],
  ["packages.lock.json", ["*.csproj", "*.fsproj", "Directory.Packages.props"]],
  ["gradle.lockfile", ["build.gradle", "build.gradle.kts"]],
];

/** Files of which a part is sealed: dependencies may come in, and what tests are run by may not change unseen. */
export const mixedFiles: readonly {
  readonly file: string;
  readonly format: "json" | "toml";
  readonly parts: RegExp;
}[] = [
  { file: "package.json", format: "json", parts: /^(?:scripts|jest|vitest|mocha|ava|c8|nyc|tap|babel|wireit)$/ },
  { file: "composer.json", format: "json", parts: /^scripts$/ },
  {
    file: "pyproject.toml",
    format: "toml",
    parts: /^tool\.(?:pytest|coverage|tox|nox|poe|hatch\.envs|pdm\.scripts|mypy|ruff)(?:\.|$)/,
  },
  { file: "Cargo.toml", format: "toml", parts: /^(?:profile(?:\..*)?|test|bench|lints(?:\..*)?)$/ },
];

/** All globs of one kind. */
export const usualTests: readonly string[] = ecosystems.flatMap(({ tests }) => tests);
export const usualConfiguration: readonly string[] = ecosystems.flatMap(({ configuration }) => configuration);
