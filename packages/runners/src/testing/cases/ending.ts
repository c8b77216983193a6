import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { LIMITS, type RunnerCase, textOf } from '../case.ts'

const MEDIUM = { ...LIMITS, timeout: 2_000 }
const SHORT = { ...LIMITS, timeout: 400 }

/** Seconds to sleep that no other process sleeps, to recognise the sleeper; one that survives ends by itself. */
function nap(): string {
  return `60.${randomInt(1_000_000, 9_999_999)}`
}

/** How jobs end, and that nothing is left. */
export const endingCases: readonly RunnerCase[] = [
  {
    title: '[RUN-9, ABUSE-46, ABUSE-47] ends a script at its limit, with what holds its output or ignores signals',
    async run({ sh, survivors }) {
      for (const script of [
        'sleep $1; echo survived',
        'sleep $1 & sleep $1 & wait',
        `trap '' TERM INT HUP; (trap '' TERM; sleep $1) & sleep $1`,
      ]) {
        const marker = nap()
        const { end, exitCode } = await sh(script, { args: [marker], limits: SHORT })
        assert.deepEqual({ end, exitCode }, { end: 'timed-out', exitCode: undefined })
        assert.equal(await survivors(marker), 0)
      }
    },
  },
  {
    title: '[RUN-7] keeps what a script had written when its time is over',
    promise: 'partial-output',
    async run({ sh }) {
      const { end, stdout } = await sh('echo before; sleep 100', { limits: MEDIUM })
      assert.equal(end, 'timed-out')
      assert.equal(textOf(stdout), 'before\n')
    },
  },
  {
    title: '[ABUSE-46] returns when the script has ended, though a process in the background holds its output',
    promise: 'background',
    async run({ sh, survivors }) {
      const marker = nap()
      const { end, exitCode, stdout } = await sh(`sleep ${marker} & echo done; exit 4`, { limits: MEDIUM })
      assert.deepEqual({ end, exitCode }, { end: 'exited', exitCode: 4 })
      assert.equal(textOf(stdout), 'done\n')
      assert.equal(await survivors(marker), 0)
    },
  },
  {
    title: '[ABUSE-47] ends processes that left their session and their parent',
    promise: 'escapees',
    async run({ sh, survivors }) {
      const marker = nap()
      const { end } = await sh(
        `setsid sleep ${marker} & (setsid sh -c 'sleep ${marker} & sleep ${marker}' &) ; sleep 100`,
        { limits: SHORT },
      )
      assert.equal(end, 'timed-out')
      assert.equal(await survivors(marker), 0)
    },
  },
  {
    title: '[ABUSE-56] ends a script that is aborted before, at once or while it runs',
    async run({ sh, survivors }) {
      for (const signal of [AbortSignal.abort(), ...[0, 5, 400].map((delay) => AbortSignal.timeout(delay))]) {
        const marker = nap()
        const { end } = await sh(`sleep ${marker}`, { signal })
        assert.equal(end, 'aborted')
        assert.equal(await survivors(marker), 0)
      }
    },
  },
  {
    title: '[RUN-7] names the signal that ended a script',
    promise: 'signals',
    async run({ sh }) {
      const { end, signalName } = await sh('kill -SEGV $$; sleep 1')
      assert.deepEqual({ end, signalName }, { end: 'signalled', signalName: 'SIGSEGV' })
    },
  },
]
