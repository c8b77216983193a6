import { aiSdkDriver } from '@repertoire/ai-sdk/conformance'
import { type AdapterDriver, openModelEndpoint, type ProtocolName, type ScriptStep } from '@repertoire/conformance'
import { reactLoopDriver } from '@repertoire/react-loop/conformance'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type EvalRun, skillHarness, type SkillHarnessOptions } from '../src/index.ts'
import { createTape, type TapeOptions } from '../src/tape.ts'
import { withTape } from '../src/vitest.ts'
import { activate, call, caseOf, folderWith, say, skill, skillsOf } from './scripted.ts'

const PDF = caseOf({ id: 'pdf/1', skill: 'pdf', shouldTrigger: true, files: [{ path: 'in.txt', content: 'Name:' }] })
const SCRIPT = [activate('pdf'), call('Read', { file_path: 'in.txt' }), say('Done.')]

interface Played extends Partial<Omit<SkillHarnessOptions, 'model'>> {
  readonly folder: string
  readonly skills?: 'on' | 'off'
  readonly protocol?: ProtocolName
  readonly record?: TapeOptions['record']
  readonly prompt?: string
  readonly installed?: Record<string, string>
  readonly signal?: AbortSignal
}

async function play({ folder, protocol, record, prompt, installed, signal, ...options }: Played): Promise<EvalRun> {
  const repertoire = skillsOf(folderWith(installed ?? skill('pdf')))
  const model = createTape({ folder, model: 'scripted', record })
  const { adapter = reactLoopDriver, ...more } = options
  const variant = adapter.variants.find((each) => (each.protocol ?? 'openai') === (protocol ?? 'openai'))!
  const harness = skillHarness({ repertoire, model, ...more, adapter: { ...adapter, variants: [variant] } })
  return harness.run({ ...PDF, ...(prompt !== undefined && { prompt }) }, { signal })
}

async function provider(script: readonly ScriptStep[] = SCRIPT, protocol: ProtocolName = 'openai') {
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const { baseURL, apiKey } = endpoint.play(script, { protocol })
  return { baseURL, apiKey }
}

async function recorded(script?: readonly ScriptStep[], options: Partial<Played> = {}): Promise<string> {
  const folder = folderWith({})
  const run = await play({ folder, record: await provider(script), ...options })
  expect(run.error).toBeUndefined()
  return folder
}

const fileOf = (folder: string): string => join(folder, readdirSync(folder)[0]!)
const tapeOf = (folder: string): string => readFileSync(fileOf(folder), 'utf8')

test.each<[AdapterDriver, ProtocolName]>([
  [reactLoopDriver, 'openai'],
  [aiSdkDriver, 'openai'],
  [aiSdkDriver, 'openai-responses'],
  [aiSdkDriver, 'anthropic'],
  [aiSdkDriver, 'gemini'],
])('[EVAL-4] records %o over %s and replays it without a key', async (adapter, protocol) => {
  const folder = folderWith({})
  const { baseURL, apiKey } = await provider(SCRIPT, protocol)
  const first = await play({ folder, adapter, protocol, record: { baseURL, apiKey } })
  expect(first.error).toBeUndefined()
  expect(tapeOf(folder)).not.toContain(apiKey)
  const second = await play({ folder, adapter, protocol })
  expect(second.error ?? '').toBe('')
  expect(second.output).toBe('Done.')
  expect(second.activated).toEqual(['pdf'])
  expect(second.usage).toEqual(first.usage)
})

test.each<[string, Partial<Played>, RegExp]>([
  [
    'one letter of the prompt',
    { prompt: 'Fill the form!' },
    /step 1: request\.messages\[1\]\.content differs\. On the tape: "Fill the form\.". Now: "Fill the form!"/,
  ],
  ['the system prompt', { instructions: 'You are careful.' }, /step 1: request\.messages\[0\]\.content differs/],
  ['a description in the list', { installed: skill('pdf', 'Does pdfs.') }, /step 1: .*Does pdf/],
  ['a tool', { tools: () => [] }, /step 1: request\.tools/],
])('[EVAL-4] a changed run fails with the difference and the step: %s', async (_, changed, message) => {
  const folder = await recorded()
  expect((await play({ folder })).error).toBeUndefined()
  const run = await play({ folder, ...changed })
  expect(run.error).toMatch(message)
  expect(run.output).toBe('')
})

