import { connect } from 'node:net'
import { once } from 'node:events'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hello, post, readJson } from '../chat.ts'
import { held } from '../held.ts'
import type { Dialect } from '../../src/endpoint/dialect.ts'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'
import { nativeTools } from '../../src/endpoint/openai/native-tools.ts'
import type { ScriptStep } from '../../src/endpoint/script.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

test('[CONF-1] sends an input as JSON that parses to the same value', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (input) => {
      fc.pre(!(typeof input === 'object' && input !== null && 'raw' in input))
      const play = endpoint.play([{ calls: [{ tool: 'Bash', input }] }])
      const { toolCalls } = await readJson(await post(play, hello()))
      expect(JSON.parse(toolCalls[0]!.arguments)).toEqual(JSON.parse(JSON.stringify(input)))
      play.close()
    }),
    { numRuns: 40 },
  )
})

function badStep(): never {
  throw new Error('No bananas.')
}

describe('scripts', () => {
  test('[CONF-1] decides by what was received where a step is a function', async () => {
    const play = endpoint.play([({ messages }) => ({ text: `You said: ${messages.at(-1)?.text}` })])
    expect(await readJson(await post(play, hello()))).toMatchObject({ content: 'You said: Hello.' })
  })

  test('[CONF-1] holds an answer back until it is released', async () => {
    const gate = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const play = endpoint.play([
      () => {
        arrived.resolve()
        return held(gate.promise, { text: 'At last.' })
      },
      { text: 'Another conversation goes on meanwhile.' },
    ])
    const answer = post(play, hello())
    await arrived.promise
    expect(play.waiting).toEqual(['step 1 waits for its hold'])
    await readJson(await post(play, hello()))
    gate.resolve()
    expect(await readJson(await answer)).toMatchObject({ content: 'At last.' })
    expect(play.waiting).toEqual([])
  })

  test('[CONF-1] takes a client that goes away during a hold for no failure', async () => {
    const gate = Promise.withResolvers<void>()
    const abort = new AbortController()
    const play = endpoint.play([
      () => {
        abort.abort()
        return held(gate.promise, { text: 'Too late.' })
      },
      { text: 'Next.' },
    ])
    await expect(post(play, hello(), { signal: abort.signal })).rejects.toThrow('aborted')
    gate.resolve()
    expect(await readJson(await post(play, hello()))).toMatchObject({ content: 'Next.' })
    expect(play.failures).toEqual([])
  })

  test.each<[string, unknown, RegExp]>([
    ['says nothing', {}, /step 1 could not be played: TypeError: The step says nothing/],
    ['has no calls', { calls: [] }, /step 1 could not be played: TypeError: The step says nothing/],
    ['has a status that is not an error', { status: 200, message: 'fine' }, /the status 200\. Give an HTTP error/],
    ['ends in an unknown way', { text: '', end: 'later' }, /"end" is "later"\. Known are length, refusal, early, cut/],
    [
      'has an input that JSON cannot represent',
      { calls: [{ tool: 'Bash', input: () => {} }] },
      /JSON cannot represent/,
    ],
    [
      'is a promise',
      () => Promise.resolve({ text: 'later' }),
      /step 1 could not be played: TypeError: The step says nothing/,
    ],
    ['waits for a hold that rejects', () => held(Promise.reject(new Error('Locked.')), { text: '' }), /played: Locked/],
    ['throws', badStep, /could not be played: No bananas/],
  ])('[CONF-1] notes a step that %s', async (_, step, message) => {
    const play = endpoint.play([step as ScriptStep])
    expect((await post(play, hello())).status).toBe(400)
    expect(play.failures).toEqual([expect.stringMatching(message)])
  })

  test('[CONF-1] refuses a request beyond the script in a way that no SDK repeats, and notes it', async () => {
    const play = endpoint.play([{ text: 'That is all.' }])
    await post(play, hello())
    const response = await post(play, hello())
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { error: { message: string } }
    expect(error.message).toBe(
      'Request 2 goes beyond the script, which has 1 step. It ended with a message of the role user: "Hello.".',
    )
    expect(play.failures).toEqual([error.message])
    expect(play.requests).toHaveLength(2)
  })

  test('[CONF-1] does not change a script that is changed while it is played', async () => {
    const script: ScriptStep[] = [{ text: 'One.' }]
    const play = endpoint.play(script)
    script[0] = { text: 'Two.' }
    expect(await readJson(await post(play, hello()))).toMatchObject({ content: 'One.' })
  })
})

