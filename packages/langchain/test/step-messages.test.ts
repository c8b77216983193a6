import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  RemoveMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { describe, expect, it } from 'vitest'
import { isAnswer, isResult } from '../src/message-kinds.ts'
import { extendSystemMessage, wholeMessages } from '../src/messages.ts'

const blocks = (...texts: string[]): SystemMessage =>
  new SystemMessage({ content: texts.map((text) => ({ type: 'text', text })) })

describe('the system message of a step', () => {
  it.each([['a text', () => new SystemMessage('Own.')] as const, ['blocks', () => blocks('Own.')] as const])(
    '[ADPT-4] is one of its own at each step, where the host has %s',
    (_, own) => {
      const message = own()
      const first = extendSystemMessage('Own.\n\nSkills.', message)
      expect(first.text).toBe('Own.\n\nSkills.')
      // What the model's class, or other middleware, writes into it stays in its call.
      const content = Array.isArray(first.content) ? first.content : []
      for (const block of content.slice(-1)) Object.assign(block, { text: 'Of another user.' })
      first.content = 'Of another user.'
      expect(extendSystemMessage('Own.\n\nSkills.', message).text).toBe('Own.\n\nSkills.')
      expect(extendSystemMessage('Own.\n\nOther skills.', message).text).toBe('Own.\n\nOther skills.')
      expect(extendSystemMessage('Own.', message)).toBe(message)
      expect(extendSystemMessage(undefined, message)).toBe(message)
    },
  )

  it('[NFR-6] has the blocks of its own one as they are now', () => {
    const message = blocks('Own.')
    extendSystemMessage('Own.\n\nSkills.', message)
    message.content = [{ type: 'text', text: 'Own.', cache_control: { type: 'ephemeral' } }]
    expect(extendSystemMessage('Own.\n\nSkills.', message).content).toEqual([
      { type: 'text', text: 'Own.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: '\n\nSkills.' },
    ])
    message.content = ['Own', '.'].map((text) => ({ type: 'text', text }))
    expect(extendSystemMessage('Own.\n\nSkills.', message).content).toHaveLength(3)
    message.content = 'Own.'
    expect(extendSystemMessage('Own.\n\nSkills.', message).content).toBe('Own.\n\nSkills.')
    message.content = 'Mine.'
    expect(extendSystemMessage('Mine.\n\nSkills.', message).text).toBe('Mine.\n\nSkills.')
  })
})

describe('the messages of a step', () => {
  const every: readonly BaseMessage[] = [
    new SystemMessage('a'),
    new HumanMessage('b'),
    new ChatMessage('c', 'other'),
    new AIMessage('d'),
    new AIMessageChunk('e'),
    new ToolMessage({ content: 'f', tool_call_id: '1' }),
    new RemoveMessage({ id: '1' }),
  ]

  it('[ADPT-4] are messages where other middleware gives what LangChain makes messages of', () => {
    const given = ['text', ['user', 'pair'], { role: 'user', content: 'object' }, ...every.slice(0, 3)]
    const whole = wholeMessages(given as unknown as BaseMessage[])
    expect(whole.map(({ type, content }) => [type, content])).toEqual([
      ['human', 'text'],
      ['human', 'pair'],
      ['human', 'object'],
      ['system', 'a'],
      ['human', 'b'],
      ['generic', 'c'],
    ])
    expect(whole.slice(3)).toEqual(every.slice(0, 3))
    expect(whole[5]).toBe(every[2])
    const answered = [
      new AIMessage({ content: '', tool_calls: [{ id: '1', name: 'Read', args: {}, type: 'tool_call' }] }),
      { role: 'tool', content: 'what it says', tool_call_id: '1' },
    ]
    const [, result, ...others] = wholeMessages(answered as unknown as BaseMessage[])
    expect([result?.type, result?.content, others]).toEqual(['tool', 'what it says', []])
  })

  it('[NFR-6] are told apart as their own classes tell them apart', () => {
    for (const message of every) {
      expect(isAnswer(message)).toBe(AIMessage.isInstance(message))
      expect(isResult(message)).toBe(ToolMessage.isInstance(message))
    }
    expect(every.filter(isAnswer)).toHaveLength(2)
    // Other middleware may put anything into the list that LangChain makes messages of.
    const foreign = [{ type: 'ai', content: 'a', tool_calls: [{ id: '1' }] }, { type: 'tool' }, { role: 'ai' }, null]
    for (const plain of foreign as unknown as (BaseMessage | null)[]) {
      expect([isAnswer(plain), isResult(plain)]).toEqual([false, false])
    }
    expect(wholeMessages(foreign.slice(0, 2) as unknown as BaseMessage[])).toEqual(foreign.slice(0, 2))
    expect(isResult(undefined)).toBe(false)
  })

  it('[ADPT-4, NFR-6] are the same objects in a new list, if nothing is to be mended', () => {
    const calls = [{ id: '1', name: 'Read', args: {}, type: 'tool_call' as const }]
    const messages = [
      new HumanMessage('a'),
      new AIMessage({ content: '', tool_calls: calls }),
      new ToolMessage({ content: 'b', tool_call_id: '1' }),
      new AIMessage('c'),
    ]
    const whole = wholeMessages(messages)
    expect(whole).not.toBe(messages)
    expect(whole.length).toBe(messages.length)
    whole.forEach((message, index) => expect(message).toBe(messages[index]))
  })
})
