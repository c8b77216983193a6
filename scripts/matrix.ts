// Writes the conformance matrix into README.md and docs/conformance.md: npm run matrix
//
// `-- --check` writes nothing, and fails if a document is out of date. `--from FILE` reads a JSON report of Vitest that
// has the conformance suite of every adapter, and does not run the suite.
import { checks, renderMarkdown, renderOverview, type Report, type Result, unexpected } from '@repertoire/conformance'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** The part of a JSON report of Vitest that is read here. */
interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly meta: { readonly conformance?: Result } }[]
  }[]
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, from: { type: 'string' } } })
const report = readReport(values.from ?? runSuite())
const sections = {
  'README.md': totalsOf(renderOverview(report)),
  'docs/conformance.md': renderMarkdown(report, { heading: '' }),
}
for (const [file, section] of Object.entries(sections)) {
  const current = readFileSync(file, 'utf8')
  const [before, , after] = current.split(/(?<=<!-- conformance:begin -->)|(?=<!-- conformance:end -->)/)
  if (before === undefined || after === undefined) throw new TypeError(`${file} has no markers for the matrix.`)
  const text = run('oxfmt', [`--stdin-filepath=${file}`], `${before}\n\n${section}\n\n${after}`)
  if (text === current) continue
  process.stdout.write(values.check ? `${file} is out of date. Run "npm run matrix".\n` : `${file} is written.\n`)
  if (values.check) process.exitCode = 1
  else writeFileSync(file, text)
}
for (const { adapter, id, reason } of unexpected(report)) {
  process.stdout.write(`${adapter} fails ${id}: ${reason}\n`)
  process.exitCode = 1
}

/** Returns an overview without its rows for areas. */
function totalsOf(overview: string): string {
  const lines = overview.split('\n')
  return lines.filter((line, at) => at < 2 || !line.startsWith('|') || /^\| (?:\*\*|run in)/.test(line)).join('\n')
}

/** Runs the suite of every adapter, with every check in every variant, and returns the file of the report. */
function runSuite(): string {
  const file = 'reports/conformance.json'
  run('vitest', [
    'run',
    'test/conformance.test.ts',
    '--coverage.enabled=false',
    '--reporter=json',
    `--outputFile=${file}`,
  ])
  return file
}

/** Reads a report. An adapter is named by the folder of its package, as everywhere else in this repository. */
function readReport(file: string): Report {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as TestReport
  const adapters = globSync('packages/*/test/conformance.test.ts')
    .map((path) => path.split('/')[1]!)
    .toSorted()
  const results = adapters.flatMap((adapter) => {
    const tests = testResults.filter(({ name }) => name.endsWith(`/packages/${adapter}/test/conformance.test.ts`))
    const found = tests.flatMap((test) => test.assertionResults.flatMap(({ meta }) => meta.conformance ?? []))
    return checks
      .flatMap(({ id }) => found.find((result) => result.id === id) ?? [])
      .map((each) => ({ ...each, adapter }))
  })
  if (results.length < adapters.length * checks.length) throw new Error(`${file} lacks results of some checks.`)
  return withClaudeAgent({ adapters, checks, results })
}

/** Its suite takes too long for every run: what `npm run claude-code -- --suite` has written. */
function withClaudeAgent({ adapters, results, ...rest }: Report): Report {
  const file = 'apps/claude-code/conformance.json'
  if (!existsSync(file)) return { adapters, results, ...rest }
  const found = JSON.parse(readFileSync(file, 'utf8')) as readonly Result[]
  const all = [...results, ...found]
  const names = [...adapters, 'claude-agent'].toSorted()
  return { ...rest, adapters: names, results: names.flatMap((name) => all.filter(({ adapter }) => adapter === name)) }
}

function run(command: string, args: readonly string[], input = ''): string {
  const env = { ...process.env, CI: '1', NODE_NO_WARNINGS: '1' }
  const { stdout, error } = spawnSync(command, args, { input, env, encoding: 'utf8', stdio: ['pipe', 'pipe', 2] })
  if (error !== undefined) throw error
  return stdout
}
