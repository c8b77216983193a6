import { checks, renderMarkdown, renderOverview, type Report, unexpected } from '@repertoire/conformance'
import { adapterFolders, fingerprint, forgetResults, keptResults } from './conformance-results.ts'
import { publishSections } from './generated-section.ts'

/** How the matrix is brought up to date. */
export interface MatrixOptions {
  /** The root of the repository. */
  readonly root: string
  /**
   * Writes nothing, and says where a document is out of date. Takes the results of the last run of the tests if that was
   * a run of exactly these sources.
   */
  readonly isCheck: boolean
  /** Judges every adapter again, and keeps the results. */
  readonly runSuite: () => void
  /** Says what became of the documents. */
  readonly say: (text: string) => void
}

/**
 * Writes the conformance matrix into README.md and docs/conformance.md.
 * @returns whether every document is up to date, and no result a failure
 * @throws {Error} the suite has not judged every check of every adapter
 */
export function updateMatrix({ root, isCheck, runSuite, say }: MatrixOptions): boolean {
  const report = (isCheck ? reportOf(root, fingerprint(root)) : undefined) ?? judged(root, runSuite)
  const isUpToDate = publishSections(
    [
      { file: 'README.md', content: renderOverview(report) },
      { file: 'docs/conformance.md', content: renderMarkdown(report, { heading: '' }) },
    ],
    { root, name: 'conformance', command: 'npm run matrix', isCheck, say },
  )
  const failed = unexpected(report)
  for (const { adapter, id, reason } of failed) say(`${adapter} fails ${id}: ${reason}\n`)
  say(`${report.checks.length} checks of ${report.adapters.join(', ')}: ${failed.length} results are failures\n`)
  return failed.length === 0 && isUpToDate
}

function judged(root: string, runSuite: () => void): Report {
  forgetResults(root)
  runSuite()
  const found = reportOf(root)
  if (found !== undefined) return found
  throw new Error('The suite has not judged every check of every adapter; its output is above.')
}

/**
 * The results that were kept, as one report.
 * @param wanted the fingerprint that they must have; absent: any
 * @returns undefined unless every check of every adapter is among them
 */
function reportOf(root: string, wanted?: string): Report | undefined {
  const adapters = adapterFolders(root)
  const results = adapters.flatMap((adapter) => {
    const kept = keptResults(root, adapter)
    if (kept === undefined || (wanted !== undefined && kept.fingerprint !== wanted)) return []
    const found = new Map(kept.results.map((result) => [result.id, result]))
    // The folder is the name that everything else here uses: the project of the tests, and `--adapter`.
    return checks.flatMap(({ id }) => found.get(id) ?? []).map((result) => ({ ...result, adapter }))
  })
  return results.length === adapters.length * checks.length ? { adapters, checks, results } : undefined
}
