import { readdir, watch } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadDrivers, widthOf } from 'repertoire/terminal'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ungated } from './broken-driver.ts'
import { demo, heldOutput, inProcess, temporaryFolder } from './demo.ts'
import type { AdapterRecord } from '../src/record.ts'
import { tellStory } from '../src/scripted.ts'

const ADAPTERS = ['ai-sdk', 'langchain', 'react-loop']

describe('npm run demo', () => {
  it('[DEMO-1] plays one story through every adapter, without colours in a pipe, and says that all agree', async () => {
    const temporary = await temporaryFolder()
    const { code, stdout, stderr } = await demo([], { env: { TMPDIR: temporary } })
    expect(stderr).toBe('')
    expect(stdout).not.toContain('\u001B')
    expect(stdout).toMatch(/^Repertoire: .* in three agent frameworks\./)
    expect(stdout).toMatch(/ai-sdk +langchain +react-loop\n/)
    for (const row of [
      /Read docs\/intro\.md +✓ ran +✓ ran +✓ ran\n/,
      /activate_skill safe-edit +✓ activated +✓ activated +✓ activated\n/,
      /No longer offered: Delete +✓ hidden +✓ hidden +✓ hidden\n/,
      /Write docs\/intro\.md +✓ ran +✓ ran +✓ ran\n/,
      /Write src\/main\.ts +✗ refused +✗ refused +✗ refused\n +TOOL_NOT_ALLOWED: "Write" may only be used as/,
      /Delete src\/main\.ts \(hidden\) +✗ refused +✗ refused +✗ refused\n/,
      /Bash git diff && rm -rf src +✗ refused +✗ refused +✗ refused\n/,
      /activate_skill test-first-fix +✗ denied +✗ denied +✗ denied\n/,
      /read_skill_resource scripts\/collect\.sh +✗ refused +✗ refused +✗ refused\n +SCRIPT_READ_BLOCKED: /,
      /read_skill_resource references\/style\.md +✓ read +✓ read +✓ read\n/,
      /Bash sh …\/release-notes\/scripts\/collect\.sh +✓ ran +✓ ran +✓ ran\n/,
      /Write CHANGELOG\.md +✓ ran +✓ ran +✓ ran\n/,
    ]) {
      expect(stdout).toMatch(row)
    }
    expect(stdout.match(/what it says:/g)).toHaveLength(1)
    expect(stdout).toContain('✓ In all three, the model was shown the same 11 requests word for word, the same 5 calls')
    expect(stdout).toContain(
      'On disk: docs/intro.md changed, CHANGELOG.md new, src/harbours.ts and src/main.ts as before',
    )
    expect(stdout).toContain('npm run demo -- --skills DIR --base-url')
    expect(code).toBe(0)
    expect(await readdir(temporary)).toEqual([])
  })

  it('[DEMO-1] leaves nothing behind where it is stopped in the middle', async () => {
    const temporary = await temporaryFolder()
    const stop = new AbortController()
    const changes = watch(temporary, { signal: stop.signal })
    const ended = demo([], { env: { TMPDIR: temporary }, signal: stop.signal })
    // Its folder is there, so it is at work in it.
    for await (const _ of changes) break
    expect(await readdir(temporary)).toHaveLength(1)
    stop.abort()
    expect(await ended).toMatchObject({ code: 143, stdout: '' })
    expect(await readdir(temporary)).toEqual([])
  })

  it('[DEMO-1] fits the terminal, from 80 columns on, and uses what a wide one has', async () => {
    const linesAt = async (columns: number) => {
      const { code, stdout } = await inProcess([], { env: { COLUMNS: String(columns) } })
      expect(code).toBe(0)
      // A command to be copied is not broken.
      const lines = stdout.split('\n').filter((line) => !line.startsWith('    npm run '))
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
      return lines
    }
    const narrow = await linesAt(80)
    const wide = await linesAt(160)
    expect(wide.length).toBeLessThan(narrow.length)
    expect(wide.some((line) => /✗ refused {2,}TOOL_NOT_ALLOWED/.test(line))).toBe(true)
  })

  it('[DEMO-1] colours where it is told to, and not where NO_COLOR says otherwise', async () => {
    const coloured = await inProcess(['--adapter', 'react-loop'], { env: { FORCE_COLOR: '1' } })
    expect(coloured.stdout).toContain('\u001B[32m✓ ran')
    const plain = await inProcess(['--adapter', 'react-loop'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    expect(plain.stdout).not.toContain('\u001B')
  })

  it('[DEMO-1] gives the whole record as JSON, of adapters that stream as well', async () => {
    const { code, stdout } = await inProcess(['--json', '--stream'])
    const { mode, adapters, agreement } = JSON.parse(stdout) as {
      mode: string
      adapters: AdapterRecord[]
      agreement: unknown
    }
    expect(code).toBe(0)
    expect(mode).toBe('scripted')
    expect(agreement).toEqual({ agreed: true, counts: { requests: 11, runs: 5, refusals: 5 }, differences: [] })
    expect(adapters.map(({ adapter }) => adapter)).toEqual(ADAPTERS)
    for (const { runs, consents, files, answer } of adapters) {
      expect(runs.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash', 'Bash', 'Write'])
      expect(consents.map(({ skill, approved }) => [skill, approved])).toEqual([
        ['safe-edit', true],
        ['release-notes', true],
        ['test-first-fix', false],
      ])
      expect(files).toMatchObject({
        'docs/intro.md': '# Welcome\n\nTide tells when the tide turns, in any harbour.\n',
        'src/main.ts': 'export const hours = 6.21\n',
        'CHANGELOG.md': expect.stringContaining('any harbour'),
      })
      expect(answer).toContain('CHANGELOG.md')
    }
    // The scripts of a skill are run: what git says has to have come from git.
    expect(stdout).toContain('Tell it for any harbour')
  })

  it('[DEMO-1] shows the adapters that are named, and nothing is compared with one alone', async () => {
    const two = await inProcess(['--adapter', 'react-loop', '--adapter', 'ai-sdk'])
    expect(two).toMatchObject({ code: 0 })
    expect(two.stdout).toMatch(/ {2}react-loop +ai-sdk\n/)
    expect(two.stdout).toContain('✓ In both, the model was shown')
    const one = await inProcess(['--adapter', 'langchain'])
    expect(one).toMatchObject({ code: 0 })
    expect(one.stdout).toMatch(/Without --adapter, all are\s+compared\./)
    expect(one.stdout).not.toContain('the same 11')
  })

  it('[DEMO-1] sends nothing to a tracing service, whatever the environment asks for', async () => {
    const received: string[] = []
    const server = createServer((request, response) => {
      received.push(`${request.method} ${request.url}`)
      response.end('{}')
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const env = { LANGSMITH_TRACING: 'true', LANGCHAIN_TRACING_V2: 'true', LANGSMITH_API_KEY: 'k' }
    const endpoints = { LANGSMITH_ENDPOINT: address, LANGCHAIN_ENDPOINT: address }
    expect(await demo(['--adapter', 'langchain'], { env: { ...env, ...endpoints } })).toMatchObject({ code: 0 })
    expect(received).toEqual([])
  })

  it('[DEMO-1] prints help, and refuses what it cannot mean', async () => {
    const help = await inProcess(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const option of ['--skills', '--base-url', '--model', '--api-key-env', '--adapter', '--yes', '--json']) {
      expect(help.stdout).toContain(option)
    }
    for (const [args, text] of [
      [['--modl', 'x'], "error: unknown option '--modl'"],
      [['a task'], 'error: The scripted model plays its own story only. For a task or skills of your own'],
      [['--skills', '.'], 'give --base-url and --model'],
      [['--adapter', 'langchian'], 'error: There is no adapter "langchian". Known are: ai-sdk, langchain, react-loop.'],
    ] as const) {
      const ended = await inProcess(args)
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toContain(text)
    }
  })
})

describe('an adapter that deviates', () => {
  it('[DEMO-1] is told from the others, with the place and with what it did, and ends in exit code 1', async () => {
    const [aiSdk, langchain, reactLoop] = await loadDrivers(ADAPTERS)
    const stdout = heldOutput(120)
    const drivers = [aiSdk!, ungated(langchain!, 'broken'), reactLoop!]
    const context = { stdout, stderr: heldOutput(120), folder: '.', env: {} }
    expect(await tellStory({ drivers, stream: false, json: false }, context)).toBe(1)
    const text = stdout.text()
    expect(text).toMatch(/Delete src\/main\.ts \(hidden\) +✗ refused +✓ ran +✗ refused\n/)
    expect(text).toMatch(/ +ai-sdk, react-loop: TOOL_NOT_ALLOWED: .*\n( +\S.*\n)? +broken: Deleted src\/main\.ts\.\n/)
    expect(text).toMatch(/✗ The adapters do not agree: \d+ differences\./)
    expect(text).toContain('request 5: message 10, result of Delete (call_4_2)\n')
    expect(text).not.toContain('In all three')
  })
})
