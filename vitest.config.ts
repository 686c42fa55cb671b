import { defineConfig } from "vitest/config";

/** Results here depend on nothing outside: a test that passes only at a second try has found something. */
const firm = ["src/{core,intake,formats,journal,proof}/**/*.test.ts"];
/** Real agents against a scripted model. */
const agents = ["tests/agents/**/*.test.ts", "tests/examples/**/*.test.ts"];
const walled = ["tests/walls/{agents,login,money}.test.ts"];
/** Sweeps and whole stories that take long. What remains has at least one outside test for each promise. */
const long = [
  "src/agents/rehearsal/rehearsal.test.ts",
  "src/drill/cases/truth.test.ts",
  "src/engines/local/engine.test.ts",
  "src/workspace/git/files/restore.property.test.ts",
  "tests/blackbox/{answers,artifacts,bad-input-more,changed,check,check-network,checks,completion,contract,doctor,doors}.test.ts",
  "tests/blackbox/{endings,error-classes,front-door,held-decisions,hidden,hostile-repository,import,init,json,kill,large}.test.ts",
  "tests/blackbox/{memory,morning,newcomer,own-branch,people,proof-input,queue,readme,seed-format,tasks,trust}.test.ts",
  "tests/blackbox/{two-features,vault-files,waiting,where}.test.ts",
  "tests/browser/{browser,report}.test.ts",
  "tests/ci/**/*.test.ts",
  "tests/drill/**/*.test.ts",
  "tests/engines/**/*.test.ts",
  "tests/faults/{clock,crash,io,processes}.test.ts",
  "tests/hook/{people,same-answer,stop}.test.ts",
  "tests/notify/notify.test.ts",
  "tests/place/{inputs,landing,numbers,records,several,unlanded}.test.ts",
  "tests/procedure/{amended,chosen-agents,headless,library,open-project,start,terminal}.test.ts",
  "tests/proof/{added-to,alone,as-a-user-runs-it,cases,earlier,examples-in-words,exit-codes,explained,honest,made-green,marked,modules,new-tests,programs,quoted,random,reached,side-by-side,started,variants}.test.ts",
  "tests/prove/**/*.test.ts",
  "tests/seeds/commands.test.ts",
  "tests/serve/{flood,kill,page,page-live,runs,schedule,triggers}.test.ts",
  "tests/simulation/{crash-more,planted}.test.ts",
  "tests/terminal/{live,walks,watch}.test.ts",
  "tests/walls/{ignored,modes,suite,unattended}.test.ts",
  "tests/wild/**/*.test.ts",
];
// Real processes on a machine that others share. What passed only at a second try is named at the end of the run.
const retry = process.env["CI"] === undefined ? 0 : 2;

export default defineConfig({
  test: {
    globalSetup: ["tests/support/memory-folder.ts"],
    // Most tests watch an agent from outside, or let it reach outside on purpose. Those about walls switch them on.
    env: { LOOPWRIGHT_SANDBOX: "off" },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 3,
    reporters: ["default", "./tests/closing-line.ts"],
    projects: [
      { extends: true, test: { name: "firm", include: firm, retry: 0 } },
      {
        extends: true,
        test: {
          name: "quick",
          include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...firm, ...agents, ...walled, ...long],
          retry,
        },
      },
      // Codex's own sandbox has a private /dev, without /dev/shm.
      { extends: true, test: { name: "agents", include: agents, env: { TMPDIR: "/tmp" }, retry } },
      { extends: true, test: { name: "walled", include: walled, retry } },
      { extends: true, test: { name: "long", include: long, retry } },
    ],
  },
});
