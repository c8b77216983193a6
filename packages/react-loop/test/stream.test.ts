import { describe, expect, test } from 'vitest'
import { tool, useEndpoint } from './agent.ts'
import { type Message } from '../src/index.ts'
import { activate, call, calls } from './script.ts'

const open = useEndpoint()

describe('the same however it is used', () => {
  test.each(['native', 'text'] as const)(
    '[ADPT-3] gives the same messages streamed and not streamed: %s',
    async (protocol) => {
      const script = [
        { text: 'First.', ...calls(activate('reading'), call('Read', { x: '技 "q"\n' })) },
        calls(call('Write'), call('Read', { raw: '{"a' }), call('nope')),
        { text: 'A long answer,\n\nover lines.\n```js\nx\n```' },
      ]
      const [plain, streamed] = await Promise.all(
        [false, true].map(async (isStreamed) =>
          (await open({ protocol, streamed: isStreamed }, { script, tools: [tool('Read'), tool('Write')] })).run(
            'Hello',
          ),
        ),
      )
      const { usage, ...rest } = streamed!
      expect({ ...plain, usage: undefined }).toEqual({ ...rest, usage: undefined })
      expect(usage.outputTokens).toBe(plain?.usage.outputTokens)
    },
  )

  test('[ADPT-4] gives the same messages with both protocols', async () => {
    const script = [
      { text: 'First.', ...calls(activate('reading'), call('Read', { x: 1 })) },
      calls(call('Write')),
      { text: 'Done.' },
    ]
    const [first, second] = await Promise.all(
      (['native', 'text'] as const).map(async (protocol) =>
        (await open({ protocol, streamed: false }, { script, tools: [tool('Read'), tool('Write')] })).run('Hello'),
      ),
    )
    expect(second?.messages).toEqual(first?.messages)
  })
})

describe('a stream', () => {
  test.each(['native', 'text'] as const)('[ADPT-3] tells what happens in order: %s', async (protocol) => {
    const agent = await open(
      { protocol, streamed: true },
      {
        script: [{ text: 'I look at it now.', ...calls(call('Read')) }, { text: 'It is a very fine day.' }],
        tools: [tool('Read')],
      },
    )
    const { messages } = await agent.run('Hello')
    const types = agent.events
      .map(({ type }) => type)
      .filter((type, index, all) => type !== 'text-delta' || all[index - 1] !== type)
    expect(types).toEqual([
      'step-start',
      'text-delta',
      'tool-call',
      'tool-result',
      'step-end',
      'step-start',
      'text-delta',
      'step-end',
      'finish',
    ])
    const texts = ['', '']
    let step = -1
    for (const event of agent.events) {
      if (event.type === 'step-start') step = event.step - 1
      if (event.type === 'text-delta') texts[step] += event.text
    }
    expect(texts).toEqual(messages.flatMap((message) => (message.role === 'assistant' ? [message.content] : [])))
    const live = agent.events.filter(({ type }) => type === 'text-delta').length
    expect(live).toBeGreaterThan(protocol === 'native' ? 4 : 2)
  })

  test('[ADPT-3] aborts the run where the reader leaves', async () => {
    let aborted: AbortSignal | undefined
    const stuck = tool('Read', (_input, { signal }) => {
      aborted = signal
      return new Promise(() => {})
    })
    const agent = await open(
      { protocol: 'native', streamed: true },
      { script: [calls(call('Read')), { text: 'Here.' }], tools: [stuck] },
    )
    const messages: Message[] = []
    for await (const event of agent.loop.stream('Hello', { onMessage: (message) => messages.push(message) })) {
      if (event.type === 'tool-call') {
        await expect.poll(() => stuck.inputs).toHaveLength(1)
        break
      }
    }
    expect(aborted?.aborted).toBe(true)
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect((await agent.run(messages)).text).toBe('Here.')
  })

  test('[ADPT-3] asks the model nothing before it is read', async () => {
    const agent = await open({ protocol: 'native', streamed: true }, { script: [{ text: 'Here.' }] })
    const stream = agent.loop.stream('Hello')
    await new Promise((resolve) => void setImmediate(resolve))
    expect(agent.play.requests).toEqual([])
    expect((await stream.next()).value).toEqual({ type: 'step-start', step: 1 })
    await stream.return()
  })
})
