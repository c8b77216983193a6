import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = import.meta.dirname
const conditions = ['@repertoire/source']

/** Tests that take longer than all others together. */
const SLOW = /real-shells|hostile/

/** The first test that fails ends the judgement of a mutant: what is quick and near goes first. */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(
      files.toSorted((one, other) => rankOf(one) - rankOf(other) || (one.moduleId < other.moduleId ? -1 : 1)),
    )
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  if (SLOW.test(moduleId)) return 2
  return moduleId.includes('/gate/') ? 0 : 1
}

// The tests of what stryker.config.js mutates, and no others: what survives the tests of the gate itself is not excused
// by a test far away that happens to notice.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root: join(root, 'packages/core'),
    include: ['test/{audit,gate,session}/**/*.test.ts'],
    setupFiles: [join(root, 'scripts/property-seed.ts')],
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
