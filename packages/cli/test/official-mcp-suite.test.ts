import { execFile, spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { cleanEnv, MAIN, NODE_ARGS, temporaryFolder } from './command.ts'

const ROOT = join(import.meta.dirname, '../../..')
/** The suite has 122 dependencies, so it is installed only here. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const CACHE = join(ROOT, 'node_modules/.cache/mcp-suite-0.2.0-alpha.12')
const PROGRAM = join(CACHE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const REVISIONS = ['2025-11-25', '2026-07-28']

const run = promisify(execFile)

/** Runs one scenario, and returns each check as the suite has written it down. */
async function checksOf(args: readonly string[], cwd = ROOT): Promise<readonly string[]> {
  const results = await temporaryFolder()
  await run(process.execPath, [PROGRAM, ...args, '--timeout', '100000', '-o', results], { cwd, env: cleanEnv() })
  const [file = ''] = globSync('*/checks.json', { cwd: results })
  const checks = JSON.parse(readFileSync(join(results, file), 'utf8')) as readonly Readonly<Record<string, string>>[]
  return checks.map(({ id, status, errorMessage = '' }) => `${id} ${status} ${errorMessage}`.trim())
}

/** Starts `repertoire serve` as a process, and returns its address. */
async function serve(): Promise<string> {
  const skills = join(ROOT, 'packages/core/skills')
  const server = spawn(process.execPath, [...NODE_ARGS, MAIN, 'serve', skills, '--http'], { env: cleanEnv() })
  onTestFinished(() => void server.kill())
  for await (const line of createInterface(server.stdout)) {
    const [url] = /http:\S+/.exec(line) ?? []
    if (url !== undefined) return url
  }
  throw new Error('repertoire serve has ended.')
}

/** The numbers of checks that the README states, of the server and of the client. */
function stated(): readonly number[] {
  const sentence = /suite for skills\]\(.*?\) passes: (\d+) of (\d+) checks for .*? and (\d+) of (\d+) for/
  const [, ...figures] = sentence.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? []
  return figures.map(Number)
}

test('[DISC-12] the README states the result of the official MCP suite', () => {
  expect(stated()).toHaveLength(4)
})

describe.skipIf(process.env['CI'] === undefined)('[DISC-12] the official MCP suite for skills', () => {
  beforeAll(async () => {
    if (existsSync(PROGRAM)) return
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(join(CACHE, 'package.json'), '{ "private": true }')
    const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
    await run('npm', ['install', ...flags, SUITE], { cwd: CACHE })
  }, 300_000)

  test('passes for `repertoire serve` in both revisions of the protocol (only with CI set)', async () => {
    const url = await serve()
    const scenarios = ['enumeration', 'manifest', 'directory'].map((name) => `sep-2640-skills-${name}`)
    for (const revision of REVISIONS) {
      const args = ['server', '--url', url, '--force', '--spec-version', revision]
      const checks = (await Promise.all(scenarios.map((name) => checksOf([...args, '--scenario', name])))).flat()
      // In the former revision, answers carry no hints for caches.
      const passed = checks.filter((check) => check.endsWith(' SUCCESS'))
      const without = checks.filter((check) => / SKIPPED not applicable on negotiated protocol 2025-11-25/.test(check))
      expect(checks.filter((check) => !passed.includes(check) && !without.includes(check))).toEqual([])
      if (revision === REVISIONS.at(-1)) expect([passed.length, checks.length]).toEqual(stated().slice(0, 2))
    }
  })

  test('passes for `mcpSource` (only with CI set)', async () => {
    const command = [process.execPath, ...NODE_ARGS, join(import.meta.dirname, 'suite-client.ts')].join(' ')
    const scenarios = ['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter']
    const all = scenarios.map((name) =>
      checksOf(['client', '--command', command, '--scenario', `sep-2640-client-${name}`]),
    )
    const checks = (await Promise.all(all)).flat()
    expect(checks.filter((check) => !check.endsWith(' SUCCESS'))).toEqual([])
    expect([checks.length, checks.length]).toEqual(stated().slice(2))
  })
})
