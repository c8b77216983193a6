import { readdir, watch } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { widthOf } from 'repertoire/terminal'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FAULT } from '../src/fault.ts'
import type { AdapterRecord } from '../src/record.ts'
import { demo, type Ended, inProcess, temporaryFolder } from './demo.ts'

const ADAPTERS = ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'react-loop']

const held = new Map<string, Promise<Ended>>()

/** What one run printed. Each is played once. */
function played(columns: number, ...args: readonly string[]): Promise<Ended> {
  const key = [columns, ...args].join(' ')
  const run = held.get(key) ?? inProcess(args, { env: { COLUMNS: String(columns), FORCE_COLOR: '1' } })
  held.set(key, run)
  return run
}

const plain = (text: string): string => stripVTControlCharacters(text)

/** A service that LangChain would send its runs to, and an environment that asks for that. */
async function tracingService() {
  const received: string[] = []
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { LANGSMITH_TRACING: 'true', LANGCHAIN_TRACING_V2: 'true', LANGSMITH_API_KEY: 'k' }
  return { received, env: { ...env, LANGSMITH_ENDPOINT: address, LANGCHAIN_ENDPOINT: address } }
}

describe('npm run demo', () => {
  it('[DEMO-1] plays one story in every adapter, without colours in a pipe, and says that all agree', async () => {
    const temporary = await temporaryFolder()
    const tracing = await tracingService()
    const { code, stdout, stderr } = await demo([], { env: { TMPDIR: temporary, ...tracing.env } })
    // Nothing is sent to a tracing service, whatever the environment asks for.
    expect(tracing.received).toEqual([])
    expect(stderr).toBe('')
    expect(stdout).not.toContain('\u001B')
    expect(stdout).toMatch(/^A scripted model gives five agent frameworks the same task/)
    expect(stdout).toContain(`Adapters  ${ADAPTERS.join(', ')}\n`)
    for (const text of [
      '    all five\n',
      'No skill is active: every tool may be used.\n 1  ▤ shown    8 skills, 5 tools\n    ✓ ran      Read docs/intro.md\n',
      '✓ ran      activate_skill safe-edit\n               asked first: yes\n',
      'No longer\n               offered: Delete\n',
      ' 4  ✗ refused  Write src/main.ts\n               TOOL_NOT_ALLOWED: "Write" may only be used as Write(docs/**)\n',
      '✗ refused  Bash git diff && rm -rf src\n',
      '✗ refused  activate_skill test-first-fix\n               CONSENT_DENIED: ',
      '✗ refused  read_skill_resource release-notes/scripts/collect.sh\n               SCRIPT_READ_BLOCKED: ',
      '✓ ran      run_skill_script release-notes/scripts/heading.sh\n',
      'SKILL_NOT_ACTIVE: The skill "release-notes" is not active.',
      '✗ refused  activate_skill commit-message\n               INPUT_INVALID: ',
      '✗ refused  Bash git push\n',
      '✓ 30 rows, and none differs.\n',
      'src/main.ts as before.\n',
    ])
      expect(stdout).toContain(text)
    expect(stdout).toMatch(/In all five: the same 16 steps, word for word, the same 16 calls ran, and\s+the same 8/)
    expect(code).toBe(0)
    expect(await readdir(temporary)).toEqual([])
  })

  it('[DEMO-1] leaves nothing behind if it is stopped in the middle', async () => {
    const temporary = await temporaryFolder()
    const stop = new AbortController()
    const changes = watch(temporary, { signal: stop.signal })
    const ended = demo(['--adapter', 'react-loop'], { env: { TMPDIR: temporary }, signal: stop.signal })
    // Its folder is there, so it is at work in it.
    for await (const _ of changes) break
    expect(await readdir(temporary)).toHaveLength(1)
    stop.abort()
    expect(await ended).toMatchObject({ code: 143, stdout: '' })
    expect(await readdir(temporary)).toEqual([])
  })

  it.each([80, 120])('[DEMO-1] fits a terminal of %i columns, also where rows split', async (columns) => {
    const { stdout } = await played(columns, '--break', 'langchain')
    // A command to be copied is not broken.
    const lines = plain(stdout)
      .split('\n')
      .filter((line) => !line.startsWith('    npm run '))
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
  })

  it('[DEMO-1, DEMO-2, RUN-12] gives the record as JSON: what really ran, and what was shown of it', async () => {
    const { code, stdout } = await inProcess(['--json'])
    expect(code).toBe(0)
    const { adapters } = JSON.parse(stdout) as {
      readonly adapters: readonly (Omit<AdapterRecord, 'run'> & { readonly calls: readonly object[] })[]
    }
    expect(adapters.map(({ adapter }) => adapter)).toEqual(ADAPTERS)
    for (const { toolRuns, files, answer, requests, calls } of adapters) {
      expect(calls).toHaveLength(24)
      // The calls of the last step run side by side.
      const tools = toolRuns.map(({ tool }) => tool)
      expect([...tools.slice(0, 5), ...tools.slice(5).toSorted()]).toEqual([
        'Read',
        'Write',
        'Bash',
        'Bash',
        'Write',
        'Bash',
        'Read',
      ])
      expect(files).toMatchObject({
        'docs/intro.md': '# Welcome\n\nTide tells when the tide turns, in any harbour.\n',
        'src/main.ts': 'export const hours = 6.21\n',
        'CHANGELOG.md': expect.stringContaining('any harbour'),
      })
      expect(answer).toContain('CHANGELOG.md')
      const texts = requests.at(-1)!.messages.map(({ text }) => text)
      for (const text of [
        '<skill_output skill="release-notes" path="scripts/heading.sh" exit="0">\n## 1.1.0: Any harbour\n\n<!-- a minor version -->\n</skill_output>',
        '<skill_output skill="word-count" exit="0">\n14 words\n</skill_output>',
        '<skill_result name="commit-message" type="template">\ndocs: Tell what is new in 1.1.0\n\nCloses #7.\n</skill_result>',
      ])
        expect(texts).toContain(text)
      // The commands are run: what git says has to have come from git.
      expect(texts.join('\n')).toContain('Tell it for any harbour')
    }
  })

  it('[DEMO-1] plays with one adapter, and compares nothing', async () => {
    const { code, stdout } = await inProcess(['--adapter', 'react-loop'])
    expect(code).toBe(0)
    expect(stdout).toContain('✓ In 16 steps, 16 calls ran and 8 were refused.')
    expect(stdout).not.toContain('none differs')
  })

  it.skipIf(lacksClaudeCode())(
    '[DEMO-1, ADPT-8] plays the story in the Claude Agent SDK too, if it is installed (needs Claude Code)',
    async () => {
      const { CLAUDE_CODE_EXECUTABLE = '' } = process.env
      const { code, stdout, stderr } = await demo([], { env: { CLAUDE_CODE_EXECUTABLE } })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain('    all six\n')
      expect(stdout).toContain('✓ claude-agent cannot hide tools, so lists of tools are not compared.')
    },
  )

  it('[DEMO-1] prints help, and refuses what it cannot mean', async () => {
    const help = await inProcess(['--help'], { env: { COLUMNS: '80' } })
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const option of ['--break', '--web', '--skills', '--base-url', '--model', '--api-key-env', '--yes', '--json'])
      expect(help.stdout).toContain(option)
    expect(Math.max(...help.stdout.split('\n').map(widthOf))).toBeLessThanOrEqual(80)
    const endpoint = ['--base-url', 'http://127.0.0.1:1/v1', '--model', 'm']
    for (const [args, text] of [
      [['--modl', 'x'], "error: unknown option '--modl'"],
      [['a task'], 'error: The scripted model plays its own story only.'],
      [['--skills', '.'], 'give --base-url and --model'],
      [['--break', 'langchian'], `error: --break names an adapter that takes part: ${ADAPTERS.join(', ')}.`],
      [['--break', 'ai-sdk', '--adapter', 'ai-sdk'], 'error: --break needs another adapter to compare with.'],
      [['--break', 'ai-sdk', ...endpoint, 'task'], 'error: --break belongs to the story.'],
      [['--adapter', 'langchian'], `error: There is no adapter "langchian". Known are: ${ADAPTERS.join(', ')}.`],
      [['--adapter', 'claude-agent'], 'error: claude-agent needs Claude Code. Run "npm run claude-code" first.'],
      [['--web', '--out', 'x.html'], 'error: --web and --out do not go together.'],
      [['--web', '--json'], 'error: --json and --web do not go together.'],
      [['--out', '/nowhere/at/all.html'], 'there is no folder /nowhere/at'],
    ] as const) {
      const ended = await inProcess(args)
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toContain(text)
    }
  })
})

