import type { Result } from '@repertoire/conformance/vitest'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, TestSpecification } from 'vitest/node'
import { adapterFolders, fingerprint, keepResults } from './conformance-results.ts'
import { packageOf } from './package-of.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Keeps what the conformance suite found in a run of the tests, so that the matrix needs no run of its own. */
export default class ConformanceReporter implements Reporter {
  #fingerprint = ''

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
      found.set(adapter, [...(found.get(adapter) ?? []), ...results])
    }
    for (const [adapter, results] of found) {
      if (results.length > 0) keepResults(root, adapter, { fingerprint: this.#fingerprint, results })
    }
  }
}
