import { describe, expect, it } from 'vitest'
import type { WindowMessage } from '../../../src/adapter.ts'
import { activate, HOST, open } from '../session-world.ts'

/** A conversation of texts, as a framework has it. */
const conversation = (messages: readonly string[], system = 'Be kind.') => ({
  system,
  messages,
  describe: (text: string): WindowMessage => ({
    role: 'user',
    text,
    ...(text === 'COMPACTED' && { compaction: true }),
  }),
})

describe('the prompt of a step', () => {
  it('[ADPT-4, ACT-14] is the whole system prompt, with what the messages have lost of active skills', async () => {
    const { session } = await open()
    const { text = '' } = await activate(session, 'free')
    const step = await session.step({ tools: HOST })
    const system = step.system('Be kind.')
    const whole = await step.prompt(conversation([text], system))
    expect(whole).toEqual({ system, messages: [text] })
    for (const lost of [['Hello'], [text, 'COMPACTED', 'Hello']]) {
      const sent = await step.prompt(conversation(lost, system))
      expect(sent).toEqual({ system: `${system}\n\n${text}`, messages: lost })
    }
    expect(await step.prompt(conversation(['COMPACTED', text], system))).toMatchObject({ system })
  })

  it('[ADPT-4, WIN-1, WIN-2] has a summary where the host keeps conversations within the window, and the adapter can make one', async () => {
    const { session } = await open({}, { context: { window: 600, summaries: { keepMessages: 5 } } })
    const { prompt } = await session.step({ tools: HOST })
    const messages = Array.from({ length: 20 }, (_, index) => `${index} ${'word '.repeat(40)}`)
    const request = { ...conversation(messages), tools: [], summarize: () => Promise.resolve('what was said') }
    expect((await prompt(request)).messages).toBe(messages)
    const sent = await prompt({ ...request, asMessage: (summary) => `SUMMARY ${summary}` })
    expect(sent.messages.length).toBeLessThan(messages.length)
    expect(sent.messages.some((text) => text.startsWith('SUMMARY'))).toBe(true)
    expect(sent.messages.at(-1)).toBe(messages.at(-1))
  })
})

it('[ADPT-4, ACT-16] a step asks for the name of its model, also if that is the one of the run', async () => {
  const { session } = await open()
  const named: unknown[] = []
  const nameOf = (model: string | undefined) => (named.push(model), 'own')
  const { model } = await session.step({ tools: HOST, resolveModel: (name) => name, nameOf })
  expect([model, named]).toEqual([undefined, [undefined]])
})
