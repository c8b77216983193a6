import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { packageOf } from './package-of.ts'

/** The packages with long files, in the order in which they run. */
const FIRST = ['bench', 'langchain', 'ai-sdk', 'react-loop', 'demo', 'scripts', 'runners', 'cli', 'conformance']
/** Those whose workers serve no others. Core's files are many and short: they fill the end. */
const LAST = ['library', 'storage', 'core']

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
  const name = packageOf(moduleId) ?? ''
  if (LAST.includes(name)) return FIRST.length + 1 + LAST.indexOf(name)
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length
}

/** The conformance suite of an adapter is its longest file, and a small one: its size says nothing. */
function fileRank({ moduleId }: TestSpecification): number {
  return moduleId.endsWith('/test/conformance.test.ts') ? 0 : 1
}
