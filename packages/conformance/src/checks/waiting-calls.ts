import { abandonedCallError } from '@repertoire/core/adapter'
import type { Trial } from '../check.ts'
import type { Turn } from '../driver.ts'
import { failure } from '../failure.ts'
import { done, ran, refusedWith, request, same } from './assertions.ts'
import { activate, bash, read, say, saying, together } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf } from './define.ts'

const sources = [writtenSkills({ careful: { body: 'Body of the careful skill.' } })]

const message = saying('All three.', together(bash('ls'), activate('careful'), read('a')))

const idsOf = (turn: Turn): readonly string[] => {
  if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
  return turn.requests.map(({ id }) => id)
}

/** The calls of the first message that are sent in the last request, and how many results each has. */
function callsAndResults(trial: Trial): readonly (readonly [id: string, results: number])[] {
  const { messages } = request(trial, -1)
  return messages
    .flatMap(({ calls = [] }) => calls)
    .map(({ id }) => [id, messages.filter(({ callId }) => callId === id).length])
}

/** What happens to the calls of a message while one of them waits for consent. */
export const waitingCallChecks = checksOf('consent', [
  {
    id: 'consent-beside-once',
    needs: ['suspend', 'parallelCalls'],
    title: '[ASK-5, ACT-15] runs each call of a message once, also where another call of it waits for consent',
    async run(bench) {
      const trial = await bench.open({ sources, consent: 'suspend', script: [message, say()] })
      const [requestId = ''] = idsOf(await trial.send('Hello'))
      done(await trial.answer([{ requestId, approved: true }]))
      same('the tools that ran', ran(trial).toSorted(), ['Bash', 'Read'])
      same('the result of the first call', trial.resultOf('call_1_1'), 'ran: ls')
      same('the result of the last call', trial.resultOf('call_1_3'), 'content of a')
    },
  },
  {
    id: 'consent-written-instead',
    needs: ['suspend'],
    title:
      '[ASK-3, ASK-5, CONF-5] takes a message that is written in place of an answer as a no, or refuses it, and keeps the call that waits with one result',
    async run(bench) {
      const trial = await bench.open({ sources, consent: 'suspend', script: [activate('careful'), say()] })
      const [requestId = ''] = idsOf(await trial.send('Hello'))
      const turn = await trial.send('Never mind.').catch(() => undefined)
      if (turn?.status !== 'done') await trial.answer([{ requestId, approved: false }])
      same('the active skills', await trial.active(), [])
      same('the calls that are sent back, and the number of their results', callsAndResults(trial), [['call_1_1', 1]])
      // A framework that goes on by itself says that the call was not done.
      if (trial.resultOf('call_1_1') !== abandonedCallError('activate_skill').message) {
        refusedWith(trial, 'call_1_1', 'CONSENT_DENIED')
      }
    },
  },
])
