import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateMounts } from '@repertoire/core/node'
import type { Bench, Trial } from '../check.ts'
import { LATE, within } from '../deadline.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import { failure } from '../failure.ts'
import { done, same } from './assertions.ts'
import { activate, say } from './script-steps.ts'
import { abortAt, isAborted } from './stopping.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf } from './define.ts'

const hooked = (name: string) => ({ body: `Body of ${name}.`, fields: ['hooks:', `  post: [${name}-tidy]`] })
const sources = [writtenSkills({ lower: hooked('lower'), upper: hooked('upper') })]

/** How long a session may take to end after its run has failed, in milliseconds. */
const MAX_END_MS = 2_000

/**
 * Runs a task that activates two skills, and asserts that it ends: with its run where sessions end with their runs, and
 * with `end` otherwise.
 */
async function endsAfter(bench: Bench, last: ScriptStep, run: (trial: Trial) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'repertoire-check-'))
  try {
    const ended: string[] = []
    const both = Promise.withResolvers<void>()
    const trial = await bench.open({
      sources,
      session: { id: 'the-task' },
      repertoire: {
        scripts: {
          hooks({ command }) {
            ended.push(command)
            return { ok: true }
          },
        },
        mounts: privateMounts({ root }),
        audit: {
          write({ type, endedBy, skill }) {
            if (type !== 'skill.deactivated') return
            ended.push(`${skill?.name} ended by ${endedBy}`)
            if (skill?.name === 'lower') both.resolve()
          },
        },
      },
      script: [activate('lower'), activate('upper'), last],
    })
    await run(trial)
    if (bench.continues) await trial.end()
    if ((await within(MAX_END_MS, both.promise)) === LATE) {
      throw failure('the session to end with its run, and so every skill to be deactivated', ended)
    }
    // Where a run failed, its session may still be ending.
    await trial.end()
    same(
      'the hooks that ran',
      ended.filter((each) => each.endsWith('tidy')),
      ['upper-tidy', 'lower-tidy'],
    )
    same(
      'the skills that were deactivated',
      ended.filter((each) => !each.endsWith('tidy')),
      ['upper ended by task', 'lower ended by task'],
    )
    same('whether the private copies are there', existsSync(join(root, 'private', 'the-task')), false)
    same('the active skills', await trial.active(), [])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** A task ends however its run ends, also where its session is the run's own. */
export const endChecks = checksOf('cleanup', [
  {
    id: 'cleanup-ended-by-success',
    title:
      '[ACT-7, ACT-13, CONF-9] ends a task that succeeded: deactivations, post hooks and private copies, top first',
    run: (bench) => endsAfter(bench, say(), async (trial) => done(await trial.send('Hello'))),
  },
  {
    id: 'cleanup-ended-by-error',
    title: '[ACT-7, ACT-13, CONF-9] ends a task whose model call failed: deactivations, post hooks and private copies',
    run: (bench) =>
      endsAfter(bench, { status: 400, message: 'Out of order.' }, async (trial) => {
        const turn = await trial.send('Hello').catch(() => undefined)
        if (turn !== undefined) throw failure('the send to reject', turn)
      }),
  },
  {
    id: 'cleanup-ended-by-abort',
    needs: ['abort'],
    title: '[ACT-7, ACT-13, CONF-9] ends a task that was aborted: deactivations, post hooks and private copies',
    async run(bench) {
      const reached = Promise.withResolvers<void>()
      const abort = new AbortController()
      const held = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve()))
      const last: ScriptStep = () => {
        reached.resolve()
        return { hold: held, next: say() }
      }
      await endsAfter(bench, last, async (trial) => isAborted(await abortAt(reached.promise, trial, 'Hello', abort)))
    },
  },
])