test.each<[string, (exchanges: unknown[]) => unknown[], RegExp]>([
  ['the last one is missing', (all) => all.slice(0, -1), /step 3: the tape has ended, and the run asks once more/],
  ['the first one is missing', (all) => all.slice(1), /step 1: request\.messages/],
  ['two are swapped', ([a, b, c]) => [b, a, c], /step 1: request\.messages/],
  ['one is there twice', ([a, b, c]) => [a, a, b, c], /step 2: request\.messages/],
  ['one too many', (all) => [...all, all.at(-1)], /step 4: the tape goes on, and the run has ended/],
])('[ABUSE-140] a tape that was changed fails: %s', async (_, change, message) => {
  const folder = await recorded()
  const tape = JSON.parse(tapeOf(folder)) as { exchanges: unknown[] }
  tape.exchanges = change(tape.exchanges)
  writeFileSync(fileOf(folder), JSON.stringify(tape))
  const run = await play({ folder })
  expect(run.error).toMatch(message)
})

test('[ABUSE-140] a tape that is cut short or missing fails with the file', async () => {
  const folder = await recorded()
  const whole = tapeOf(folder)
  writeFileSync(fileOf(folder), whole.slice(0, -200))
  expect((await play({ folder })).error).toMatch(/\.json is missing, cut short or not a tape\. Record the run/)
  writeFileSync(fileOf(folder), whole)
  expect((await play({ folder })).error).toBeUndefined()
  expect((await play({ folder: folderWith({}) })).error).toMatch(/is missing/)
})

test.each<[string, (exchange: Record<string, any>) => unknown]>([
  ['of the prompt', ({ asked }) => (asked.request.messages[1].content = 'Fill the form!')],
  ['of the system prompt', ({ asked }) => (asked.request.messages[0].content += ' ')],
  ['of the name of a tool', ({ asked }) => (asked.request.tools[0].function.name += 's')],
  ['of the description of a tool', ({ asked }) => (asked.request.tools[0].function.description += '!')],
  ['of the schema of a tool', ({ asked }) => (asked.request.tools[0].function.parameters.type = 'Object')],
  ['of the path', ({ asked }) => (asked.path += '/')],
  ['no request at all', (exchange) => delete exchange['asked']],
  ['no answer', (exchange) => delete exchange['answer']],
])('[ABUSE-140] one changed byte on a tape fails: %s', async (_, change) => {
  const folder = await recorded()
  const tape = JSON.parse(tapeOf(folder)) as { exchanges: Record<string, unknown>[] }
  change(tape.exchanges[0]!)
  writeFileSync(fileOf(folder), JSON.stringify(tape))
  const run = await play({ folder })
  expect(run.error).toMatch(/step 1: .* differs|is missing, cut short or not a tape/)
  expect(run.output).toBe('')
})

test('[ABUSE-140] two requests of one kind each get their own answer', async () => {
  const read = call('Read', { file_path: 'in.txt' })
  const folder = await recorded([read, read, read, say('Three times.')])
  const run = await play({ folder })
  expect(run.calls).toHaveLength(3)
  expect(run.output).toBe('Three times.')
})

test('[EVAL-4] another workspace, day and id are the same run', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const tools = (workspace: string) => [
    {
      name: 'Where',
      description: 'Says where it works.',
      inputSchema: { type: 'object', properties: {} },
      execute: () => `${workspace}/in.txt on ${today}`,
    },
  ]
  const folder = await recorded([call('Where', {}), say('Done.')], { tools })
  expect(tapeOf(folder)).toContain('<workspace>/in.txt on <today>')
  expect((await play({ folder, tools })).error).toBeUndefined()
})