describe('npm run demo -- --break NAME', () => {
  it('[DEMO-1, DEMO-3] the column splits where the adapter differs, with what each did', async () => {
    const { code, stdout } = await played(80, '--break', 'langchain')
    expect(code).toBe(1)
    const text = plain(stdout)
    expect(text).toContain(`langchain is broken on purpose: ${FAULT}`)
    expect(text).toMatch(/ 4≠ ai-sdk, mastra, openai-agents, +│ langchain *\n +react-loop +│/)
    expect(text).toMatch(
      /≠ ✗ refused Delete src\/main\.ts +│ ✓ ran Delete src\/main\.ts *\n +TOOL_NOT_ALLOWED: .*…? +│/,
    )
    expect(text).toContain('✗ 4 of 30 rows differ.')
    expect(text).toContain('file src/main.ts: ai-sdk, mastra, openai-agents, react-loop ≠ langchain\n')
    expect(text).not.toContain('none differs')
  })

  it.for(ADAPTERS)('[DEMO-3] with %s, the rows that differ are red', async (name, { skip }) => {
    // One is enough where people wait for the tests.
    skip(process.env['CI'] === undefined && name !== 'langchain', 'runs in CI')
    const { code, stdout } = await played(80, '--break', name)
    expect(code).toBe(1)
    const rows = stdout.split('\n').filter((line) => /[✓✗] (?:ran|refused)/.test(plain(line)))
    const split = rows.filter((row) => plain(row).includes('│'))
    expect(split).toHaveLength(4)
    const red = (text: string): string => `\u001B[31m${text}`
    for (const row of split) for (const mark of ['✗ refused', '✓ ran']) expect(row).toContain(red(mark))
    for (const row of rows) if (!split.includes(row)) expect(row).not.toContain(red(''))
  })

  it('[DEMO-3] counts what the rows show', async () => {
    const { stdout } = await played(80)
    const rows = (mark: string): number =>
      plain(stdout).split(`    ${mark}`).length +
      plain(stdout)
        .split(/\n[ \d]\d  /)
        .filter((part) => part.startsWith(mark)).length -
      1
    expect([rows('✓ ran'), rows('✗ refused')]).toEqual([16, 8])
  })
})
