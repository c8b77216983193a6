import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hello, post, readJson } from '../chat.ts'
import { type ModelEndpoint, openModelEndpoint } from '../../src/endpoint/endpoint.ts'

let endpoint: ModelEndpoint
beforeAll(async () => {
  endpoint = await openModelEndpoint()
})
afterAll(() => endpoint.close())

describe('requests', () => {
  test('[CONF-1] keeps every request in one shape, the body beside it', async () => {
    const play = endpoint.play([{ text: 'Yes.' }])
    const body = hello({ stream: false })
    await post(play, body)
    expect(play.requests).toEqual([
      { system: '', tools: [], messages: [{ role: 'user', text: 'Hello.' }], stream: false, raw: body },
    ])
  })

  test.each<[string, string | Blob, RegExp]>([
    ['that is not JSON', '{"model":', /is not JSON/],
    ['that is not an object', '[]', /not a JSON object/],
    ['that is not UTF-8', new Blob([Uint8Array.of(0x22, 0xff, 0x22)]), /is not JSON/],
    ['without a model', '{"messages":[]}', /must provide a "model"/],
    ['without messages', '{"model":"m"}', /malformed for native tool calls: "messages" is not an array/],
    ['with a stream that is not a boolean', '{"model":"m","messages":[],"stream":"yes"}', /"stream" is not a boolean/],
    ['with stream options but no stream', '{"model":"m","stream_options":{}}', /only allowed when "stream" is true/],
  ])('[CONF-1] answers a body %s with 400 in the shape of OpenAI, and notes it', async (_, body, message) => {
    const play = endpoint.play([{ text: 'Not played.' }])
    const response = await post(play, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      error: { message: expect.stringMatching(message), type: 'invalid_request_error', param: null, code: null },
    })
    expect(play.failures).toEqual([expect.stringMatching(message)])
    expect(play.requests).toEqual([])
    expect(await readJson(await post(play, hello()))).toMatchObject({ content: 'Not played.' })
  })

  test('[CONF-1] refuses a body over 16 MB and keeps serving', async () => {
    const play = endpoint.play([{ text: 'Still here.' }])
    const response = await post(play, hello({ padding: 'x'.repeat(16 * 1024 * 1024) }))
    expect(response.status).toBe(413)
    expect(play.failures).toEqual([expect.stringContaining('larger than 16777216 bytes')])
    expect(await readJson(await post(play, hello({ padding: 'x'.repeat(1024 * 1024) })))).toMatchObject({
      content: 'Still here.',
    })
  })

  test('[CONF-1] refuses a request without the key of its play', async () => {
    const play = endpoint.play([{ text: 'Secret.' }])
    const other = endpoint.play([{ text: 'Other.' }])
    const response = await post(play, hello(), { key: other.apiKey })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key' } })
    expect(play.failures).toEqual([expect.stringContaining('without the key of its play')])
    expect(other.failures).toEqual([])
  })

  test('[CONF-1] lists its model', async () => {
    const play = endpoint.play([])
    const response = await fetch(`${play.baseURL}/models`, { headers: { authorization: `Bearer ${play.apiKey}` } })
    expect(await response.json()).toMatchObject({ object: 'list', data: [{ id: play.model, object: 'model' }] })
  })

  test.each([
    ['GET', '/chat/completions', 405],
    ['POST', '/models', 405],
    ['POST', '/responses', 404],
  ])('[CONF-1] refuses %s %s with %i, and notes it', async (method, path, status) => {
    const play = endpoint.play([])
    const response = await fetch(play.baseURL + path, { method, headers: { authorization: `Bearer ${play.apiKey}` } })
    expect(response.status).toBe(status)
    expect(play.failures).toEqual([
      expect.stringContaining(`${path} is not served. Known are POST /chat/completions and GET /models, below /play/`),
    ])
  })

  test('[CONF-1] answers an address where nothing is played with 404', async () => {
    const { baseURL } = endpoint.play([])
    const origin = new URL(baseURL).origin
    for (const path of ['/', '/play/none/v1/models', '/v1/chat/completions', '//', '/play/constructor/v1/models']) {
      expect((await fetch(origin + path)).status).toBe(404)
    }
  })
})