test('[EVAL-4, ABUSE-137] keys, cookies and home folders never reach a tape', async () => {
  const secret = 'my-own-word-4711'
  const leaks = [
    'sk-proj-abcdefghijklmnopqrstuvwxyz0123',
    'Authorization: Bearer abcdef.ghijkl',
    'Set-Cookie: sid=31d4d96e407aad42; Path=/',
    '{"set-cookie": ["sid=97aa41d0b2; Path=/", "csrf=58e1c3"], "status": 200}',
    'password=hunter2hunter2',
    '/home/alice/notes.txt',
    `${homedir()}/x`,
    secret,
  ]
  const tools = () => [
    {
      name: 'Leak',
      description: 'Leaks.',
      inputSchema: { type: 'object', properties: {} },
      execute: () => leaks.join('\n'),
    },
  ]
  const script = [call('Leak', {}), say(`I saw ${leaks.join(' and ')}.`)]
  vi.stubEnv('MY_SECRET', secret)
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = await recorded(script, { tools })
  const tape = tapeOf(folder)
  for (const part of [
    'abcdefghijklmnop',
    'abcdef.ghijkl',
    '31d4d96e',
    '97aa41',
    '58e1c3',
    'hunter2',
    'alice',
    `${homedir()}/x`,
    secret,
  ]) {
    expect(tape).not.toContain(part)
  }
  expect(tape).toContain('I saw [redacted]')
  expect((await play({ folder, tools })).error).toBeUndefined()
})

test('[EVAL-4] the key goes to the provider alone, and nothing of headers to the tape', async () => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization, request.headers.cookie)
    request.resume()
    response.writeHead(200, {
      'content-type': 'application/json',
      'set-cookie': 'sid=secret',
      'openai-organization': 'org-1',
    })
    const message = { role: 'assistant', content: 'Hi.' }
    response.end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      }),
    )
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const folder = folderWith({})
  const run = await play({ folder, record: { baseURL, apiKey: 'the-real-key-123' } })
  expect(run.error).toBeUndefined()
  expect(seen).toEqual(['Bearer the-real-key-123', undefined])
  expect(tapeOf(folder)).not.toMatch(/the-real-key|sid=|org-1|key-of-the-tape/)
})

test('[ABUSE-140] a run that ends before the provider has answered leaves the tape as it was', async () => {
  const folder = await recorded()
  const before = tapeOf(folder)
  const stop = new AbortController()
  const server = createServer(() => stop.abort(new Error('Enough.'))).listen(0, '127.0.0.1')
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const run = await play({ folder, record: { baseURL }, signal: stop.signal })
  expect(run.error).toMatch(/Enough/)
  expect(tapeOf(folder)).toBe(before)
})

test('[ABUSE-137] an address with a password is refused, and the password is not repeated', async () => {
  const baseURL = 'http://me:hunter2hunter2@127.0.0.1:9/v1'
  const run = await play({ folder: folderWith({}), record: { baseURL } })
  expect(run.error).toMatch(/step 1: .*credentials/)
  expect(run.error).not.toContain('hunter2')
})

test('[ABUSE-140] what a provider refuses is not recorded', async () => {
  const folder = folderWith({})
  const run = await play({ folder, record: await provider([{ status: 429, message: 'Too many requests.' }]) })
  expect(run.error).toMatch(/step 1: the provider answered 429: .*Too many requests/)
  expect(readdirSync(folder)).toEqual([])
})

test('[EVAL-4] a secret that is spread over the events of a stream is not recorded', async () => {
  const text = 'The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789.'
  const stream = { ...reactLoopDriver, variants: [{ name: 'native stream' }] as const }
  const folder = folderWith({})
  const run = await play({ folder, adapter: stream, record: await provider([say(text)]) })
  expect(run.error).toMatch(/spread over several events/)
  const control = await play({
    folder,
    adapter: stream,
    record: await provider([say('No key at all, in many words.')]),
  })
  expect(control.error).toBeUndefined()
  expect((await play({ folder, adapter: stream })).output).toBe('No key at all, in many words.')
})

test('[EVAL-4, ABUSE-137] secrets under their names, and keys of objects, do not reach a tape on any wire', async () => {
  const tools = (workspace: string) => [
    {
      name: 'Log',
      description: 'Logs in.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: true },
      execute: () => ({ password: 'hunter2hunter2', [`${workspace}/a`]: 1 }),
    },
  ]
  const script = [call('Log', { password: 'hunter2hunter2', api_key: 'not-of-a-known-shape' }), say('Done.')]
  for (const protocol of ['openai', 'openai-responses', 'anthropic', 'gemini'] as const) {
    const folder = folderWith({})
    const options = { folder, adapter: aiSdkDriver, protocol, tools }
    expect((await play({ ...options, record: await provider(script, protocol) })).error).toBeUndefined()
    expect(tapeOf(folder)).toContain('[redacted]')
    expect(tapeOf(folder)).toContain('<workspace>/a')
    expect(tapeOf(folder)).not.toMatch(/hunter2|not-of-a-known|\/eval-/)
    expect((await play(options)).error).toBeUndefined()
  }
})

