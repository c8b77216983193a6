// Installs Claude Code for the tests of @repertoire/claude-agent: npm run claude-code
//
// `-- --suite` also runs the whole conformance suite, and writes its results into apps/claude-code/conformance.json for
// the matrix. With `--check` it writes nothing, and fails if they differ.
import { runConformance, unexpected } from '@repertoire/conformance'
import { claudeAgentDriver } from '@repertoire/claude-agent/conformance'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const FOLDER = resolve('apps/claude-code')
const RESULTS = join(FOLDER, 'conformance.json')
const SDK = 'packages/claude-agent/node_modules/@anthropic-ai/claude-agent-sdk/package.json'
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
  const { version } = JSON.parse(readFileSync(SDK, 'utf8')) as { readonly version: string }
  const results = report.results.map(({ id, status, reason, differs, aspects }) => ({
    id,
    status,
    reason,
    differs,
    aspects,
  }))
  const stored = JSON.stringify({ version, variant: claudeAgentDriver.variants[0].name, results }, null, 2)
  if (!values.check) {
    writeFileSync(RESULTS, stored)
    spawnSync('npx', ['oxfmt', RESULTS])
  } else if (stored !== JSON.stringify(JSON.parse(readFileSync(RESULTS, 'utf8')), null, 2)) {
    process.stdout.write('apps/claude-code/conformance.json is out of date. Run "npm run claude-code -- --suite".\n')
    process.exitCode = 1
  }
  process.exit()
}
