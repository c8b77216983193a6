import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { historyOf, historyStep, orphansIn, withIdsAgain } from '../../window/conversation.ts'
import { HOST } from '../session-world.ts'
import { openWindow, promptOf } from './window-world.ts'

const request = { system: 'Be careful.', tools: [] }

describe('random conversations in random windows', () => {
  it('[WIN-6, WIN-9] has no orphan, changes no message, and does the same when it is asked again', async () => {
    const histories = fc.array(historyStep, { minLength: 4, maxLength: 40 })
    const sizes = fc.integer({ min: 20, max: 6_000 })
    await fc.assert(
      fc.asyncProperty(histories, sizes, fc.boolean(), fc.boolean(), async (steps, contextWindow, resumed, again) => {
        const world = await openWindow({ context: { window: contextWindow } })
        let session = world.session
        let before: readonly unknown[] = []
        for (let length = Math.ceil(steps.length / 2); length <= steps.length; length += 7) {
          const whole = historyOf(steps.slice(0, length))
          const messages = again ? withIdsAgain(whole) : whole
          let step = await session.step({ tools: HOST })
          const now = await promptOf(step, { ...request, messages })
          const { summary } = session.state
          const order = now.messages.map((each) => messages.indexOf(each))
          const sent = order.filter((each) => each >= 0)
          expect(orphansIn(whole, sent)).toEqual([])
          expect(sent).toEqual([...new Set(sent)].toSorted((a, b) => a - b))
          // At least the last five, and what the person said last.
          expect(sent.slice(-Math.min(5, messages.length))).toEqual([...messages.keys()].slice(-5))
          expect(sent).toContain(messages.findLastIndex(({ role, own }) => role === 'user' && own !== true))
          expect(order.includes(-1)).toBe(summary !== undefined)
          if (resumed) {
            const saved = JSON.parse(JSON.stringify(session.save()))
            session = (await openWindow({ context: { window: contextWindow } }, { saved })).session
            step = await session.step({ tools: HOST })
          }
          expect(await promptOf(step, { ...request, messages })).toEqual(now)
          expect(session.state.summary).toEqual(summary)
          before = order
        }
        expect(before.length).toBeGreaterThan(0)
      }),
      { numRuns: runs(160) },
    )
  })

  it('[WIN-9] keeps the bytes before a step for ten steps after a summary, while there is room', async () => {
    const histories = fc.array(historyStep, { minLength: 14, maxLength: 24 })
    await fc.assert(
      fc.asyncProperty(histories, fc.array(historyStep, { minLength: 10, maxLength: 10 }), async (steps, next) => {
        const { session } = await openWindow({ context: { window: 3_000 } })
        const shown = async (count: number): Promise<readonly string[]> => {
          const small = next.slice(0, count).map((step) => ({ ...step, size: step.size % 10, waits: false }))
          const messages = historyOf([...steps.map((step) => ({ ...step, waits: false })), ...small])
          const sent = await promptOf(await session.step({ tools: HOST }), { ...request, messages })
          return sent.messages.map((each) => JSON.stringify(each))
        }
        let before = await shown(0)
        if (session.state.summary === undefined) return
        const { digest } = session.state.summary
        for (let count = 1; count <= next.length; count++) {
          const now = await shown(count)
          // Where the last ten messages are large, another summary is due.
          if (session.state.summary?.digest !== digest) return
          expect(now.slice(0, before.length)).toEqual(before)
          before = now
        }
      }),
      { numRuns: runs(60) },
    )
  })
})