test('[EVAL-4, ABUSE-137] a key is on no tape, wherever and however a provider repeats it', async () => {
  const key = 'AbC+d/ef=gh-12345'
  const folder = folderWith({})
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const shown = `${JSON.stringify(request.headers)} ${request.url} ${body}`
      const written = [encodeURIComponent(key), ...['', 'u:', 'me:'].map((before) => btoa(`${before}${key}`))]
      written.push(Buffer.from(`?${key}`).toString('base64url'), btoa(key).replace(/=+$/, ''))
      response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': `sid=${key}`, 'x-key': key })
      response.end(JSON.stringify({ shown, written, [key]: { [key]: [key] } }))
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const tape = createTape({ folder, model: 'm', record: { baseURL, apiKey: key } })
  const opened = await tape.open({ name: 'x', places: {} })
  // As the clients of vendors send it: OpenAI, Anthropic, Google (twice), Azure.
  const headers = { 'x-api-key': key, 'x-goog-api-key': key, 'api-key': key, authorization: `Bearer ${key}` }
  const body = JSON.stringify({ key, headers, text: `My key is ${key}.` })
  const url = `${opened.endpoint.baseURL}/models/m:generate?key=${encodeURIComponent(key)}`
  const response = await fetch(url, { method: 'POST', headers: { ...headers, cookie: `sid=${key}` }, body })
  expect(await response.text()).toContain(key)
  await opened.finish()
  expect(tapeOf(folder).match(/\[redacted\]/g)!.length).toBeGreaterThan(10)
  // Of Base64, what an unknown byte beside the key decides too remains.
  const encoded = [0, 1, 2].map((before) => btoa(' '.repeat(before) + key).slice(before + 2, before + 12))
  expect(tapeOf(folder)).not.toMatch(new RegExp(`AbC|12345|${encoded.join('|')}`))
})

test('[EVAL-4] withTape records and replays, and returns what the test returns', async () => {
  const folder = folderWith({})
  const record = await provider()
  const played = (each?: TapeOptions['record'], prompt = PDF.prompt) =>
    withTape({ folder, model: 'scripted', record: each }, async (model) => {
      const harness = skillHarness({ adapter: reactLoopDriver, repertoire: skillsOf(folderWith(skill('pdf'))), model })
      return (await harness.run({ ...PDF, prompt })).fate?.fate
    })
  await expect(played()).rejects.toMatchObject({ code: 'TAPE_INVALID' })
  expect(await played(record)).toBe('activated')
  expect(await played()).toBe('activated')
  await expect(played(undefined, 'Fill the form!')).rejects.toMatchObject({
    code: 'TAPE_DIFFERS',
    message: expect.stringMatching(/step 1: .*Now: "Fill the form!"/),
  })
  await expect(played(await provider([{ status: 500, message: 'Away.' }]))).rejects.toThrow(/answered 500/)
})

test('[EVAL-4] withTape says the difference rather than what the test made of it, and else what the test says', async () => {
  const folder = await recorded()
  const played = (prompt: string) =>
    withTape({ folder, model: 'scripted' }, async (model) => {
      const harness = skillHarness({ adapter: reactLoopDriver, repertoire: skillsOf(folderWith(skill('pdf'))), model })
      await harness.run({ ...PDF, prompt })
      throw new Error('The test is not content.')
    })
  await expect(played(PDF.prompt)).rejects.toThrow('The test is not content.')
  await expect(played('Fill it.')).rejects.toThrow(/differs\. On the tape/)
})

test('[EVAL-4] a tape answers below its own address alone', async () => {
  const folder = await recorded()
  const tape = createTape({ folder, model: 'scripted' })
  const { endpoint } = await tape.open({ name: 'pdf/1 · scripted · react-loop · native · on · 1', places: {} })
  const ask = (baseURL: string) => fetch(`${baseURL}/chat/completions`, { method: 'POST', body: '{}' })
  expect((await ask(new URL('/', endpoint.baseURL).href)).status).toBe(404)
  expect((await ask(endpoint.baseURL)).status).toBe(400)
})
