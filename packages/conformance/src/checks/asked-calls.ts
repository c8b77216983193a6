import type { ConsentHandler, ConsentRequest } from '@repertoire/core'
import { failure } from '../failure.ts'
import { contains, refusedWith, same } from './assertions.ts'
import { bash, say } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

const POLICY = { ask: ['Bash(git push:*)'], deny: ['Bash(git push --force:*)'] } as const

/** The commands that requests are about. */
const asked = (requests: readonly ConsentRequest[]): readonly unknown[] =>
  requests.map(({ tool, input }) => (tool === 'Bash' ? (input as { readonly command?: unknown }).command : tool))

/** The commands that ran. */
const ran = (runs: readonly { readonly input: unknown }[]): readonly unknown[] =>
  runs.map(({ input }) => (input as { readonly command?: unknown }).command)

/** Calls that the host's policy asks about. */
export const askedCallChecks = checksOf('consent', [
  {
    id: 'consent-call-asked',
    title:
      '[ASK-6, GATE-1, GATE-7] asks about each call that the policy asks about, also one that is repeated, and about none that it refuses',
    async run(bench) {
      const requests: ConsentRequest[] = []
      const consent: ConsentHandler = (request) => requests.push(request) === 1
      const trial = await playTrial(bench, {
        session: { policy: POLICY },
        consent,
        script: [bash('git log'), bash('git push'), bash('git push'), bash('git push --force'), say()],
      })
      same('the commands that a person was asked about', asked(requests), ['git push', 'git push'])
      contains('the text of the consent request', requests[0]?.text ?? '', 'git push')
      same('the commands that ran', ran(trial.runs), ['git log', 'git push'])
      same('the result of what was agreed to', trial.resultOf('call_2_1'), 'ran: git push')
      refusedWith(trial, 'call_3_1', 'CALL_DENIED')
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'consent-call-suspends',
    needs: ['suspend'],
    title:
      "[ASK-5, ASK-6, GATE-7] waits for the answer about a call that the policy asks about: a yes runs it once, a no is told in core's words",
    async run(bench) {
      const trial = await bench.open({
        session: { policy: POLICY },
        consent: 'suspend',
        script: [bash('git push'), bash('git push'), say('Done.')],
      })
      let turn = await trial.send('Hello')
      for (const approved of [true, false]) {
        const [request, ...others] = turn.status === 'asking' ? turn.requests : []
        if (request === undefined || others.length > 0) throw failure('one open request', turn)
        same('what is asked about', asked([request]), ['git push'])
        turn = await trial.answer([{ requestId: request.id, approved, reason: 'not on a Friday' }])
      }
      same('the turn', turn, { status: 'done', text: 'Done.' })
      same('the commands that ran', ran(trial.runs), ['git push'])
      refusedWith(trial, 'call_2_1', 'CALL_DENIED')
      contains('the result of what was denied', trial.resultOf('call_2_1'), 'not on a Friday')
    },
  },
])
