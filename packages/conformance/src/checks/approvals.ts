import type { ToolCall } from '@repertoire/core'
import type { ApprovalAnswer, TaskApproval } from '../driver.ts'
import type { CallStep, ScriptStep } from '../endpoint/script.ts'
import type { WireRequest } from '../endpoint/wire.ts'
import { failure } from '../failure.ts'
import { contains, isForkRequest, lacks, forkRequests, refusalIn, refusedWith, request, same } from './assertions.ts'
import { activate, bash, call, read, say, together } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const RESULT = 'The survey: 42 files.'

const sources = [
  writtenSkills({
    history: { body: 'Body of history.', fields: ['allowed-tools: Bash(git log:*)'] },
    other: { body: 'Body of the other.' },
    survey: { body: 'Body of the survey.', fields: ['context: fork'] },
  }),
]

/** A person who is asked about every call of `Bash`, and the commands that they were asked about. */
function person(answer: (command: string) => ApprovalAnswer = () => ({ approved: true })) {
  const asked: unknown[] = []
  const approval: TaskApproval = {
    tools: ['Bash'],
    async ask({ input }: Pick<ToolCall, 'input'>) {
      const { command } = (input ?? {}) as { readonly command?: unknown }
      asked.push(command)
      return answer(String(command))
    },
  }
  return { asked, approval }
}

/** The commands that ran. */
const commands = (runs: readonly { readonly tool: string; readonly input: unknown }[]): readonly unknown[] =>
  runs.flatMap(({ tool, input }) => (tool === 'Bash' ? [(input as { readonly command?: unknown }).command] : []))

/** Calls in one message that all have the same id. */
const withId = (id: string, ...steps: readonly CallStep[]): CallStep => ({
  calls: together(...steps).calls.map((each) => ({ ...each, id })),
})

/** The results in a request, in the order of their calls: by their ids, or by their order where ids are not unique. */
function resultsOf({ messages }: WireRequest): readonly string[] {
  const ids = messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id))
  const results = messages.filter(({ role }) => role === 'tool')
  const isUnique = new Set(ids).size === ids.length
  const ordered = isUnique
    ? results.toSorted((one, other) => ids.indexOf(one.callId ?? '') - ids.indexOf(other.callId ?? ''))
    : results
  return ordered.map(({ text }) => text)
}

