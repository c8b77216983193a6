import { APIConnectionError, APIError } from 'openai'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ask, hello, modelAt, read, STREAMED } from '../client.ts'
import { delta, events, json, message, openRawEndpoint, type RawAnswer } from '../raw-endpoint.ts'
import { openAICompatible } from '../../src/index.ts'

const SECRET = 'SECRET-OF-ANOTHER'

afterEach(() => void vi.unstubAllEnvs())

const fails = (status: number, told: string) => json({ error: { message: told } }, status, { 'retry-after-ms': '1' })
const says = (streamed: boolean, content: string) =>
  streamed ? events([delta({ content }), delta({}, 'stop')]) : message({ content }, 'stop')

test('[ADPT-3] sends nothing of an environment that was made for another endpoint', async () => {
  for (const name of ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'])
    vi.stubEnv(name, SECRET)
  vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:1/v1')
  vi.stubEnv('OPENAI_CUSTOM_HEADERS', `x-gateway: ${SECRET}`)
  const endpoint = await openRawEndpoint(says(false, 'ok'))
  await modelAt(endpoint).complete(hello, {})
  expect(endpoint.requests).toHaveLength(1)
  expect(JSON.stringify(endpoint.requests)).not.toContain(SECRET)
})

test('[ADPT-3] uses the fetch, the headers and the fields that it is given', async () => {
  const endpoint = await openRawEndpoint(says(false, 'from afar'))
  const asked: string[] = []
  const model = openAICompatible({
    baseURL: 'http://model.invalid/v1',
    model: 'm',
    headers: { 'x-tenant': 'acme' },
    body: { further: 1 },
    fetch: (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input.toString())
      asked.push(url.href)
      return fetch(endpoint.baseURL.replace('/v1', url.pathname), init)
    },
  })
  expect((await model.complete(hello, {})).text).toBe('from afar')
  expect(asked).toEqual(['http://model.invalid/v1/chat/completions'])
  expect(endpoint.requests[0]?.headers['x-tenant']).toBe('acme')
  expect(endpoint.requests[0]?.body).toMatchObject({ further: 1 })
})

describe.each(STREAMED)('%s', (_, streamed) => {
  test('[ADPT-3] throws the errors of an endpoint unchanged', async () => {
    const failing = read(fails(404, 'No such model.'), streamed)
    await expect(failing).rejects.toBeInstanceOf(APIError)
    await expect(failing).rejects.toMatchObject({ status: 404 })
    await expect(failing).rejects.toThrow(/No such model\./)
  })

  const unusable = streamed ? [events([])] : [json({ choices: [] }), json({ object: 'error', message: 'busy' })]
  test.each(unusable)('[ADPT-3] refuses an unusable answer, and names the endpoint and the model', async (answer) => {
    const failing = read(answer, streamed)
    await expect(failing).rejects.toBeInstanceOf(APIConnectionError)
    await expect(failing).rejects.toThrow(/127\.0\.0\.1.*"m"/)
  })

  test('[ADPT-3] repeats a request after 429 and 5xx `maxRetries` times', async () => {
    const [busy, down] = [fails(429, 'busy'), fails(503, 'down')]
    const endpoint = await openRawEndpoint(down, says(streamed, 'at last'), busy, busy, busy)
    const model = modelAt(endpoint, { maxRetries: 1 })
    expect((await ask(model, streamed)).answer?.text).toBe('at last')
    await expect(ask(model, streamed)).rejects.toMatchObject({ status: 429 })
    expect(endpoint.requests).toHaveLength(4)
  })

  test.each<[string, RawAnswer]>([
    ['waits for its answer', () => {}],
    ['waits to be repeated', fails(503, 'down')],
  ])('[ADPT-3] an abort ends a request that %s, and the next one is not sent', async (_case, answer) => {
    const leaving = new AbortController()
    const endpoint = await openRawEndpoint((response) => {
      answer(response)
      leaving.abort(new Error('enough'))
    })
    const model = modelAt(endpoint, { maxRetries: 8 })
    await expect(ask(model, streamed, hello, leaving.signal)).rejects.toThrow(/aborted/)
    await expect(ask(model, streamed, hello, leaving.signal)).rejects.toThrow(/aborted/)
    expect(endpoint.requests).toHaveLength(1)
  })
})

describe('streams', () => {
  test.each(['cut', 'silent'] as const)(
    '[ADPT-3, GATE-5] takes no call from a stream that ends early (%s)',
    async (end) => {
      const command = { index: 0, id: 'a', function: { name: 'Bash', arguments: '{"command":"rm"}' } }
      const failing = read(events([delta({ content: 'Hm' }), delta({ tool_calls: [command] })], end), true)
      await expect(failing).rejects.toBeInstanceOf(APIConnectionError)
      await expect(failing).rejects.toThrow(/127\.0\.0\.1/)
    },
  )

  test('[ADPT-3] throws an error in the middle of a stream unchanged', async () => {
    const error = { message: 'The model fell over.', code: 'oom' }
    const failing = read(events([delta({ content: 'Hm' }), { error }]), true)
    await expect(failing).rejects.toBeInstanceOf(APIError)
    await expect(failing).rejects.toThrow(/The model fell over\./)
  })

  test('[ADPT-3] ends the request if the reader stops', async () => {
    const closed = Promise.withResolvers<void>()
    const endpoint = await openRawEndpoint((response) => {
      response.on('close', closed.resolve)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(delta({ content: 'Hm' }))}\n\n`)
    })
    for await (const part of modelAt(endpoint).stream(hello, {})) if (part.type === 'text') break
    await closed.promise
  })
})
