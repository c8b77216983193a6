import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'

const MIN_FILES = 10
const MAX_NAMES = 20

/** Prints which tests were skipped: how many for each missing Debian package, and all others by name. */
export default class SkippedTestsReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= MIN_FILES) return
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')])
    if (skipped.length > 0) this.#vitest?.logger.log(`${describeSkipped(skipped).join('\n')}\n`)
  }
}

function describeSkipped(tests: readonly TestCase[]): string[] {
  const needed = new Map<string, number>()
  const others: string[] = []
  for (const { fullName } of tests) {
    const name = /\(needs ([a-z][a-z-]*)\)/.exec(fullName)?.[1]
    if (name === undefined) others.push(fullName)
    else needed.set(name, (needed.get(name) ?? 0) + 1)
  }
  const lines = [`Skipped ${tests.length} tests:`]
  for (const [name, count] of needed) lines.push(`  ${count} need the Debian package ${name}, which is missing here`)
  lines.push(...others.slice(0, MAX_NAMES).map((name) => `  ${name}`))
  if (others.length > MAX_NAMES) lines.push(`  and ${others.length - MAX_NAMES} more`)
  if (needed.size > 0) lines.push(`To run them: apt-get install ${[...needed.keys()].join(' ')}`)
  return lines
}
