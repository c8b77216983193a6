import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { packageOf } from './package-of.ts'

/** The packages with long files, in the order in which they run. Core's files are many and short: they fill the end. */
const PACKAGES = ['bench', 'langchain', 'ai-sdk', 'react-loop', 'demo', 'scripts', 'runners', 'cli', 'conformance']

/** Sorts test files so that no worker is left with a long file when the others have finished. */
export class LongestFirst extends BaseSequencer {
  /** By package, since a worker has then loaded what the next file needs; inside a package the longest files first. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // By the durations of the last run, if there was one, and by size if not.
    const byDuration = await BaseSequencer.prototype.sort.call(this, files)
    return byDuration.toSorted((one, other) => packageRank(one) - packageRank(other) || fileRank(one) - fileRank(other))
  }
}

function packageRank({ moduleId }: TestSpecification): number {
  const rank = PACKAGES.indexOf(packageOf(moduleId) ?? '')
  return rank === -1 ? PACKAGES.length : rank
}

/** The conformance suite of an adapter is its longest file, and a small one: its size says nothing. */
function fileRank({ moduleId }: TestSpecification): number {
  return moduleId.endsWith('/test/conformance.test.ts') ? 0 : 1
}
