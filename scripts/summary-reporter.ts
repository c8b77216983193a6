import { writeSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

const MAX_NAMES = 20

declare module 'vitest' {
  interface TaskMeta {
    /** Set on a conformance check that ran in every variant of its adapter. */
    conformance?: object
  }
}

/**
 * Prints what was skipped or ran in part, what failed, and `N passed, N failed, N skipped` as the last line, for
 * machines that read only that.
 */
export default class SummaryReporter implements Reporter {
  #lines: readonly string[] = []

  onInit(): void {
    // Coverage reports after the run has ended, so only the exit is late enough.
    process.once('exit', () => writeSync(1, this.#lines.map((line) => `${line}\n`).join('')))
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const needed = new Map<string, number>()
    const others: string[] = []
    const failures: string[] = []
    let onlyWithCi = 0
    for (const test of modules.flatMap(({ children }) => [...children.allTests()])) {
      const { state } = test.result()
      count[state]++
      if (state === 'failed' || state === 'pending') failures.push(failureOf(test.fullName, test.result().errors?.[0]))
      if (state !== 'skipped') continue
      const name = /\(needs ([a-z-]+)\)/.exec(test.fullName)?.[1]
      if (test.fullName.endsWith('(only with CI set)')) onlyWithCi++
      else if (name === undefined) others.push(test.fullName)
      else needed.set(name, (needed.get(name) ?? 0) + 1)
    }
    // A file that cannot be loaded, or a hook that throws, has no failed test.
    for (const each of modules.flatMap((module) => [module, ...module.children.allSuites()])) {
      const name = each.type === 'module' ? each.relativeModuleId : each.fullName
      for (const error of each.errors()) failures.push(failureOf(name, error))
    }
    for (const error of unhandledErrors) failures.push(failureOf('outside of the tests', error))
    const partial = modules
      .filter(({ moduleId }) => moduleId.endsWith('/test/conformance.test.ts'))
      .flatMap(({ children }) => [...children.allTests()])
      .filter(({ fullName }) => fullName.startsWith('conformance of '))
      .filter((test) => test.result().state !== 'skipped' && test.meta().conformance === undefined)
    this.#lines = [
      ...(partial.length > 0
        ? [`${partial.length} conformance checks ran in only some variants of their adapter. Set CI to run all.`]
        : []),
      ...(onlyWithCi > 0 ? [`Skipped: ${onlyWithCi} tests that run only with CI set`] : []),
      ...others.slice(0, MAX_NAMES).map((name) => `Skipped: ${name}`),
      ...(others.length > MAX_NAMES ? [`Skipped: ${others.length - MAX_NAMES} more tests`] : []),
      ...[...needed].map(([name, tests]) => `Skipped: ${tests} tests that need the Debian package ${name}`),
      ...failures,
      `${count.passed} passed, ${failures.length} failed, ${count.skipped} skipped`,
    ]
  }
}

function failureOf(name: string, error: { readonly message?: string } | undefined): string {
  return `Failed: ${name}: ${error?.message?.split('\n', 1)[0] ?? 'It did not end.'}`
}