/** The host's own approval of its tools, together with what skills allow. */
export const approvalChecks = checksOf('consent', [
  {
    id: 'consent-approval',
    needs: ['approval'],
    title:
      "[ADPT-4, ASK-5] keeps the host's own approval of its tools: an approved call runs, a denied one does not, and the model is told the reason of the person",
    async run(bench) {
      const { asked, approval } = person((command) => ({ approved: command !== 'rm -r .', reason: 'Not that.' }))
      const trial = await playTrial(bench, {
        sources,
        approval,
        // A name in another case means the same tool.
        script: [bash('ls'), bash('rm -r .'), call('bash', { command: 'id' }), read('a'), say()],
      })
      same('the commands that a person was asked about', asked, ['ls', 'rm -r .', 'id'])
      same('the commands that ran', commands(trial.runs), ['ls', 'id'])
      same('the result of what was approved', trial.resultOf('call_1_1'), 'ran: ls')
      const denial = trial.resultOf('call_2_1')
      contains('the result of what was denied, which gives the reason of the person,', denial, 'Not that.')
      lacks('the result of what was denied', denial, 'ran: rm')
      same('the result of what needs no approval', trial.resultOf('call_4_1'), 'content of a')
    },
  },
  {
    id: 'consent-approval-preapproved',
    needs: ['approval'],
    title:
      '[GATE-8] asks for no approval of what the active skills list in the mode `preapprove`, and for everything else',
    async run(bench) {
      const { asked, approval } = person()
      const trial = await playTrial(bench, {
        sources,
        approval,
        session: { enforcement: 'preapprove' },
        script: [bash('git log'), activate('history'), bash('git log -3'), bash('git log; id'), bash('ls'), say()],
      })
      same('the commands that a person was asked about (see `inspect`)', asked, ['git log', 'git log; id', 'ls'])
      same('the commands that ran', commands(trial.runs), ['git log', 'git log -3', 'git log; id', 'ls'])
    },
  },
  {
    id: 'consent-approval-refused',
    needs: ['approval'],
    title: '[GATE-8, ADPT-4] asks for no approval of a call that skills or the host refuse in any case',
    async run(bench) {
      const { asked, approval } = person()
      const trial = await playTrial(bench, {
        sources,
        approval,
        session: { policy: { deny: ['Bash(rm:*)'] } },
        script: [bash('rm -r .'), activate('history'), bash('ls'), bash('git log'), say()],
      })
      same('the commands that a person was asked about (see `inspect`)', asked, ['git log'])
      for (const step of [1, 3]) refusedWith(trial, `call_${step}_1`, 'TOOL_NOT_ALLOWED')
      same('the commands that ran', commands(trial.runs), ['git log'])
    },
  },
  {
    id: 'consent-same-id',
    needs: ['approval', 'parallelCalls'],
    title:
      '[ABUSE-119, GATE-8, ASK-1] judges each call of a message by itself, and asks about each, even if several have the same id, an empty one, or one of a kind that an adapter uses itself',
    async run(bench) {
      const { asked, approval } = person()
      const skills: string[] = []
      const messages = [
        // An adapter may have such ids for calls that no model wrote.
        withId('invocation_one', activate('history'), activate('other')),
        withId('invocation_two_2', bash('git log'), bash('id')),
        withId('', bash('git log -3'), bash('pwd')),
        withId('three', bash('ls'), bash('rm a')),
      ]
      const trial = await playTrial(bench, {
        sources,
        approval,
        session: { enforcement: 'preapprove', policy: { deny: ['Bash(rm:*)'] } },
        consent: ({ skill = '' }) => {
          skills.push(skill)
          return skill === 'history'
        },
        script: [...messages, say()],
      })
      same('the skills about which a person was asked', skills.toSorted(), ['history', 'other'])
      same('the active skills', await trial.active(), ['history'])
      same('the commands that a person was asked about', asked, ['id', 'pwd', 'ls'])
      same('the commands that ran', commands(trial.runs).map(String).toSorted(), [
        'git log',
        'git log -3',
        'id',
        'ls',
        'pwd',
      ])
      const results = resultsOf(request(trial, -1))
      same(
        'the results of what ran',
        results.slice(2, -1),
        ['git log', 'id', 'git log -3', 'pwd', 'ls'].map((command) => `ran: ${command}`),
      )
      same('the refusal', refusalIn(results.at(-1) ?? '')?.code, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'forks-approval',
    area: 'forks',
    needs: ['approval'],
    title:
      '[ACT-10, ADPT-4] denies in a sub-agent every call that needs approval: nobody is asked, nothing runs, and a denied call is not reported as a result',
    async run(bench) {
      const { asked, approval } = person()
      // The sub-agent continues after the denial, or has failed: then the agent continues.
      const nextStep: ScriptStep = (wire) => {
        if (!isForkRequest(wire)) return say('I went on.')
        return wire.messages.some(({ role }) => role === 'tool') ? say(RESULT) : bash('rm -r .')
      }
      const trial = await bench.open({
        sources,
        approval,
        script: [bash('ls'), activate('survey'), nextStep, nextStep, nextStep],
      })
      same('the turn', await trial.send('Hello'), { status: 'done', text: 'I went on.' })
      same('the commands that a person was asked about', asked, ['ls'])
      same('the commands that ran', commands(trial.runs), ['ls'])
      const result = trial.resultOf('call_2_1')
      const continued = forkRequests(trial).length > 1 && result.includes(RESULT)
      if (!continued && refusalIn(result)?.code !== 'FORK_FAILED') {
        throw failure(
          'the sub-agent to be told of the denial and to go on, or the fork to fail as FORK_FAILED (a run that waits for a person ends with `unattendedForkError`)',
          result,
        )
      }
    },
  },
])
