import type { Result } from '@repertoire/conformance/vitest'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'
import { adapterFolders, fingerprint, keepResults } from './conformance-results.ts'
import { packageOf } from './package-of.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Keeps what the conformance suite found in a run of the tests, so that the matrix needs no run of its own. Prints how
 * many checks ran in only some variants of their adapter.
 */
export default class ConformanceReporter implements Reporter {
  #vitest: Vitest | undefined
  #fingerprint = ''

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    const adapters = new Set(adapterFolders(root))
    if (!specifications.some(({ moduleId }) => adapters.has(packageOf(moduleId) ?? ''))) return
    // Before anything is loaded: what is edited while the tests run makes the results those of older sources.
    this.#fingerprint = fingerprint(root)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const adapters = new Set(adapterFolders(root))
    const found = new Map<string, Result[]>()
    for (const module of modules) {
      const adapter = packageOf(module.moduleId)
      if (adapter === undefined || !adapters.has(adapter)) continue
      const results = [...module.children.allTests()].flatMap((test) => test.meta().conformance ?? [])
      const ran = [...module.children.allTests()].filter(
        (test) => test.fullName.startsWith('conformance of ') && test.result().state !== 'skipped',
      )
      const partly = ran.filter((test) => test.meta().conformance === undefined)
      if (partly.length > 0) {
        this.#vitest?.logger.log(
          `${adapter}: ${partly.length} of ${ran.length} conformance checks ran in only some variants. Set CI to run all.`,
        )
      }
      found.set(adapter, [...(found.get(adapter) ?? []), ...results])
    }
    for (const [adapter, results] of found) {
      if (results.length > 0) keepResults(root, adapter, { fingerprint: this.#fingerprint, results })
    }
  }
}
