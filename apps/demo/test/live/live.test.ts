import { openModelEndpoint, type Play, type ScriptStep } from '@repertoire/conformance'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { inProcess, temporaryFolder } from '../demo.ts'
import type { AdapterRecord } from '../../src/record.ts'
import { all } from '../../src/render/agreement.ts'

const ADAPTERS = ['ai-sdk', 'langchain', 'mastra', 'openai-agents', 'react-loop']
const SHELF =
  '---\nname: shelf\ndescription: Sorts books. Use it for shelves.\nallowed-tools: Read\n---\n\nBy colour.\n'

/** What the user's model does, once for each adapter: they come one after the other. */
const WORK: readonly ScriptStep[] = [
  { calls: [{ tool: 'activate_skill', input: { name: 'shelf' } }] },
  {
    text: 'Now I look.',
    calls: [
      { tool: 'Read', input: { file_path: 'books.txt' } },
      { tool: 'Write', input: { file_path: 'books.txt', content: '' } },
      { tool: 'Read', input: { file_path: '../secret.txt' } },
    ],
  },
  { text: 'They stand by colour.' },
]

/** An endpoint such as a user has, with a model that does the steps for each of some adapters. */
async function endpoint(steps: readonly ScriptStep[], adapters = ADAPTERS.length): Promise<Play> {
  const opened = await openModelEndpoint()
  onTestFinished(() => opened.close())
  return opened.play(Array.from({ length: adapters }, () => steps).flat())
}

/** A folder with a file to work on, a skill, and a secret beside it. */
async function userFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const cwd = join(folder, 'work')
  await mkdir(join(cwd, 'skills/shelf'), { recursive: true })
  await writeFile(join(cwd, 'skills/shelf/SKILL.md'), SHELF)
  await writeFile(join(cwd, 'books.txt'), 'Red, green, blue.\n')
  await writeFile(join(folder, 'secret.txt'), 'TOP SECRET\n')
  return cwd
}

function options({ baseURL, model }: Play, ...more: readonly string[]): readonly string[] {
  return ['--base-url', baseURL, '--model', model, '--api-key-env', 'MY_KEY', ...more]
}

