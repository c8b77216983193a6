// Writes the conformance matrix into README.md and docs/conformance.md: node scripts/matrix.ts [--check]
//
// `--check` writes nothing, and fails where a document is out of date. It uses the results of the last run of the
// tests if that was a run of exactly these sources, and runs the suite itself if not.
import { checks, renderMarkdown, renderOverview, type Report, unexpected } from '@repertoire/conformance'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { adapterFolders, fingerprint, forgetResults, keptResults } from './conformance-results.ts'
import { publishSections } from './generated-section.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const report = (values.check ? reportOf(fingerprint(root)) : undefined) ?? runSuite()
const isUpToDate = publishSections(
  [
    { file: 'README.md', content: renderOverview(report) },
    { file: 'docs/conformance.md', content: renderMarkdown(report, { heading: '' }) },
  ],
  { root, name: 'conformance', command: 'npm run matrix', isCheck: values.check },
)
const failed = unexpected(report)
for (const { adapter, id, reason } of failed) process.stdout.write(`${adapter} fails ${id}: ${reason}\n`)
process.stdout.write(
  `${report.checks.length} checks of ${report.adapters.join(', ')}: ${failed.length} results are failures\n`,
)
process.exitCode = failed.length > 0 || !isUpToDate ? 1 : 0

/** Judges every adapter again, as the tests do. */
function runSuite(): Report {
  forgetResults(root)
  const projects = adapterFolders(root).flatMap((name) => ['--project', name])
  const reporters = ['--reporter=minimal', `--reporter=${join(root, 'scripts/conformance-reporter.ts')}`]
  const { error } = spawnSync(
    'vitest',
    ['run', ...projects, ...reporters, '--coverage.enabled=false', '--silent=passed-only', 'test/conformance.test.ts'],
    // Stdout is for what became of the documents, and frameworks warn of much while they are judged.
    // With `CI` set, every check runs in every variant.
    { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, CI: '1', NODE_NO_WARNINGS: '1' } },
  )
  const found = reportOf()
  if (found !== undefined) return found
  throw new Error('The suite has not judged every check of every adapter; its output is above.', { cause: error })
}

/**
 * The results that were kept, as one report.
 * @param wanted the fingerprint that they must have; absent: any
 * @returns undefined unless every check of every adapter is among them
 */
function reportOf(wanted?: string): Report | undefined {
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
