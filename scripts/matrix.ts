// Writes the totals of the conformance matrix into README.md, and all of it to reports/conformance.md: npm run matrix
//
// `-- --check` fails if README.md is out of date, and does not write it. `--from FILE` reads a JSON report of Vitest
// that has the conformance suite of every adapter, and does not run the suite.
import { checks, renderMarkdown, type Report, type Result, unexpected } from '@repertoire/conformance'
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** The part of a JSON report of Vitest that is read here. */
interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly meta: { readonly conformance?: Result } }[]
  }[]
}

/** What is installed for the tests of a suite: the framework that its adapter is for. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  'ai-sdk': 'ai',
  'ai-sdk/v6': 'ai-6',
  langchain: 'langchain',
  mastra: '@mastra/core',
  'openai-agents': '@openai/agents',
}

const INTRODUCTION = `How the adapters do in every scenario and check of [@repertoire/conformance](../packages/conformance). A model on loopback plays a script, and the suite judges by what the model was sent and which tools ran. The results of the Claude Agent SDK are [stored](../apps/claude-code/README.md).

- A row is a scenario, in which twelve aspects must be as core says, or a check by hand. A cell sums up all variants of an adapter, and names the aspects that differ.
- \`✓\` passes. \`(✓)\` passes through the adapter's own work, a declared \`workaround\`.
- \`~\` is a declared known failure. \`–\` needs a capability that is declared absent. The notes at the end give the reasons.`

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, from: { type: 'string' } } })
const report = readReport(values.from ?? runSuite())
mkdirSync('reports', { recursive: true })
const [heading, totals, ...sections] = renderMarkdown(report).split('\n\n')
writeFileSync('reports/conformance.md', [heading, INTRODUCTION, totals, ...sections].join('\n\n'))
const current = readFileSync('README.md', 'utf8')
const [before, , after] = current.split(/(?<=<!-- conformance:begin -->)|(?=<!-- conformance:end -->)/)
if (before === undefined || after === undefined) throw new TypeError('README.md has no markers for the matrix.')
const text = run('oxfmt', ['--stdin-filepath=README.md'], `${before}\n\n${totals}\n\n${after}`)
if (text !== current) {
  process.stdout.write(values.check ? 'README.md is out of date. Run "npm run matrix".\n' : 'README.md is written.\n')
  if (values.check) process.exitCode = 1
  else writeFileSync('README.md', text)
}
for (const { adapter, id, reason } of unexpected(report)) {
  process.stdout.write(`${adapter} fails ${id}: ${reason}\n`)
  process.exitCode = 1
}

/** Runs the suite of every adapter, with every check in every variant, and returns the file of the report. */
function runSuite(): string {
  const file = 'reports/conformance.json'
  run('vitest', ['run', 'conformance.test.ts', '--coverage.enabled=false', '--reporter=json', `--outputFile=${file}`])
  return file
}

/** Reads a report. An adapter is named by the entry that its users import, with the version of its framework. */
function readReport(file: string): Report {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as TestReport
  const suites = globSync('packages/*/test/{conformance,v[0-9]*/conformance}.test.ts').toSorted()
  const results = suites.flatMap((suite) => {
    const tests = testResults.filter(({ name }) => name.endsWith(`/${suite}`))
    const found = tests.flatMap((test) => test.assertionResults.flatMap(({ meta }) => meta.conformance ?? []))
    return checks
      .flatMap(({ id }) => found.find((result) => result.id === id) ?? [])
      .map((each) => ({ ...each, adapter: nameOf(suite) }))
  })
  if (results.length < suites.length * checks.length) throw new Error(`${file} lacks results of some checks.`)
  return withClaudeAgent({ adapters: suites.map(nameOf), checks, results })
}

/** Adds the results that `npm run claude-code -- --suite` has stored: that suite takes too long for every run. */
function withClaudeAgent({ adapters, results }: Report): Report {
  const stored = JSON.parse(readFileSync('apps/claude-code/conformance.json', 'utf8')) as {
    readonly version: string
    readonly variant: string
    readonly results: readonly Pick<Result, 'id' | 'status' | 'reason' | 'differs' | 'aspects'>[]
  }
  const adapter = `claude-agent ${stored.version}`
  const found = checks.map(({ id, level, title }): Result => {
    const result = stored.results.find((each) => each.id === id)
    if (result === undefined) throw new Error(`apps/claude-code/conformance.json lacks the check "${id}".`)
    return { adapter, level, title, variants: [stored.variant], ...result }
  })
  const names = [...adapters, adapter].toSorted()
  const all = [...results, ...found]
  return { adapters: names, checks, results: names.flatMap((name) => all.filter((each) => each.adapter === name)) }
}

/** `ai-sdk/v6 6.0.326` for `packages/ai-sdk/test/v6/conformance.test.ts`. */
function nameOf(suite: string): string {
  const [, folder = '', , entry = ''] = suite.split('/')
  const adapter = entry === '' || entry.endsWith('.ts') ? folder : `${folder}/${entry}`
  const framework = FRAMEWORKS[adapter]
  if (framework === undefined) return adapter
  const { version } = JSON.parse(readFileSync(`packages/${folder}/node_modules/${framework}/package.json`, 'utf8')) as {
    version: string
  }
  return `${adapter} ${version}`
}

function run(command: string, args: readonly string[], input = ''): string {
  const env = { ...process.env, CI: '1', NODE_NO_WARNINGS: '1' }
  const { stdout, error } = spawnSync(command, args, { input, env, encoding: 'utf8', stdio: ['pipe', 'pipe', 2] })
  if (error !== undefined) throw error
  return stdout
}
