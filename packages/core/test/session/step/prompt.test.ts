import { describe, expect, it } from 'vitest'
import type { PromptRequest, WindowMessage } from '../../../src/adapter.ts'
import { activate, HOST, open } from '../session-world.ts'

const request = (messages: readonly string[] = []) => ({
  system: 'Be kind.',
  messages,
  textOf: (text: string) => text,
})

/** Opens a session in a small window, and what keeps a conversation of texts to it. */
async function openSmall() {
  const { session } = await open({}, { context: { window: 600, summaries: { keepMessages: 5 } } })
  const window = {
    tools: [],
    describe: (text: string): WindowMessage => ({ role: 'user', text }),
    asMessage: (summary: string) => `SUMMARY ${summary}`,
    summarize: () => Promise.resolve('what was said'),
  } satisfies PromptRequest<string>['window']
  const messages = Array.from({ length: 20 }, (_, index) => `${index} ${'word '.repeat(40)}`)
  return { step: await session.step({ tools: HOST }), window, messages }
}

describe('the prompt of a step', () => {
  it('[ADPT-4, ACT-14] is the whole system prompt, with what the messages have lost of active skills', async () => {
    const { session } = await open()
    const outcome = await activate(session, 'free')
    const step = await session.step({ tools: HOST })
    const system = step.system('Be kind.')
    const whole = await step.prompt({ ...request([outcome.text ?? '']), system })
    expect(whole).toEqual({ system, messages: [outcome.text] })
    const lost = await step.prompt({ ...request(['Hello']), system })
    expect(lost.system).toContain('Body of free.')
    expect(lost.system!.startsWith(system!)).toBe(true)
  })

  it('[ADPT-4, WIN-2] has a summary where the host keeps conversations within the window', async () => {
    const { step, window, messages } = await openSmall()
    const sent = await step.prompt({ ...request(messages), window })
    expect(sent.messages.length).toBeLessThan(messages.length)
    expect(sent.messages.some((text) => text.startsWith('SUMMARY'))).toBe(true)
    expect(sent.messages.at(-1)).toBe(messages.at(-1))
  })

  it('[ADPT-4, WIN-1] is the conversation as it is where nothing says how to keep it within the window', async () => {
    const { step, messages } = await openSmall()
    expect(await step.prompt(request(messages))).toEqual({ system: 'Be kind.', messages })
  })

  it('[ADPT-4, ACT-14] has what stands before a compaction of the provider as lost', async () => {
    const { session } = await open()
    const { text = '' } = await activate(session, 'free')
    const step = await session.step({ tools: HOST })
    const window = { tools: [], describe: (each: string): WindowMessage => ({ role: 'user', text: each }) }
    const isCompaction = (each: string): boolean => each === 'COMPACTED'
    for (const [messages, isLost] of [
      [[text, 'COMPACTED', 'Hello'], true],
      [['COMPACTED', text, 'Hello'], false],
    ] as const) {
      const sent = await step.prompt({ ...request(messages), window: { ...window, asMessage: String, isCompaction } })
      expect([sent.messages, sent.system?.includes('Body of free.')]).toEqual([messages, isLost])
    }
  })
})

describe('the model of a step', () => {
  it('[ADPT-4, ACT-16] is named by the adapter, also where it is that of the run', async () => {
    const { session } = await open()
    const named: unknown[] = []
    const nameOf = (model: string | undefined) => (named.push(model), 'own')
    const step = await session.step({ tools: HOST, resolveModel: (name) => name, nameOf })
    expect([step.model, named]).toEqual([undefined, [undefined]])
  })
})
