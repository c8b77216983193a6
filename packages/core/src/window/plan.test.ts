// An algorithm of its own: a session carries out one step of it after another.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { type WindowOptions, openRepertoire } from '../index.ts'
import type { WindowMessage } from '../adapter.ts'
import { cutKeeping, cutPoints } from './message.ts'
import { type WindowSituation, nextStep } from './plan.ts'
import { resolveWindow } from './settings.ts'
import { historyOf, historyStep, orphansIn, withIdsAgain } from '../../test/window/conversation.ts'

const said = (count: number): readonly WindowMessage[] =>
  Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', text: `${index}` }))

/** A situation of 1,000 tokens, in which each message has ten. */
function situation(used: number, more: Partial<WindowSituation> = {}, options: WindowOptions = {}): WindowSituation {
  const { messages = said(20), covered = 0 } = more
  return {
    used,
    limits: resolveWindow(options, 1_000),
    messages,
    covered,
    gain: (upTo) => Math.max(0, upTo - covered) * 10,
    sections: [],
    ...more,
  }
}

describe('the next step of a window', () => {
  it('[WIN-2] does nothing at exactly 80 %', () => {
    expect(nextStep(situation(800))).toBeUndefined()
  })

  it('[WIN-2] summarises all but the last 10 messages above 80 %', () => {
    expect(nextStep(situation(801))).toEqual({ type: 'summarize', upTo: 10 })
  })

  it.each([0, 1, 9, 10])('[WIN-2] does nothing above 80 %% if there are %i messages', (count) => {
    expect(nextStep(situation(850, { messages: said(count) }))).toBeUndefined()
  })

  const sections = [
    { name: 'best', fit: 'relevant' },
    { name: 'other', fit: 'relevant' },
    { name: 'idle', fit: 'inactive' },
  ] as const

  it('[WIN-3] evicts inactive skills above 90 %, and not at it', () => {
    const summarized = { covered: 10, sections }
    expect(nextStep(situation(900, summarized))).toBeUndefined()
    expect(nextStep(situation(901, summarized))).toEqual({ type: 'evict', names: ['idle'] })
  })

  it('[WIN-4] keeps five messages above 95 %, then the most relevant skill alone', () => {
    const evicted = { covered: 10, sections: sections.slice(0, 2) }
    expect(nextStep(situation(950, evicted))).toBeUndefined()
    expect(nextStep(situation(951, evicted))).toEqual({ type: 'summarize', upTo: 15 })
    expect(nextStep(situation(951, { ...evicted, covered: 15 }))).toEqual({ type: 'evict', names: ['other'] })
    expect(nextStep(situation(951, { covered: 15, sections: sections.slice(0, 1) }))).toBeUndefined()
  })

  it('[WIN-4] makes one summary and not two where the first cannot be enough', () => {
    expect(nextStep(situation(2_000))).toEqual({ type: 'summarize', upTo: 15 })
  })

  it('[WIN-5] takes thresholds and counts as options', () => {
    const options = { summarizeAbove: 0.5, evictAbove: 0.6, reduceAbove: 0.7, keepMessages: 4, keepFewestMessages: 2 }
    expect(nextStep(situation(500, {}, options))).toBeUndefined()
    expect(nextStep(situation(501, {}, options))).toEqual({ type: 'summarize', upTo: 16 })
    expect(nextStep(situation(701, { covered: 16 }, options))).toEqual({ type: 'summarize', upTo: 18 })
    const none = { sections: sections.slice(0, 1), covered: 18 }
    expect(nextStep(situation(701, none, { ...options, keepSkills: 0 }))).toEqual({ type: 'evict', names: ['best'] })
  })

  it('[WIN-9] makes no further summary of little: each costs a model call and the cache of the provider', () => {
    expect(nextStep(situation(820, { messages: said(24), covered: 10 }))).toBeUndefined()
    expect(nextStep(situation(820, { messages: said(30), covered: 10 }))).toEqual({ type: 'summarize', upTo: 20 })
    // Nor one after which there is still too much.
    expect(nextStep(situation(940, { messages: said(30), covered: 10 }))).toBeUndefined()
  })

  it('[WIN-9] pays for no summary of little where what cannot be summarised is too much by itself', () => {
    const late = { messages: said(22), covered: 16 }
    expect(nextStep(situation(1_500, late))).toBeUndefined()
    // Of enough there is one, and of little where the request fits only then.
    expect(nextStep(situation(1_500, { ...late, messages: said(26) }))).toEqual({ type: 'summarize', upTo: 21 })
    expect(nextStep(situation(1_005, late))).toEqual({ type: 'summarize', upTo: 17 })
    expect(nextStep(situation(955, late))).toEqual({ type: 'summarize', upTo: 17 })
  })
})

