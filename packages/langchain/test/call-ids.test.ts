import { AIMessageChunk } from '@langchain/core/messages'
import { concat } from '@langchain/core/utils/stream'
import { describe, expect, test } from 'vitest'
import { giveUniqueIds, separateCalls } from '../src/call-ids.ts'

type Call = readonly [id: string, command: string]

/** An answer as Gemini's package streams it, each call whole, joined by LangChain. */
function streamed(...calls: readonly Call[]): AIMessageChunk {
  const chunks = calls.map(([id, command]) => {
    const made = { id, name: 'Bash', args: { command } }
    return new AIMessageChunk({
      content: [{ type: 'functionCall', functionCall: made }],
      tool_calls: [{ ...made, type: 'tool_call' }],
    })
  })
  return chunks.reduce((all, chunk) => concat(all, chunk), new AIMessageChunk({ content: 'I look.' }))
}

const commandsOf = ({ tool_calls: calls = [] }: AIMessageChunk): readonly unknown[] =>
  calls.map(({ id, args }) => [id, args['command']])

describe('calls that Gemini streams with one id', () => {
  test('[ABUSE-119] are taken apart again, each with its own id, which its part has too', () => {
    const answer = streamed(['a', 'ls'], ['a', 'id'], ['b', 'pwd'], ['a', 'who'])
    // What is mended here: LangChain has lost some of them.
    expect((answer.tool_calls ?? []).length + (answer.invalid_tool_calls ?? []).length).toBeLessThan(4)
    separateCalls(answer)
    giveUniqueIds(answer, [])
    expect(answer.tool_calls!.map(({ args }) => args['command'])).toEqual(['ls', 'id', 'pwd', 'who'])
    const ids = answer.tool_calls!.map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    const parts = (answer.content as readonly { functionCall?: { id?: string } }[]).flatMap(
      ({ functionCall }) => functionCall ?? [],
    )
    expect(parts.map(({ id }) => id)).toEqual(ids)
    expect(answer.text).toBe('I look.')
    expect(answer.invalid_tool_calls).toEqual([])
    expect(answer.tool_call_chunks).toEqual([])
  })

  test('[ABUSE-119] stay as they are where LangChain has kept them apart', () => {
    const answer = streamed(['a', 'ls'], ['b', 'id'])
    const before = answer.tool_calls
    separateCalls(answer)
    expect(answer.tool_calls).toBe(before)
    expect(commandsOf(answer)).toEqual([
      ['a', 'ls'],
      ['b', 'id'],
    ])
  })
})
