// Installs Claude Code for the tests of @repertoire/claude-agent: npm run claude-code. It has a lock file of its own, so that
// only this installs it.
//
// `-- --suite` also runs the whole conformance suite, which takes ten minutes of a processor, and writes its results into
// apps/claude-code/conformance.json for the matrix. With `--check` it writes nothing, and fails if they differ.
import { type Result, runConformance, unexpected } from '@repertoire/conformance'
import { claudeAgentDriver } from '@repertoire/claude-agent/conformance'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const FOLDER = resolve('apps/claude-code')
const RESULTS = join(FOLDER, 'conformance.json')
/** Every step starts a process, and the machines of a workflow are slow. */
const DEADLINE_MS = 300_000

const { values } = parseArgs({
  options: { suite: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
})
install()
if (values.suite) await runSuite()

function install(): void {
  const lock = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')
  const stamp = join(FOLDER, 'node_modules/.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, lock)
}

async function runSuite(): Promise<void> {
  if (lacksClaudeCode()) throw new Error('There is no Claude Code for this platform in apps/claude-code.')
  const report = await runConformance({
    drivers: [{ ...claudeAgentDriver, name: 'claude-agent' }],
    deadline: DEADLINE_MS,
    concurrency: 2,
    onResult: ({ id, status, reason = '' }) => process.stdout.write(`${status} ${id} ${reason.split('\n')[0]}\n`),
  })
  for (const { id, reason } of unexpected(report)) {
    process.stdout.write(`claude-agent fails ${id}: ${reason}\n`)
    process.exitCode = 1
  }
  if (!values.check) writeFileSync(RESULTS, `${JSON.stringify(report.results, null, 2)}\n`)
  else if (statusesOf(report.results) !== statusesOf(JSON.parse(readFileSync(RESULTS, 'utf8')) as Result[])) {
    process.stdout.write('apps/claude-code/conformance.json is out of date. Run "npm run claude-code -- --suite".\n')
    process.exitCode = 1
  }
  process.exit()
}

function statusesOf(results: readonly Result[]): string {
  return JSON.stringify(results.map(({ id, status }) => [id, status]))
}
