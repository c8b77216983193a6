import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

const MAX_FILES = 10

/** Prints the files that took longest, with what they spent on loading modules and on tests. */
export default class SlowestFilesReporter implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A run of a few files is one that somebody watches.
    if (this.#vitest === undefined || modules.length <= MAX_FILES) return
    const files = modules.map((module) => {
      const { collectDuration, duration, setupDuration } = module.diagnostic()
      const name = relative(this.#vitest!.config.root, module.moduleId)
      return { name, load: collectDuration + setupDuration, total: collectDuration + setupDuration + duration }
    })
    const slowest = files.toSorted((one, other) => other.total - one.total).slice(0, MAX_FILES)
    const lines = slowest.map(({ name, load, total }) => `${seconds(total)}  (loading ${seconds(load)})  ${name}`)
    this.#vitest.logger.log(`The slowest ${MAX_FILES} files:\n${lines.join('\n')}\n`)
  }
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`.padStart(8)
}