describe('npm run demo with an endpoint of the user', () => {
  for (const stream of [false, true]) {
    const title = stream ? 'streamed over SSE' : 'in one piece'
    it(`[DEMO-1] takes a task through every adapter, ${title}, and shows what each did beside each other`, async () => {
      const cwd = await userFolder()
      const play = await endpoint(WORK)
      const args = options(play, '--skills', 'skills', '--yes', ...(stream ? ['--stream'] : []), 'Sort the books.')
      const { code, stdout, stderr } = await inProcess(args, { cwd, env: { MY_KEY: play.apiKey, COLUMNS: '200' } })
      expect(stderr).toBe('')
      expect(stdout).toMatch(new RegExp(`${ADAPTERS.join(' +│ ')}\n`))
      expect(stdout).toMatch(/1 {2}✓ Offered: 1 skill, 5 tools +│ 1 {2}✓ Offered/)
      expect(stdout).toMatch(/✗ Write books\.txt \(hidden\) +│ +✗ Write books\.txt \(hidden\) +│ +✗ Write/)
      expect(stdout).toMatch(/They stand by colour\. +│ They stand by colour\. +│ They stand by colour\. +│/)
      expect(stdout).toContain(
        `✓ In ${all(ADAPTERS.length)}, the model was shown the same 1 skill and 5 tools, word for word.`,
      )
      expect(code).toBe(0)
      expect(play.failures).toEqual([])
      expect(play.requests).toHaveLength(3 * ADAPTERS.length)
      expect(play.requests.map((request) => request.stream)).toEqual(
        Array.from({ length: 3 * ADAPTERS.length }, () => stream),
      )
      // The key went to the endpoint, and to nobody else.
      expect(stdout + stderr).not.toContain(play.apiKey)
      expect(JSON.stringify(play.requests)).not.toContain('TOP SECRET')
    })
  }

  it('[DEMO-1] gives the whole record as JSON, and starts relative paths where npm was called', async () => {
    const cwd = await userFolder()
    const play = await endpoint(WORK)
    const args = options(play, '--skills', 'skills', '--yes', '--json', 'Sort the books.')
    const env = { MY_KEY: play.apiKey, INIT_CWD: cwd, npm_lifecycle_event: 'demo' }
    const { code, stdout } = await inProcess(args, { env })
    expect(code).toBe(0)
    expect(stdout).not.toContain(play.apiKey)
    const { mode, folder, adapters } = JSON.parse(stdout) as { mode: string; folder: string; adapters: AdapterRecord[] }
    expect({ mode, folder }).toEqual({ mode: 'live', folder: cwd })
    expect(adapters.map(({ adapter }) => adapter)).toEqual(ADAPTERS)
    for (const { requests, runs, answer } of adapters) {
      expect(requests).toHaveLength(3)
      expect(runs.map(({ input }) => input)).toEqual([{ file_path: 'books.txt' }, { file_path: '../secret.txt' }])
      const results = requests.at(-1)!.messages.filter(({ role }) => role === 'tool')
      expect(results.map(({ text }) => text)).toEqual([
        expect.stringContaining('By colour.'),
        'Red, green, blue.\n',
        expect.stringContaining('TOOL_NOT_ALLOWED'),
        '../secret.txt is not a path below the working folder.',
      ])
      expect(answer).toBe('They stand by colour.')
    }
  })

  it('[DEMO-1, ASK-1] denies consent where nobody can be asked, and says so', async () => {
    const cwd = await userFolder()
    const play = await endpoint([WORK[0]!, { text: 'Then not.' }])
    const args = options(play, '--skills', 'skills', 'Sort the books.')
    const { code, stdout } = await inProcess(args, { cwd, env: { MY_KEY: play.apiKey, COLUMNS: '160' } })
    expect(stdout).toContain('denied to every skill: there is no terminal to ask on. --yes agrees to all')
    expect(stdout.match(/CONSENT_DENIED/g)).toHaveLength(ADAPTERS.length)
    expect(code).toBe(0)
  })

  it('[DEMO-1] shows each model go its own way, and a failure in the middle, with exit code 1', async () => {
    const cwd = await userFolder()
    const looks: ScriptStep = { calls: [{ tool: 'LS', input: { path: '.' } }] }
    const opened = await openModelEndpoint()
    onTestFinished(() => opened.close())
    const play = opened.play([
      looks,
      { text: 'Books and skills.' },
      looks,
      { status: 500, message: 'The model has run out of memory' },
      ...ADAPTERS.slice(2).map(() => ({ text: 'I know that without a look.' })),
    ])
    const { code, stdout } = await inProcess(options(play, 'What is here?'), {
      cwd,
      env: { MY_KEY: play.apiKey, COLUMNS: '160' },
    })
    expect(stdout).toMatch(/✓ LS \. +│ +✓ LS \. +│ /)
    expect(stdout).toMatch(/books\.txt ⏎ skills\/ +│ +books\.txt ⏎ skills\/ +│/)
    expect(stdout).toMatch(/✓ answers +│ ✗ failed +│ ✓ answers +│ ✓ answers/)
    expect(stdout).toMatch(
      /✗ langchain failed: .* answered 500: The model has run out of memory\. The endpoint's own log/,
    )
    expect(stdout).toContain(`✓ In ${all(ADAPTERS.length)}, the model was shown the same 8 skills and 5 tools`)
    expect(code).toBe(1)
  })
})

describe('an endpoint that cannot be used any more', () => {
  it('[DEMO-1] keeps what the adapters before had shown', async () => {
    const opened = await openModelEndpoint()
    onTestFinished(() => opened.close())
    const play = opened.play([
      { text: 'Books.' },
      { status: 429, message: 'Slow down' },
      ...ADAPTERS.slice(2).map(() => ({ text: 'Skills.' })),
    ])
    const env = { MY_KEY: play.apiKey, COLUMNS: '160' }
    const { code, stdout } = await inProcess(options(play, 'What is here?'), { env })
    expect(stdout).toMatch(/✓ answers +│ ✗ failed +│ ✓ answers +│ .*\nBooks\. +│ http.* │ Skills\. +│/)
    expect(stdout).toMatch(/✗ langchain failed: .* answered 429: Slow down\. Wait a little/)
    expect(code).toBe(1)
  })
})

