// Ends a test run with the tests that passed only on a retry, and one plain summary line that log readers can find.
import type { Reporter, TestModule } from "vitest/node";

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    const again: string[] = [];
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state] += 1;
        if (state === "passed" && (test.diagnostic()?.retryCount ?? 0) > 0) again.push(test.fullName);
      }
      if (module.errors().length > 0) count.failed += 1;
    }
    for (const name of again) process.stdout.write(`passed only at a second try: ${name}\n`);
    process.stdout.write(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
