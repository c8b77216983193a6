// Writes the conformance matrix into README.md and docs/conformance.md: node scripts/matrix.ts [--check]
//
// `--check` writes nothing, and fails where a document is out of date. It goes by the results of the last run of the
// tests if that was a run of exactly these sources, and runs the suite itself if not.
import { checks, renderMarkdown, renderOverview, type Report, unexpected } from '@repertoire/conformance'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { adapterFolders, fingerprint, forgetResults, keptResults } from './conformance-results.ts'
import { sectionOf, withSection } from './marked-section.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })

const report = (values.check ? reportOf(fingerprint(root)) : undefined) ?? runSuite()
const stale = [
  outdated('README.md', renderOverview(report)),
  outdated('docs/conformance.md', renderMarkdown(report, { heading: '' })),
].flatMap((document) => document ?? [])

for (const { file, text, difference } of stale) {
  if (!values.check) writeFileSync(join(root, file), text)
  process.stdout.write(
    values.check
      ? `${file} is out of date. Run "npm run matrix" and commit what it writes.\n${difference}\n`
      : `${file} is written.\n`,
  )
}
const failed = unexpected(report)
for (const { adapter, id, reason } of failed) process.stdout.write(`${adapter} fails ${id}: ${reason}\n`)
process.stdout.write(
  `${report.checks.length} checks of ${report.adapters.join(', ')}: ${failed.length} results are failures\n`,
)
process.exitCode = failed.length > 0 || (values.check && stale.length > 0) ? 1 : 0

/** Judges every adapter anew, as the tests do. */
function runSuite(): Report {
  forgetResults(root)
  const projects = adapterFolders(root).flatMap((name) => ['--project', name])
  const reporters = ['--reporter=minimal', `--reporter=${join(root, 'scripts/conformance-reporter.ts')}`]
  const { error } = spawnSync(
    'vitest',
    ['run', ...projects, ...reporters, '--coverage.enabled=false', '--silent=passed-only', 'test/conformance.test.ts'],
    // Stdout is for what became of the documents, and frameworks warn of much while they are judged.
    { cwd: root, stdio: ['ignore', 2, 2], env: { ...process.env, NODE_NO_WARNINGS: '1' } },
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
    // The folder is the name that everything else here goes by: the project of the tests, and `--adapter`.
    return checks.flatMap(({ id }) => found.get(id) ?? []).map((result) => ({ ...result, adapter }))
  })
  return results.length === adapters.length * checks.length ? { adapters, checks, results } : undefined
}

/** A document that holds another matrix, with the text that it should have and the first line that is not as it should be. */
function outdated(file: string, content: string): { file: string; text: string; difference: string } | undefined {
  const now = readFileSync(join(root, file), 'utf8')
  const text = formatted(file, withSection(now, 'conformance', content, file))
  const [is, should] = [now, text].map((each) => sectionOf(each, 'conformance', file).split('\n'))
  if (is!.join('\n') === should!.join('\n')) return undefined
  const at = should!.findIndex((line, index) => line !== is![index])
  const line = at === -1 ? should!.length : at
  return { file, text, difference: `  is:     ${is![line] ?? '(nothing)'}\n  should: ${should![line] ?? '(nothing)'}` }
}

function formatted(file: string, text: string): string {
  const options = { cwd: root, input: text, encoding: 'utf8' } as const
  const { status, stdout, stderr, error } = spawnSync('oxfmt', [`--stdin-filepath=${file}`], options)
  if (status !== 0) throw new Error(`${file} could not be formatted: ${stderr}`, { cause: error })
  return stdout
}
