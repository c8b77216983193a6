import { readdir, watch } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { stripVTControlCharacters } from 'node:util'
import type { ScriptRunner } from '@repertoire/core'
import { openBubblewrapRunner } from '@repertoire/runners'
import { lacksClaudeCode } from '@repertoire/test-servers'
import { widthOf } from 'repertoire/terminal'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demo, heldOutput, inProcess, temporaryFolder } from './demo.ts'
import { compareRuns, compareSandbox } from '../src/compare.ts'
import { FAULT } from '../src/fault.ts'
import { scriptedText } from '../src/render/scripted-text.ts'
import { all, inWords } from '../src/render/agreement.ts'
import { screenOf } from '../src/render/screen.ts'
import type { ScriptedResult } from '../src/scripted-result.ts'

let held: Promise<ScriptedResult & { readonly mode: string }> | undefined
/** What one run with --json and --stream printed. */
const recorded = () =>
  (held ??= inProcess(['--json', '--stream']).then(({ code, stdout }) => {
    expect(code).toBe(0)
    return JSON.parse(stdout) as ScriptedResult & { readonly mode: string }
  }))

/** How a terminal shows it. */
function drawn(
  result: ScriptedResult,
  { columns = 120, env = {} }: { columns?: number; env?: NodeJS.ProcessEnv } = {},
) {
  return scriptedText(result, screenOf(heldOutput(columns, env)))
}

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

const ADAPTERS = ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'react-loop']

/** The pattern of a row with one mark, for every adapter. */
function inEach({ source }: RegExp): RegExp {
  return new RegExp(source.replaceAll(/ \+[✓✗] \w+/g, (mark) => mark.repeat(ADAPTERS.length)))
}

