import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, it } from 'vitest'
import { createReActLoop, openAICompatible } from '../src/index.ts'

const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
const model = openAICompatible({ baseURL: 'http://127.0.0.1:9/v1', model: 'any' })
const loop = (options: object) => () => createReActLoop({ model, session: repertoire.openSession(), ...options })

it.each([
  [{ tolls: [] }, 'createReActLoop: unknown option `tolls`. Did you mean `tools`?'],
  [{ session: repertoire }, 'createReActLoop: `session` has no `step`. Give a session'],
  [{ model: 'gpt' }, '`model` is "gpt". Give a model, such as openAICompatible'],
  [{ tools: { read: () => 'x' } }, '`tools` is an object. Give a list of tools.'],
  [{ tools: [{ name: 'read' }] }, '`tools[0]` has no `execute`.'],
  [{ protocol: 'txt' }, '`protocol` is "txt". Give "native" or "text".'],
  [{ onConsent: () => true }, 'createReActLoop: unknown option `onConsent`'],
  [{ repertoire, session: {}, consent: () => true }, 'unknown option `consent`. Did you mean `session.consent`?'],
  [{ repertoire: '.agents/skills', session: {} }, "Give a repertoire, as from `await openSkills('.agents/skills')`."],
  [{ subagents: { writer: { instuctions: '' } } }, 'Did you mean `subagents.writer.instructions`?'],
])('[CFG-1, ABUSE-133] createReActLoop refuses %j', (options, message) => {
  expect(loop(options)).toThrow(TypeError)
  expect(loop(options)).toThrow(message)
})

it('[CFG-1] createReActLoop refuses tools in the place of options, and a set of tools, in types and at run time', () => {
  const read = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' }, execute: () => 'read' }
  const session = repertoire.openSession()
  // @ts-expect-error a list of tools
  expect(() => createReActLoop([read])).toThrow('createReActLoop: the options are a list.')
  // @ts-expect-error a set of tools
  expect(() => createReActLoop({ read })).toThrow('unknown option `read`')
  // @ts-expect-error a set of tools
  expect(() => createReActLoop({ model, session, tools: { read } })).toThrow(
    '`tools` is an object. Give a list of tools.',
  )
  // @ts-expect-error one tool
  expect(() => createReActLoop({ model, session, tools: read })).toThrow('Give a list of tools.')
})

it('[CFG-1, ABUSE-133] run and stream refuse options before the model is called', async () => {
  const made = loop({})()
  await expect(made.run('hello', { singal: new AbortController().signal } as object)).rejects.toThrow(
    'run: unknown option `singal`. Did you mean `signal`?',
  )
  await expect(made.stream('hello', { onMesage: () => {} } as object).next()).rejects.toThrow(
    'Did you mean `onMessage`?',
  )
  for (const answers of [[true], { requestId: 'a', approved: true }, [{ requestId: 'a' }], [{ decisions: [] }]]) {
    await expect(made.run('hello', { answers } as object)).rejects.toThrow(/^run: `answers/)
  }
})

it.each([undefined, { prompt: 'hello' }, 7])('[CFG-1, FRONT-5] run and stream refuse the input %j', async (input) => {
  const made = loop({})()
  const fix = 'Give a string, or a list of messages.'
  await expect(made.run(input as never)).rejects.toThrow(/^run: `input` is /)
  await expect(made.run(input as never)).rejects.toThrow(fix)
  await expect(made.stream(input as never).next()).rejects.toThrow(/^stream: `input` is /)
  await expect(createReActLoop({ model, repertoire }).run(input as never)).rejects.toThrow(fix)
})

it.each([
  [{ baseUrl: 'http://127.0.0.1:9' }, 'openAICompatible: unknown option `baseUrl`. Did you mean `baseURL`?'],
  [{ temperature: 0 }, 'unknown option `temperature`'],
  [{ model: undefined }, '`model` is missing'],
  [{ apiKey: '' }, '`apiKey` is empty'],
  [{ baseURL: new URL('http://127.0.0.1:9') }, '`baseURL` is'],
  [{ headers: { 'x-team': 1 } }, '`headers["x-team"]` is 1'],
  [{ maxRetries: -1 }, '`maxRetries` is -1'],
  [{ fetch: 'fetch' }, '`fetch` is "fetch"'],
])('[CFG-1, ABUSE-133] openAICompatible refuses %j', (options, message) => {
  const given = { model: 'm', apiKey: 'secret-key', baseURL: 'http://127.0.0.1:9' }
  const make = () => openAICompatible({ ...given, ...(options as object) })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
  expect(make).not.toThrow('secret-key')
  expect(openAICompatible(given).name).toBe('m')
})

it('[FRONT-5] openAICompatible asks for the key of OpenAI', () => {
  const make = (options: object) => () =>
    openAICompatible({ model: 'm', baseURL: 'https://api.openai.com/v1', apiKey: undefined, ...options })
  expect(make({})).toThrow(TypeError)
  expect(make({})).toThrow(`openAICompatible: \`apiKey\` is missing, and https://api.openai.com/v1 needs a key.`)
  expect(make({})).toThrow('OPENAI_API_KEY')
  const fine = [
    { apiKey: 'k' },
    { headers: { authorization: 'Bearer k' } },
    { fetch: globalThis.fetch },
    { baseURL: 'http://localhost:11434/v1' },
    { baseURL: 'https://models.example/v1' },
    { baseURL: 'not an address' },
  ]
  for (const options of fine) expect(make(options)().name).toBe('m')
})
