import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = import.meta.dirname
const conditions = ['@repertoire/source']

/** Tests that start processes or try thousands of examples: they are asked last. */
const SLOW = /hostile|fork|reminder|mount|path-pattern|real-shell|redact|events|hooks|reload|git-environment/

/** The first test that fails ends the judgement of a mutant: what is quick and near goes first. */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(
      files.toSorted((one, other) => rankOf(one) - rankOf(other) || (one.moduleId < other.moduleId ? -1 : 1)),
    )
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  if (SLOW.test(moduleId)) return 3
  if (moduleId.includes('/gate/')) return 0
  return moduleId.includes('/session/') ? 1 : 2
}

// The tests of what stryker.config.js mutates, and no others: what survives the tests of the gate itself is not excused
// by a test far away that happens to notice. The tests with real shells take longer than all others together.
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    root,
    include: [
      'packages/gate/test/**/*.test.ts',
      'packages/core/test/{audit,gate,session}/**/*.test.ts',
      'packages/core/src/session/**/*.test.ts',
    ],
    exclude: ['**/real-shells.test.ts'],
    setupFiles: [join(root, 'scripts/property-seed.ts')],
    sequence: { sequencer: QuickFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
