import type { Reporter, TestModule } from 'vitest/node';

/** Prints at the end which tests did not run, and why. */
export class NotRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const namesByReason = new Map<string, string[]>();
    let count = 0;
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        const reason = test.meta().notRun ?? (result.state === 'skipped' && result.note);
        // Tests that a filter on the command line left out have none.
        if (!reason) continue;
        count += 1;
        const names = namesByReason.get(reason) ?? [];
        namesByReason.set(reason, names);
        names.push(`${module.relativeModuleId} > ${test.fullName}`);
      }
    }
    if (count === 0) return;
    process.stdout.write(`Not run: ${count} ${count === 1 ? 'test' : 'tests'}\n`);
    for (const [reason, names] of namesByReason) {
      process.stdout.write(`\n${reason}\n${names.map((name) => `  ${name}\n`).join('')}`);
    }
  }
}
