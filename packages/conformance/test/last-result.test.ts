import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, lastRefusal, lastResult, type ModelEndpoint, openModelEndpoint, say, together } from '../src/index.ts'

describe('what a model was shown as a result', () => {
  let endpoint: ModelEndpoint
  beforeAll(async () => {
    endpoint = await openModelEndpoint()
  })
  afterAll(() => endpoint.close())

  it('[CONF-2] is the text of the last request, for exactly one result of the call', async () => {
    const play = endpoint.play([together(call('Read'), call('Read', {}, 'own')), say(), say()])
    const ask = async (messages: readonly object[]) => {
      const response = await fetch(`${play.baseURL}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${play.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: play.model, messages }),
      })
      return ((await response.json()) as { choices: { message: object }[] }).choices[0]!.message
    }
    expect(() => lastResult(play, 'own')).toThrow('one result of own')
    const first = { role: 'user', content: 'Hello' }
    const said = await ask([first])
    const results = (text: string) => [
      { role: 'tool', tool_call_id: 'call_1_1', content: text },
      { role: 'tool', tool_call_id: 'own', content: '{"error":{"code":"TOOL_UNKNOWN","reason":"None."}}' },
    ]
    await ask([first, said, ...results('one')])
    await ask([first, said, ...results('two')])
    expect(play.failures).toEqual([])
    expect(lastResult(play, 'call_1_1')).toBe('two')
    expect(lastRefusal(play, 'own')).toEqual({ code: 'TOOL_UNKNOWN', reason: 'None.' })
    expect(() => lastRefusal(play, 'call_1_1')).toThrow('to be a refusal')
    expect(() => lastResult(play, 'call_1_3')).toThrow('one result of call_1_3')
  })
})
