import { abandonedCallError } from '@repertoire/core/adapter'
import type { Trial } from '../check.ts'
import { failure } from '../failure.ts'
import { benchTools } from '../tools.ts'
import { done, request, same } from './assertions.ts'
import { call, say, saying, together } from './script-steps.ts'
import { conversationOf, holdsConversation, type ScriptedTurn } from './sent-back.ts'
import { abortAt, isAborted, slowTool, STOPPED } from './stopping.ts'
import { checksOf } from './define.ts'

const look = saying('I look.', call('Bash', { command: 'ls' }, 'before'))
const both = saying('Both.', together(call('Read', { file_path: 'a' }, 'beside'), call('Slow', {}, 'stopped')))
const later = call('Bash', { command: 'pwd' }, 'later')
const three = say('Three.')
const four = say('Four.')

/** Asserts that a call is sent back with its own result, or with words that say that it was not done. */
function isHonest(trial: Trial, callId: string, tool: string, own?: string): void {
  const text = trial.resultOf(callId)
  const notDone = abandonedCallError(tool).message
  if (text === own || text === notDone || text.includes(STOPPED)) return
  throw failure(
    `the result of ${callId}, whose run was aborted, to say so: \`abandonedCallError\` of core, or the reason of the abort`,
    text,
  )
}

/** What a model is sent back of runs that were aborted. */
export const abortedHistoryChecks = checksOf('history', [
  {
    id: 'history-abort',
    needs: ['abort', 'parallelCalls'],
    title:
      '[CONF-5, ADPT-4] goes on behind an aborted run with all that came before it: the message that was being carried out is sent back as the model wrote it, with results that make nothing up, or not at all',
    async run(bench) {
      const slow = slowTool()
      const abort = new AbortController()
      const reached = Promise.withResolvers<void>()
      const held = () => {
        reached.resolve()
        const aborted = Promise.withResolvers<void>()
        abort.signal.addEventListener('abort', () => aborted.resolve(), { once: true })
        return { hold: aborted.promise, next: say('Too late.') }
      }
      const trial = await bench.open({
        tools: [...benchTools, slow.tool],
        script: [look, both, later, held, three, four],
      })
      // While a tool is at work, and while the model answers.
      isAborted(await abortAt(slow.begun, trial, 'Hello'))
      isAborted(await abortAt(reached.promise, trial, 'Go on', abort))
      done(await trial.send('And now?'))
      done(await trial.send('Thanks'))
      same('the number of requests', trial.requests.length, 6)

      const isKept = request(trial, 2).messages.some(({ calls = [] }) => calls.some(({ id }) => id === 'stopped'))
      const first: ScriptedTurn = isKept ? ['Hello', look, both] : ['Hello', look]
      const holds = (from: number, to: number, skipped: number, ...turns: readonly ScriptedTurn[]): void =>
        holdsConversation(
          trial.requests.slice(from, to),
          conversationOf(turns, (id) => trial.resultOf(id)),
          { skipped, from },
        )
      holds(0, 2, 0, ['Hello', look])
      holds(2, 4, first.length - 1, first, ['Go on', later])
      holds(4, 6, first.length, first, ['Go on', later], ['And now?', three], ['Thanks', four])
      if (!isKept) return
      isHonest(trial, 'beside', 'Read', 'content of a')
      isHonest(trial, 'stopped', 'Slow')
    },
  },
])
