import type { ConsentRequest, SessionProblem } from '@repertoire/core'
import { failure } from '../failure.ts'
import { refusedWith, same } from './assertions.ts'
import { activate, say, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [writtenSkills({ hooked: { body: 'Body of the hooked skill.', fields: ['hooks:', '  pre: [tidy]'] } })]

/** What `openStoredSession` relies on: an adapter passes on how a session is saved, named, and cut short. */
export const storedSessionChecks = checksOf('consent', [
  {
    id: 'consent-request-saved',
    title: '[LIB-11] has the session saved, under its own name, before a request for consent goes out',
    needs: ['suspend'],
    async run(bench) {
      let [begun, saved] = [0, 0]
      const checkpoint = async (): Promise<void> => {
        begun++
        // A server answers later, and not in the same turn of the event loop.
        await new Promise((resolve) => setImmediate(resolve))
        saved++
      }
      const trial = await bench.open({
        sources,
        repertoire: { scripts: { hooks: () => ({ ok: true }) } },
        consent: 'suspend',
        session: { id: 'chat-7', checkpoint },
        script: [activate('hooked')],
      })
      const turn = await trial.send('Hello')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
      if (saved === 0 || saved < begun) {
        throw failure(
          'the session to be saved before anybody is asked (`checkpoint` is one of the options that `openSession` is given)',
          `${begun} saves begun, ${saved} done`,
        )
      }
      same(
        'the session of the request (`id` is one of the options that `openSession` is given)',
        turn.requests.map(({ session }) => session),
        ['chat-7'],
      )
      await trial.end()
    },
  },
  {
    id: 'consent-saved-before-begin',
    title: '[LIB-11] begins nothing that was consented to where the session cannot be saved, and says so',
    async run(bench) {
      const asked: ConsentRequest[] = []
      const problems: SessionProblem[] = []
      let hooks = 0
      const trial = await playTrial(bench, {
        sources,
        repertoire: { scripts: { hooks: () => ({ ok: ++hooks > 0 }) } },
        consent: (request) => asked.push(request) > 0,
        session: {
          checkpoint: () => Promise.reject(new Error('The server is away.')),
          onProblem: (problem) => void problems.push(problem),
        },
        script: [activate('hooked'), say()],
      })
      same('the number of consent requests', asked.length, 1)
      refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
      same('the hooks that ran (`checkpoint` is one of the options that `openSession` is given)', hooks, 0)
      same('the active skills', await trial.active(), [])
      same(
        'the problems',
        problems.map(({ code }) => code),
        ['SESSION_NOT_SAVED'],
      )
      await trial.end()
    },
  },
  {
    id: 'cleanup-session-lost',
    area: 'cleanup',
    title: '[LIB-11, ACT-7] begins nothing in a session once another process has it, and tells the host so once',
    async run(bench) {
      const lost = new AbortController()
      const problems: SessionProblem[] = []
      const trial = await playTrial(bench, {
        sources,
        repertoire: { scripts: { hooks: () => ({ ok: true }) } },
        consent: () => {
          lost.abort(new Error('The lease is lost.'))
          return true
        },
        session: { until: lost.signal, onProblem: (problem) => void problems.push(problem) },
        script: [activate('hooked'), write('/project/a.md'), say()],
      })
      for (const step of [1, 2]) refusedWith(trial, `call_${step}_1`, 'SESSION_ENDED')
      same('the tools that ran (`until` is one of the options that `openSession` is given)', trial.runs.length, 0)
      same(
        'the problems (the session is asked about every step and every call)',
        problems.map(({ code }) => code),
        ['SESSION_ENDED_EARLY'],
      )
      same('the active skills', await trial.active(), [])
      await trial.end()
    },
  },
])
