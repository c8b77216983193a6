import type { HookRun } from '@repertoire/core'
import type { Turn } from '../driver.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import { failure } from '../failure.ts'
import { contains, isForkRequest, ran, refusedWith, same } from './assertions.ts'
import { activate, fetchPage, read, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf } from './define.ts'

const sources = [
  writtenSkills({
    docs: { body: 'Body of the docs skill.', fields: ['allowed-tools: Read'] },
    helper: {
      body: 'Body of the helper.',
      fields: ['context: fork', 'hooks:', '  pre: [before]', '  post: [after]'],
    },
  }),
]

/** A hook runner that approves everything, and the hooks that it ran. */
function recordingHooks(): { readonly hooksRun: string[]; readonly hooks: (run: HookRun) => { ok: true } } {
  const hooksRun: string[] = []
  return { hooksRun, hooks: ({ command, skill }) => (hooksRun.push(`${command} ${skill}`), { ok: true }) }
}

/** Sub-agents keep reading without end, and the agent continues. */
const endless: ScriptStep = (wire) => (isForkRequest(wire) ? read('a.md') : say('I went on.'))

/** A person who presses stop during a sub-agent's model call, which would be answered with a tool call. */
function stopping() {
  const abort = new AbortController()
  const reached = Promise.withResolvers<void>()
  const step: ScriptStep = () => {
    reached.resolve()
    return {
      hold: new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve())),
      next: { calls: [{ id: 'rogue', tool: 'Bash', input: { command: 'rm -rf .' } }] },
    }
  }
  return {
    abort,
    step,
    stopped: async (sending: Promise<Turn>): Promise<{ readonly turn?: Turn }> => {
      const ended = sending.then(
        (turn) => ({ turn }),
        () => ({}),
      )
      await Promise.race([reached.promise, ended])
      abort.abort(new Error('The user pressed stop.'))
      return ended
    },
  }
}

/** How forks end. */
export const forkEndChecks = checksOf('forks', [
  {
    id: 'forks-error',
    title: '[ACT-10, GATE-5, ACT-7] reports a sub-agent that failed to the model as FORK_FAILED, ends it, and goes on',
    async run(bench) {
      const { hooksRun, hooks } = recordingHooks()
      const trial = await bench.open({
        sources,
        repertoire: { scripts: { hooks } },
        script: [
          activate('docs'),
          activate('helper'),
          { status: 400, message: 'The model of the sub-agent is out of order.' },
          fetchPage(),
          say('I went on.'),
        ],
      })
      const turn = await trial.send('Hello')
      same('the turn', turn, { status: 'done', text: 'I went on.' })
      contains('the reason', refusedWith(trial, 'call_2_1', 'FORK_FAILED').reason, 'out of order')
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['docs'])
      same('the hooks that ran', hooksRun, ['before helper', 'after helper'])
    },
  },
  {
    id: 'forks-endless',
    title: '[ACT-10] reports a sub-agent that reaches its step limit to the model as FORK_FAILED, and goes on',
    async run(bench) {
      const script = [activate('helper'), ...Array.from({ length: 100 }, () => endless)]
      const trial = await bench.open({ sources, repertoire: { scripts: { hooks: recordingHooks().hooks } }, script })
      same('the turn', await trial.send('Hello'), { status: 'done', text: 'I went on.' })
      refusedWith(trial, 'call_1_1', 'FORK_FAILED')
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'forks-abort',
    needs: ['abort'],
    title: '[ACT-10, ACT-7] stops a sub-agent when the run is aborted, and leaves none of its skills active',
    async run(bench) {
      const { hooksRun, hooks } = recordingHooks()
      const { abort, step, stopped } = stopping()
      const trial = await bench.open({
        sources,
        repertoire: { scripts: { hooks } },
        script: [activate('helper'), step],
      })
      const end = await stopped(trial.send('Hello', { signal: abort.signal }))
      if (end.turn !== undefined) throw failure('the aborted send to reject', end.turn)
      same('the active skills', await trial.active(), [])
      await trial.end()
      same('the tools that ran', ran(trial), [])
      same('the requests', trial.requests.length, 2)
      same('the hooks that ran', hooksRun, ['before helper', 'after helper'])
    },
  },
  {
    id: 'forks-invoked-abort',
    needs: ['abort'],
    title: "[ACT-10, ACT-12, ACT-7] stops a sub-agent that was started by a person's message when the run is aborted",
    async run(bench) {
      const { hooksRun, hooks } = recordingHooks()
      const { abort, step, stopped } = stopping()
      const trial = await bench.open({ sources, repertoire: { scripts: { hooks } }, script: [step] })
      const end = await stopped(trial.send('/helper', { signal: abort.signal }))
      if (end.turn !== undefined) throw failure('the aborted send to reject', end.turn)
      same('the active skills', await trial.active(), [])
      await trial.end()
      same('the tools that ran (`beginTurn` is given the signal of the run)', ran(trial), [])
      same('the requests', trial.requests.length, 1)
      same('the hooks that ran', hooksRun, ['before helper', 'after helper'])
    },
  },
])