describe('the groups of a conversation', () => {
  it('[WIN-6] keeps a call with all its results, and what the session has added with its message', () => {
    const messages: readonly WindowMessage[] = [
      { role: 'user', text: 'a' },
      { role: 'user', text: 'b', own: true },
      { role: 'assistant', text: '', calls: ['x', 'y'].map((id) => ({ id, tool: 'Read', input: {} })) },
      { role: 'tool', text: '1', answers: ['x'] },
      { role: 'tool', text: '2', answers: ['y'] },
      { role: 'assistant', text: 'done' },
    ]
    expect(cutPoints(messages)).toEqual([0, 2, 5])
    expect(cutKeeping(messages, 1)).toBe(5)
    expect(cutKeeping(messages, 2)).toBe(2)
    expect(cutKeeping(messages, 5)).toBe(0)
    // A result without a call begins nothing either.
    expect(cutPoints([...messages, { role: 'tool', text: '3', answers: ['z'] }])).toEqual([0, 2, 5])
  })

  it('[WIN-6] parts no call from its result in any conversation, also where results come late', () => {
    const late = fc.array(historyStep, { maxLength: 30 }).map((steps) => historyOf(steps))
    fc.assert(
      fc.property(late, fc.integer({ min: 1, max: 12 }), fc.boolean(), (history, kept, delayed) => {
        const messages = delayed
          ? history.toSorted((a, b) => Number(a.role === 'tool') - Number(b.role === 'tool'))
          : history
        for (const point of cutPoints(messages)) {
          const sent = [...messages.keys()].slice(point)
          expect(orphansIn(messages, sent)).toEqual([])
        }
        const upTo = cutKeeping(messages, kept)
        const behind = messages.slice(upTo).filter(({ own }) => own !== true)
        if (upTo > 0) expect(behind.length).toBeGreaterThanOrEqual(kept)
      }),
      { numRuns: runs(400) },
    )
  })
})

describe('calls whose ids come again', () => {
  it('[WIN-6] belong to the results that follow them, so that the conversation can be cut', () => {
    const steps = fc.array(historyStep, { maxLength: 30 })
    fc.assert(
      fc.property(steps, (given) => {
        const messages = historyOf(given)
        expect(cutPoints(withIdsAgain(messages))).toEqual(cutPoints(messages))
      }),
      { numRuns: runs(200) },
    )
  })

  it('[WIN-6] are in the message that answers them, where a provider carries them out', () => {
    const call = { id: 's', tool: 'web', input: {} }
    const messages: readonly WindowMessage[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', text: 'found', calls: [call], answers: ['s'] },
      { role: 'assistant', text: '', calls: [call] },
      { role: 'assistant', text: 'late', answers: ['s'] },
      { role: 'user', text: 'b' },
    ]
    expect(cutPoints(messages)).toEqual([0, 1, 2, 4])
  })
})

describe('the options of a window', () => {
  it('[WIN-5] has the defaults that are documented', () => {
    expect(resolveWindow({}, 100_000)).toMatchObject({
      summarizeAbove: 0.8,
      evictAbove: 0.9,
      reduceAbove: 0.95,
      keepMessages: 10,
      keepFewestMessages: 5,
      keepSkills: 1,
      summaryTokens: 4_000,
      summaryTimeout: 60_000,
    })
    expect(resolveWindow({}, 10_000).summaryTokens).toBe(500)
    expect(resolveWindow({}, 100).summaryTokens).toBe(100)
  })

  it.each([
    [{ summarizeAbove: 0 }, 'summarizeAbove'],
    [{ reduceAbove: 1.1 }, 'reduceAbove'],
    [{ evictAbove: Number.NaN }, 'evictAbove'],
    [{ summarizeAbove: 0.95, evictAbove: 0.9 }, 'do not rise'],
    [{ keepMessages: 0 }, 'keepMessages'],
    [{ keepMessages: 3 }, 'keepFewestMessages'],
    [{ keepSkills: -1 }, 'keepSkills'],
    [{ summaryTokens: 1.5 }, 'summaryTokens'],
    [{ summaryTimeout: 0 }, 'summaryTimeout'],
    [{ summarize: 'gpt' }, 'summarize'],
  ])('[WIN-5] refuses %o', async (options, named) => {
    const opened = openRepertoire({ sources: [], context: { summaries: options as WindowOptions } })
    await expect(opened).rejects.toThrow(TypeError)
    await expect(opened).rejects.toThrow(named)
  })
})
