import type { Trial } from '../check.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import { failure } from '../failure.ts'
import {
  done,
  endsWith,
  contains,
  isForkRequest,
  lacks,
  offered,
  forkRequests,
  ran,
  refusedWith,
  request,
  same,
  shown,
} from './assertions.ts'
import { forkOfCore, turnOfCore, wordsOfCore } from './reference.ts'
import { activate, bash, deactivate, fetchPage, read, say, together, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const BODY = 'Body of the survey.'
const RESULT = ` The survey: 42 files, <b>all</b> "good".${'\nOne more line.'.repeat(30)}\n`

const sources = [
  writtenSkills({
    survey: { body: BODY, fields: ['context: fork', 'allowed-tools: Read Write Bash(git:*)'] },
    docs: { body: 'Body of the docs skill.', fields: ['allowed-tools: Read Write(docs/**) WebFetch'] },
  }),
]
const core = { repertoire: { sources }, result: RESULT }

const SURVEY = activate('survey', 'src "deeply" $&')

/** Asserts that only requests of sub-agents contain a text. */
function keptFromParent(trial: Trial, text: string): void {
  for (const wire of trial.requests) if (!isForkRequest(wire)) lacks("a request of the agent's own", shown(wire), text)
}

/** The order of two forks is undefined, so each is answered according to its task. */
const answer: ScriptStep = ({ messages }) =>
  say(messages[0]?.text.includes('Task one') === true ? 'Result one.' : 'Result two.')

/** What a skill with `context: fork` does. */
export const forkChecks = checksOf('forks', [
  {
    id: 'forks-result-only',
    title:
      "[ACT-10, ADPT-4] runs a forked skill in a sub-agent: only its result reaches the conversation, in core's words",
    async run(bench) {
      const trial = await bench.open({
        sources,
        script: [SURVEY, read('a.md'), say(RESULT), fetchPage(), say('I went on.')],
      })
      const turn = await trial.send('Hello')
      same('the turn', turn, { status: 'done', text: 'I went on.' })
      const [expected] = await wordsOfCore([SURVEY], core)
      same('the result', trial.resultOf('call_1_1'), expected)
      same('the requests of sub-agents', forkRequests(trial), [2, 3])
      keptFromParent(trial, BODY)
      keptFromParent(trial, 'content of a.md')
      same('the tools that ran', ran(trial), ['Read', 'WebFetch'])
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'forks-first-request',
    title:
      '[ACT-10, ADPT-4, SHOW-1] starts a sub-agent with an empty conversation: instructions, task, tools and list of skills exactly as core words them',
    async run(bench) {
      const trial = await bench.open({
        sources,
        script: [activate('docs'), SURVEY, say(RESULT), say()],
      })
      done(await trial.send('Hello, this is for the agent alone'))
      const { request: forked, view } = await forkOfCore([activate('docs'), SURVEY], core)
      const wire = request(trial, 2)
      same(
        'the messages',
        wire.messages.map(({ role, text }) => [role, text]),
        [['user', forked.message]],
      )
      contains('the system prompt', wire.system, view.system(forked.system) ?? '')
      const skillTools = view.tools.map(({ name }) => name)
      const seen = offered(wire)
      same(
        'the skill tools',
        seen.filter((name) => skillTools.includes(name)),
        skillTools,
      )
      for (const name of ['Read', 'Write']) contains('the tools', `,${seen.join()},`, `,${name},`)
      same('the active skills', await trial.active(), ['docs'])
    },
  },
  {
    id: 'forks-invoked',
    title:
      '[ACT-10, ACT-12] runs a forked skill that a person invokes before the first request: its result follows the message',
    async run(bench) {
      const message = '/survey src'
      const trial = await bench.open({ sources, script: [say(RESULT), fetchPage(), say(), say()] })
      done(await trial.send(message))
      same('the requests of sub-agents', forkRequests(trial), [1])
      contains('the first request', request(trial, 0).messages[0]?.text ?? '', BODY)
      endsWith(request(trial, 1), message, await turnOfCore(message, core))
      keptFromParent(trial, BODY)
      same('the tools that ran, since nothing restricts', ran(trial), ['WebFetch'])
      done(await trial.send('Thank you'))
      endsWith(request(trial, 3), 'Thank you')
    },
  },
  {
    id: 'forks-beside-another-call',
    needs: ['parallelCalls'],
    title:
      '[ACT-10, GATE-5] gives a fork and the calls beside it each their own result, under the rules of their own conversation',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        script: [
          activate('docs'),
          together(activate('survey'), fetchPage(), bash('git status')),
          together(fetchPage(), read('a.md')),
          say(RESULT),
          say(),
        ],
      })
      contains('the result of the fork', trial.resultOf('call_2_1'), '42 files')
      contains('the result of the call beside it', trial.resultOf('call_2_2'), 'fetched')
      refusedWith(trial, 'call_2_3', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      contains('the result in the fork', trial.resultOf('call_3_2'), 'a.md')
      same('the tools that ran', [...ran(trial)].toSorted(), ['Read', 'WebFetch'])
    },
  },
  {
    id: 'forks-two-at-once',
    needs: ['parallelCalls'],
    title: '[ACT-10, ACT-8] keeps two forks of one message apart',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        script: [together(activate('survey', 'Task one'), activate('survey', 'Task two')), answer, answer, say()],
      })
      contains('the first result', trial.resultOf('call_1_1'), 'Result one.')
      contains('the second result', trial.resultOf('call_1_2'), 'Result two.')
      same('the requests of sub-agents', forkRequests(trial), [2, 3])
      const tasks = [1, 2].map((number) => request(trial, number).messages[0]?.text ?? '')
      same(
        'how many sub-agents saw both tasks',
        tasks.filter((text) => /Task one[^]*Task two|Task two[^]*Task one/.test(text)),
        [],
      )
    },
  },
  {
    id: 'forks-deactivation',
    title: '[ACT-10, ACT-6] lets a sub-agent deactivate neither its own skill nor those of its parent conversation',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        script: [
          activate('docs'),
          activate('survey'),
          deactivate(),
          deactivate('survey'),
          deactivate('docs'),
          write('src/a.ts'),
          say(RESULT),
          write('src/b.ts'),
          say(),
        ],
      })
      for (const id of ['call_3_1', 'call_4_1', 'call_5_1']) {
        const text = trial.resultOf(id)
        if (!text.startsWith('{"error"')) throw failure(`the result of ${id} to be a refusal`, text)
      }
      refusedWith(trial, 'call_6_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_8_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['docs'])
      same('the tools that ran', ran(trial), [])
    },
  },
])