describe('npm run demo', () => {
  it('[DEMO-1] plays one story through every adapter, without colours in a pipe, and says that all agree', async () => {
    const temporary = await temporaryFolder()
    const tracing = await tracingService()
    const { code, stdout, stderr } = await demo([], { env: { TMPDIR: temporary, COLUMNS: '160', ...tracing.env } })
    // Nothing is sent to a tracing service, whatever the environment asks for.
    expect(tracing.received).toEqual([])
    expect(stderr).toBe('')
    expect(stdout).not.toContain('\u001B')
    expect(stdout).toMatch(new RegExp(`^Repertoire: .* in ${inWords(ADAPTERS.length)} agent frameworks\\.`))
    expect(stdout).toMatch(new RegExp(`${ADAPTERS.join(' +')}\n`))
    for (const row of [
      /Read docs\/intro\.md +✓ ran\n/,
      /activate_skill safe-edit +✓ activated\n/,
      /No longer offered: Delete +✓ hidden\n/,
      /Write docs\/intro\.md +✓ ran\n/,
      /Write src\/main\.ts +✗ refused\n +TOOL_NOT_ALLOWED: "Write" may only be used as/,
      /Delete src\/main\.ts \(hidden\) +✗ refused\n/,
      /Bash git diff && rm -rf src +✗ refused\n/,
      /activate_skill test-first-fix +✗ denied\n/,
      /read_skill_resource scripts\/collect\.sh +✗ refused\n +SCRIPT_READ_BLOCKED: /,
      /read_skill_resource references\/style\.md +✓ read\n/,
      /run_skill_script scripts\/heading\.sh 1\.1\.0 "Any harbour" +✓ ran\n +## 1\.1\.0: Any harbour/,
      /run_skill_script scripts\/heading\.sh .* +✗ refused\n +\(hidden\)\n +SKILL_NOT_ACTIVE: /,
      /activate_skill word-count .* +✓ ran\n( .*\n)+? +14 words\n/,
      /activate_skill commit-message .* +✗ refused\n( .*\n)? +INPUT_INVALID: [^✓]*"area"/,
      /activate_skill commit-message .* +✓ rendered\n/,
      /activate_skill release-check .* +✓ planned\n( .*\n)+? +a plan, which the model carries out: Bash, Read/,
      /Bash git push +✗ refused\n/,
      /Write CHANGELOG\.md +✓ ran\n/,
    ]) {
      expect(stdout).toMatch(inEach(row))
    }
    expect(stdout.match(/what it says:/g)).toHaveLength(1)
    expect(stdout).toContain(
      `✓ In ${all(ADAPTERS.length)}, the model was shown the same 16 requests word for word, the same 9 calls ran`,
    )
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
    const ended = demo(['--adapter', 'react-loop'], { env: { TMPDIR: temporary }, signal: stop.signal })
    // Its folder is there, so it is at work in it.
    for await (const _ of changes) break
    expect(await readdir(temporary)).toHaveLength(1)
    stop.abort()
    expect(await ended).toMatchObject({ code: 143, stdout: '' })
    expect(await readdir(temporary)).toEqual([])
  })

  it('[DEMO-1] fits the terminal, from 80 columns on, and uses what a wide one has', async () => {
    const result = await recorded()
    const linesAt = (columns: number) => {
      // A command to be copied is not broken.
      const lines = drawn(result, { columns })
        .split('\n')
        .filter((line) => !line.startsWith('    npm run '))
      expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns)
      return lines
    }
    const narrow = linesAt(80)
    const wide = linesAt(200)
    expect(wide.length).toBeLessThan(narrow.length)
    expect(wide.some((line) => /✗ refused {2,}TOOL_NOT_ALLOWED/.test(line))).toBe(true)
  })

  it('[DEMO-1] colours where it is told to, and not where NO_COLOR says otherwise', async () => {
    const result = await recorded()
    expect(drawn(result, { env: { FORCE_COLOR: '1' } })).toContain('\u001B[32m✓ ran')
    expect(drawn(result, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).not.toContain('\u001B')
  })

  it('[DEMO-1] gives the whole record as JSON, of adapters that stream as well', async () => {
    const { mode, adapters, agreement } = await recorded()
    expect(mode).toBe('scripted')
    expect(agreement).toEqual({
      agreed: true,
      counts: { requests: 16, ran: 9, refused: 7, denied: 1 },
      differences: [],
    })
    expect(adapters.map(({ adapter }) => adapter)).toEqual(ADAPTERS)
    for (const { runs, consents, files, answer } of adapters) {
      expect(runs.map(({ tool }) => tool)).toEqual(['Read', 'Write', 'Bash', 'Bash', 'Write', 'Bash', 'Read'])
      expect(consents.map(({ skill, approved }) => [skill, approved])).toEqual([
        ['safe-edit', true],
        ['release-notes', true],
        ['test-first-fix', false],
        ['word-count', true],
        ['commit-message', true],
        ['release-check', true],
      ])
      expect(files).toMatchObject({
        'docs/intro.md': '# Welcome\n\nTide tells when the tide turns, in any harbour.\n',
        'src/main.ts': 'export const hours = 6.21\n',
        'CHANGELOG.md': expect.stringContaining('any harbour'),
      })
      expect(answer).toContain('CHANGELOG.md')
    }
    // The commands are run: what git says has to have come from git.
    expect(JSON.stringify(adapters)).toContain('Tell it for any harbour')
  })

  it('[DEMO-1, DEMO-2, RUN-12] gives of what runs the same results in every adapter', async () => {
    const { adapters, runner } = await recorded()
    expect(runner).toMatchObject({ name: 'virtual', isolation: { isolated: true } })
    for (const { requests } of adapters) {
      const results = requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
      const texts = results.map(({ text }) => text)
      for (const text of [
        '<skill_output skill="release-notes" path="scripts/heading.sh" exit="0">\n## 1.1.0: Any harbour\n\n<!-- a minor version -->\n</skill_output>',
        '<skill_output skill="word-count" exit="0">\n14 words\n</skill_output>',
        '<skill_result name="commit-message" type="template">\ndocs: Tell what is new in 1.1.0\n\nCloses #7.\n</skill_result>',
      ]) {
        expect(texts).toContain(text)
      }
      expect(texts.find((text) => text.includes('SKILL_NOT_ACTIVE'))).toContain('\\"release-notes\\" is not active')
      expect(texts.find((text) => text.includes('type="composite"'))).toContain(
        '2. `Read` {"file_path":"CHANGELOG.md"}',
      )
    }
  })

  it('[DEMO-1, RUN-12] runs the script once more in bubblewrap, or says why that does not work here', async () => {
    const result = await recorded()
    // The one that decides is bubblewrap itself, on the machine of the test.
    const opened = await openBubblewrapRunner().catch((error: unknown) => error)
    if (opened instanceof Error) {
      expect(result.sandbox).toEqual({ absent: opened.message })
    } else {
      await (opened as ScriptRunner).close?.()
      expect(result.sandbox).toMatchObject({ runner: { name: 'bubblewrap' }, agreement: { agreed: true } })
      expect(drawn(result)).toContain(`✓ In bubblewrap too, the script printed the same, in ${all(ADAPTERS.length)}.`)
    }
    const absent = drawn({ ...result, sandbox: { absent: 'There is no bwrap.' } })
    expect(absent).toContain("– The system's sandbox does not work here: There is no bwrap.")
    expect(absent).not.toContain('bubblewrap too')
  })

  it('[DEMO-1, RUN-12] says where a script printed something else in the sandbox', async () => {
    const { adapters: story } = await recorded()
    const inSandbox = story.map((record) => ({
      ...record,
      requests: record.requests.map((request) => ({
        ...request,
        messages: request.messages.map((each) => ({ ...each, text: each.text.replace('a minor version', 'a patch') })),
      })),
    }))
    expect(compareSandbox(story, story).agreed).toBe(true)
    const { agreed, differences } = compareSandbox(inSandbox, story)
    expect(agreed).toBe(false)
    expect(differences.map(({ where }) => where)).toEqual(['what the script printed'])
  })

  it('[DEMO-1] compares the two that are named, and nothing with one alone', async () => {
    const { adapters, ...result } = await recorded()
    const named = [adapters.at(-1)!, adapters[0]!]
    const text = drawn({ ...result, adapters: named, agreement: compareRuns(named) })
    expect(text).toMatch(/ {2}react-loop +ai-sdk\n/)
    expect(text).toContain('✓ In both, the model was shown')
    const [one] = adapters
    const alone = drawn({ ...result, adapters: [one!], agreement: compareRuns([one!]) })
    expect(alone).toMatch(/Without --adapter, all adapters are\s+compared\./)
    expect(alone).not.toContain('the same 16')
  })

  it.skipIf(lacksClaudeCode())(
    '[DEMO-1, ADPT-8] plays the story through the Claude Agent SDK too, where it is installed (needs Claude Code)',
    async () => {
      const { CLAUDE_CODE_EXECUTABLE = '' } = process.env
      const { code, stdout, stderr } = await demo([], { env: { CLAUDE_CODE_EXECUTABLE, COLUMNS: '200' } })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const adapters = [...ADAPTERS, 'claude-agent'].toSorted()
      expect(stdout).toMatch(new RegExp(`${adapters.join(' +')}\n`))
      expect(stdout).toMatch(new RegExp(`Delete src/main\\.ts \\(hidden\\)( +✗ refused){${adapters.length}}\n`))
      expect(stdout).toContain(`✓ In ${all(adapters.length)}, the model was shown the same 16 requests word for word`)
      expect(stdout).toContain('✓ claude-agent cannot hide tools, so its list of tools is not compared.')
    },
  )

  it('[DEMO-1] prints help, and refuses what it cannot mean', async () => {
    const help = await inProcess(['--help'])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    for (const option of [
      '--break',
      '--skills',
      '--base-url',
      '--model',
      '--api-key-env',
      '--adapter',
      '--yes',
      '--json',
    ]) {
      expect(help.stdout).toContain(option)
    }
    for (const [args, text] of [
      [['--modl', 'x'], "error: unknown option '--modl'"],
      [['a task'], 'error: The scripted model plays its own story only. For a task or skills of your own'],
      [['--skills', '.'], 'give --base-url and --model'],
      [
        ['--break', 'langchian'],
        'error: --break names an adapter that takes part: ai-sdk, langchain, mastra, openai-agents, react-loop.',
      ],
      [['--break', 'ai-sdk', '--adapter', 'langchain'], 'error: --break names an adapter that takes part: langchain.'],
      [['--break', 'ai-sdk', '--adapter', 'ai-sdk'], 'error: --break needs another adapter to compare with.'],
      [['--break', 'ai-sdk', '--break', 'langchain'], 'One adapter can be broken at a time.'],
      [['--break', 'ai-sdk', '--long'], 'error: --break belongs to the story.'],
      [
        ['--adapter', 'langchian'],
        'error: There is no adapter "langchian". Known are: ai-sdk, langchain, mastra, openai-agents, react-loop.',
      ],
      [['--adapter', 'claude-agent'], 'error: claude-agent needs Claude Code. Run "npm run claude-code" first.'],
      [['--adapter', 'claude-agent', '--long'], 'error: claude-agent takes part in the story alone.'],
    ] as const) {
      const ended = await inProcess(args)
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toContain(text)
    }
  })
})

