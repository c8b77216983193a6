import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Prints `N passed, N failed, N skipped` as the run's last line, for machines that read only that. */
export default class ClosingLineReporter implements Reporter {
  #line: string | undefined

  onInit(): void {
    // Coverage reports after the run has ended, so only the exit is late enough.
    process.once('exit', () => {
      if (this.#line !== undefined) writeSync(1, `${this.#line}\n`)
    })
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state]++
      // A file that cannot be loaded, or a hook that throws, has no failed test to its name.
      count.failed += module.errors().length
      for (const suite of module.children.allSuites()) count.failed += suite.errors().length
    }
    this.#line = `${count.passed} passed, ${count.failed + count.pending} failed, ${count.skipped} skipped`
  }
}
