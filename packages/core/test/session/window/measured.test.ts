import { describe, expect, it } from 'vitest'
import type { SummaryRequest } from '../../../src/index.ts'
import type { WindowMessage } from '../../../src/adapter.ts'
import { HOST } from '../session-world.ts'
import { callAndResult, longTask, openWindow, promptOf } from './window-world.ts'

describe('what is given to a summariser', () => {
  it('[WIN-8] is every message, however much reasoning and however many files come with them', async () => {
    let asked: SummaryRequest | undefined
    const summarize = (request: SummaryRequest): string => {
      asked = request
      return 'Short.'
    }
    const { send, session } = await openWindow({
      context: { window: 8_000, summaries: { summarize } },
      countTokens: 'default',
    })
    const signature = 'QUJDREVGR0hJ'.repeat(80)
    const thought = Array.from({ length: 12 }, (_, index) => {
      const [call, result] = callAndResult(index, 20)
      return [{ ...call!, hidden: signature }, result!]
    }).flat()
    const seen: readonly WindowMessage[] = Array.from({ length: 6 }, (_, index) => [
      { role: 'user', text: `Look at picture ${index}.`, files: 1 } as const,
      { role: 'assistant', text: 'It is a cat.' } as const,
    ]).flat()
    await send([{ role: 'user', text: 'Begin.' }, ...thought, ...seen])
    expect(asked?.messages).toHaveLength(session.state.summary!.covers)
    expect(asked?.prompt).not.toContain('left out')
  })
})

describe('an extract', () => {
  it.each([
    ['words', 'The build fails at the second step. ', 4],
    ['a script without spaces', '漢字仮名交じり文、', 1.5],
    ['text without words', 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=', 1.5],
  ])('[WIN-8] of %s is about as long as a summary may be', async (_, text, charactersPerToken) => {
    const { send, session } = await openWindow({
      context: { window: 8_000, summaries: { summarize: false } },
      countTokens: 'default',
    })
    await send(
      Array.from({ length: 40 }, (_unused, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        text: text.repeat(Math.ceil(800 / text.length)),
      })),
    )
    const tokens = session.state.summary!.text.length / charactersPerToken
    expect(tokens).toBeGreaterThan(100)
    expect(tokens).toBeLessThan(1.2 * 400)
  })
})

describe('a summary', () => {
  it('[WIN-8] of invisible characters counts as empty, and an extract replaces it', async () => {
    const { send, problems } = await openWindow({
      context: { summaries: { summarize: () => '\u200B\u{E0041}\u200B' } },
    })
    const [summary] = await send(longTask(20, 60))
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('it returned nothing')])
    expect(summary).toContain('Read(')
  })

  it('[WIN-2] is not made of less text than its own frame has', async () => {
    let asked = 0
    const { send } = await openWindow({ context: { summaries: { summarize: () => `${++asked}` } } })
    const few = longTask(6, 4)
    expect(await send(few, { system: 'word '.repeat(900) })).toEqual(few.map(({ text }) => text))
    expect(asked).toBe(0)
  })

  it('[WIN-9] is not made again at every step where the system prompt alone is too long', async () => {
    let asked = 0
    const { session } = await openWindow({ context: { summaries: { summarize: () => `Summary ${++asked}.` } } })
    let messages = longTask(20, 10)
    for (let step = 0; step < 12; step++) {
      messages = [...messages, ...callAndResult(100 + step, 3)]
      const begun = await session.step({ tools: HOST })
      await promptOf(begun, { system: 'word '.repeat(1_200), tools: [], messages })
    }
    expect(asked).toBeLessThan(5)
  })

  it('[WIN-6, WIN-9] is dropped where a result comes of a call that it covers', async () => {
    const { session, send, events } = await openWindow()
    const [call, result] = callAndResult(999, 3)
    const task = [{ role: 'user', text: 'Begin.' } as const, call!, ...longTask(16, 60)]
    expect(await send(task)).not.toHaveLength(task.length)
    const sent = await send([...task, result!])
    expect(sent).toContain(result!.text)
    expect(session.state.summary).toBeUndefined()
    expect(events.map(({ type }) => type)).toContain('window.forgotten')
    expect(await send([...task, result!], { system: '' })).toContain(task[1]!.text)
  })
})