describe('an adapter that deviates', () => {
  const runs = new Map<string, ReturnType<typeof inProcess>>()
  /** What one run with `--break` printed, in colours. */
  function broken(name: string): ReturnType<typeof inProcess> {
    const run = runs.get(name) ?? inProcess(['--break', name], { env: { FORCE_COLOR: '1', COLUMNS: '120' } })
    runs.set(name, run)
    return run
  }

  it('[DEMO-1, DEMO-3] is told from the others, with the place and with what it did', async () => {
    const text = stripVTControlCharacters((await broken('langchain')).stdout)
    expect(text).toContain(`langchain is broken on purpose: ${FAULT}`)
    expect(text).not.toContain('refuses the same')
    expect(text).toMatch(/≠ +Delete src\/main\.ts \(hidden\) +✗ refused +✓ ran +✗ refused +✗ refused +✗ refused *\n/)
    expect(text).toMatch(
      / +ai-sdk, mastra, openai-agents, react-loop: TOOL_NOT_ALLOWED: .*\n( +\S.*\n)? +langchain: Deleted src\/main\.ts\.\n/,
    )
    expect(text).toMatch(/✗ The adapters do not agree: \d+ differences\./)
    expect(text).toContain('request 5: message 10, result of Delete (call_4_2)\n')
    expect(text).not.toContain(`In ${all(ADAPTERS.length)}`)
  })

  // One is enough where people wait for the tests.
  it.for(ADAPTERS)(
    '[DEMO-3] --break %s makes the rows that differ red, and the exit code 1',
    async (name, { skip }) => {
      skip(process.env['CI'] === undefined && name !== 'langchain', 'runs in CI')
      const { code, stdout } = await broken(name)
      expect(code).toBe(1)
      const rows = stdout.split('\n').filter((line) => /[✓✗] (?:ran|refused)/.test(line))
      const red = rows.filter((row) => row.startsWith('\u001B[31m≠'))
      expect(red.length).toBeGreaterThan(2)
      for (const row of rows) {
        const marks = [...row.matchAll(/\[(\d+)m([✓✗] \w+)/g)].map(([, color, mark]) => ({ color, mark }))
        const differs = new Set(marks.map(({ mark }) => mark)).size > 1
        if (!differs) continue
        expect(red).toContain(row)
        expect(marks[ADAPTERS.indexOf(name)]).toEqual({ color: '31', mark: '✓ ran' })
      }
    },
  )

  it('[DEMO-3] counts what the rows show', async () => {
    const result = await recorded()
    const rows = (mark: string) =>
      drawn(result)
        .split('\n')
        .filter((line) => line.includes(mark)).length
    const { ran, refused, denied } = result.agreement.counts
    expect([rows('✓ ran'), rows('✗ refused'), rows('✗ denied')]).toEqual([ran, refused, denied])
  })
})
