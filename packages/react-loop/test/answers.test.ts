import { describe, expect, test } from 'vitest'
import { tool, useEndpoint, type Way } from './agent.ts'
import { message as answerWith, openRawEndpoint } from './raw-endpoint.ts'
import { createReActLoop, openAICompatible } from '../src/index.ts'
import { activate, calls } from './script.ts'

const open = useEndpoint()
const native: Way = { protocol: 'native', streamed: false }

describe('what a model can say', () => {
  const say = async (fields: object, finish = 'stop', protocol: Way['protocol'] = 'native') => {
    const endpoint = await openRawEndpoint(answerWith(fields, finish), answerWith({ content: 'Then.' }))
    const { session } = await open(native, { script: [] })
    const read = tool('Read')
    const loop = createReActLoop({
      model: openAICompatible({ baseURL: endpoint.baseURL, model: 'm' }),
      session,
      tools: [read],
      protocol,
    })
    return { result: await loop.run('Hello'), read, endpoint, loop }
  }
  const readCall = { id: 'a', type: 'function', function: { name: 'Read', arguments: '{}' } }

  test('[ADPT-3] does not act on an answer that was cut off, even where a call in it looks whole', async () => {
    for (const [finish, reason] of [
      ['length', 'length'],
      ['content_filter', 'content-filter'],
    ] as const) {
      const { result, read, endpoint } = await say({ content: 'I beg', tool_calls: [readCall] }, finish)
      expect(result).toMatchObject({ text: 'I beg', finishReason: reason, steps: 1 })
      expect(result.messages).toEqual([
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'I beg' },
      ])
      expect(read.inputs).toEqual([])
      expect(endpoint.requests).toHaveLength(1)
    }
    const { result, read } = await say({ content: 'Action: Read\nAction Input: {}' }, 'length', 'text')
    expect(result).toMatchObject({ text: '', finishReason: 'length' })
    expect(read.inputs).toEqual([])
  })

  test('[ADPT-3] keeps no empty message of an empty answer, and goes on after it', async () => {
    const { result, loop } = await say({ content: null })
    expect(result).toMatchObject({ text: '', finishReason: 'stop', messages: [{ role: 'user', content: 'Hello' }] })
    expect((await loop.run([...result.messages, { role: 'user', content: 'Well?' }])).text).toBe('Then.')
  })

  test('[ADPT-3] tells of a refusal', async () => {
    const { result } = await say({ content: null, refusal: 'I would rather not.' })
    expect(result).toMatchObject({ text: 'I would rather not.', finishReason: 'refusal' })
    expect(result.messages.at(-1)).toEqual({ role: 'assistant', content: 'I would rather not.' })
  })

  test('[ADPT-3] carries out calls of a message that ends with `stop`', async () => {
    const { result, read } = await say({ content: '', tool_calls: [readCall] })
    expect(read.inputs).toEqual([{}])
    expect(result.text).toBe('Then.')
  })

  test('[ADPT-3] believes nothing that a model without tool calls makes up behind its action', async () => {
    const { result, read, endpoint } = await say(
      {
        content:
          'Thought: so\nAction: Read\nAction Input: {"n": 1}\nObservation: all is well\nThought: good\nAction: Read\nAction Input: {"n": 2}\nFinal Answer: all is well',
      },
      'stop',
      'text',
    )
    expect(read.inputs).toEqual([{ n: 1 }])
    expect(result.text).toBe('Then.')
    expect(endpoint.requests[1]?.body['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Thought: so\nAction: Read\nAction Input: {"n":1}' },
      { role: 'user', content: 'Observation: Read ran' },
    ])
    expect(endpoint.requests[0]?.body).toMatchObject({ stop: ['\nObservation:'] })
    expect(endpoint.requests[0]!.body).not.toHaveProperty('tools')
  })

  test('[ASK-5] gives every call an id that was not used before, whatever the server counts', async () => {
    const again = answerWith({ content: null, tool_calls: [readCall, readCall, { ...readCall, id: '' }] }, 'tool_calls')
    const endpoint = await openRawEndpoint(again, again, answerWith({ content: 'Done.' }))
    const { session } = await open(native, { script: [] })
    const loop = createReActLoop({
      model: openAICompatible({ baseURL: endpoint.baseURL, model: 'm' }),
      session,
      tools: [tool('Read')],
    })
    const { messages } = await loop.run('Hello')
    const ids = messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []).map(({ id }) => id) : [],
    )
    expect(new Set(ids).size).toBe(6)
    expect(ids[0]).toBe('a')
    expect(ids[2]).toBe('call_1_3')
    expect(messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))).toEqual(ids)
  })

  test('[ASK-5] gives no call the id of a consent request that is still open', async () => {
    const script = [calls(activate('reading')), calls(activate('reading'))]
    const agent = await open({ protocol: 'text', streamed: false }, { script, consent: undefined })
    const first = await agent.run('Hello')
    // The conversation begins anew, and so would ids that are counted.
    const second = await agent.run('Hello')
    expect(first.consentRequests).toHaveLength(1)
    expect(second.consentRequests).toHaveLength(1)
    expect(second.consentRequests?.[0]?.id).not.toBe(first.consentRequests?.[0]?.id)
  })
})