describe('an endpoint that cannot be used', () => {
  const ask = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const ended = await inProcess([...args, 'A task.'], { env })
    expect(ended.stdout).toBe('')
    return ended
  }

  it('[DEMO-1] is one line: the key is wrong, or missing', async () => {
    const play = await endpoint([])
    const wrong = await ask(options(play), { MY_KEY: 'sk-wrong' })
    expect(wrong.stderr).toMatch(/^error: http:\S+ answered 401: .* Check the key in MY_KEY\.\n$/)
    expect(wrong.code).toBe(1)
    const { code, stderr } = await ask(['--base-url', play.baseURL, '--model', 'm'])
    expect(stderr).toMatch(/^error: http:\S+ answered 401: .* name that with --api-key-env\.\n$/)
    expect(code).toBe(1)
  })

  it('[DEMO-1] is one line: nobody listens there, or nothing is there', async () => {
    const play = await endpoint([])
    const { port } = new URL(play.baseURL)
    const elsewhere = ['--base-url', play.baseURL.replace('/v1', '/v2'), '--model', 'm', '--api-key-env', 'MY_KEY']
    const missing = await ask(elsewhere, { MY_KEY: play.apiKey })
    expect(missing.stderr).toMatch(
      /^error: .* answered 404: .* Check --base-url, which mostly ends in "\/v1".*"m"\.\n$/,
    )
    expect(missing.code).toBe(1)
    const closed = await openModelEndpoint()
    const address = closed.play([]).baseURL
    await closed.close()
    expect(new URL(address).port).not.toBe(port)
    const { code, stderr } = await ask(['--base-url', address, '--model', 'm'])
    expect(stderr).toMatch(
      /^error: http:\S+ cannot be reached: connect ECONNREFUSED \S+\. Start the endpoint, or correct --base-url\.\n$/,
    )
    expect(code).toBe(1)
  })

  it('[DEMO-1] is told before anything is sent, where the command is wrong', async () => {
    const cwd = await temporaryFolder()
    await writeFile(join(cwd, 'file'), '')
    await mkdir(join(cwd, 'broken'))
    await writeFile(join(cwd, 'broken/SKILL.md'), '---\nname: broken\n---\n')
    const url = 'http://127.0.0.1:9/v1'
    const live = ['--base-url', url, '--model', 'm']
    for (const [args, text] of [
      [['--base-url', url, 'A task.'], 'Give --model too'],
      [['--model', 'm', 'A task.'], 'Give --base-url too'],
      [live, 'There is no task. Give it last and in quotes'],
      [['--base-url', 'localhost:11434', '--model', 'm', 'A task.'], '--base-url "localhost:11434" is not an address'],
      [['--base-url', 'http://a:b@localhost/v1', '--model', 'm', 'A task.'], 'holds a password'],
      [[...live, '--api-key-env', 'MY_KEY', 'A task.'], 'The variable MY_KEY is not set. Set it: export MY_KEY='],
      [[...live, '--api-key-env', 'sk-secret-1', 'A task.'], 'takes the name of a variable'],
      [[...live, '--skills', 'gone', 'A task.'], `There is no folder ${join(cwd, 'gone')}.`],
      [[...live, '--skills', 'file', 'A task.'], `${join(cwd, 'file')} is not a folder.`],
      [[...live, '--skills', '.', 'A task.'], 'There is no skill in'],
      [[...live, '--skills', '.', 'A task.'], 'description'],
    ] as const) {
      const { code, stdout, stderr } = await inProcess(args, { cwd })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^error: [^\n]+\n$/)
      expect(stderr).toContain(text)
      expect(stderr).not.toContain('sk-secret-1')
    }
  })
})