test('[CONF-1] plays any number of conversations at once, each by its own script', async () => {
  const numbers = Array.from({ length: 50 }, (_, index) => index)
  const answers = await Promise.all(
    numbers.map(async (number) => {
      const play = endpoint.play([{ text: `first ${number}` }, { text: `second ${number}` }])
      const first = await readJson(await post(play, hello()))
      const second = await readJson(await post(play, hello()))
      return [first.content, second.content]
    }),
  )
  expect(answers).toEqual(numbers.map((number) => [`first ${number}`, `second ${number}`]))
})

test('[CONF-1] hands a dialect what the model said so far', async () => {
  const spoken: Dialect = {
    name: 'plain words',
    decode: (body, sent) => ({
      ...nativeTools.decode(body, sent),
      system: sent.map(({ scripted, encoded }) => `${scripted.calls[0]?.id}=${encoded.content}`).join(),
    }),
    encode: ({ calls }) => ({ content: calls.map((call) => `Action: ${call.tool} ${call.arguments}`).join('\n') }),
  }
  const step = { calls: [{ tool: 'Bash', input: { command: 'ls' } }] }
  const play = endpoint.play([step, step], { dialect: spoken })
  expect(await readJson(await post(play, hello()))).toMatchObject({
    content: 'Action: Bash {"command":"ls"}',
    toolCalls: [],
    finishReason: 'stop',
  })
  await post(play, hello())
  expect(play.requests.map(({ system }) => system)).toEqual(['', 'call_1_1=Action: Bash {"command":"ls"}'])
})

test('[CONF-1] counts the ids of calls on where a play goes on after another', async () => {
  const step = { calls: [{ tool: 'Bash', input: {} }] }
  const seen: unknown[] = []
  const dialect: Dialect = {
    ...nativeTools,
    decode: (body, sent) => {
      seen.push(sent.map(({ scripted }) => scripted.calls[0]?.id))
      return nativeTools.decode(body, sent)
    },
  }
  const first = endpoint.play([step, step], { dialect })
  await post(first, hello())
  await post(first, hello())
  const second = endpoint.play([step], { dialect, after: first })
  expect((await readJson(await post(second, hello()))).toolCalls).toMatchObject([{ id: 'call_3_1' }])
  expect(seen.at(-1)).toEqual(['call_1_1', 'call_2_1'])
  await post(second, hello())
  expect(second.failures).toEqual([expect.stringContaining('Request 2 goes beyond the script, which has 1 step.')])
})

test('[CONF-1] refuses later requests of a play that was closed, and cuts open ones', async () => {
  const arrived = Promise.withResolvers<void>()
  const play = endpoint.play([
    () => {
      arrived.resolve()
      return held(new Promise(() => {}), { text: 'never' })
    },
  ])
  const answer = post(play, hello())
  answer.catch(() => {})
  await arrived.promise
  play.close()
  await expect(answer).rejects.toThrow('fetch failed')
  expect((await post(play, hello())).status).toBe(404)
})

test('[CONF-1] survives a client that cuts its request in the middle', async () => {
  const play = endpoint.play([{ text: 'Unharmed.' }])
  const { port, pathname } = new URL(play.baseURL)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const head = `POST ${pathname}/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${play.apiKey}\r\n`
  socket.write(`${head}content-length: 100\r\n\r\n{"model"`)
  socket.destroy()
  await once(socket, 'close')
  expect(await readJson(await post(play, hello()))).toMatchObject({ content: 'Unharmed.' })
  expect(play.failures).toEqual([])
})

test('[CONF-1] stops listening when it is closed, as often as it is closed', async () => {
  const own = await openModelEndpoint()
  const play = own.play([{ text: 'Hello.' }])
  await post(play, hello())
  await Promise.all([own.close(), own.close()])
  await expect(post(play, hello())).rejects.toThrow('fetch failed')
  expect(() => own.play([])).toThrow('is closed')
})
