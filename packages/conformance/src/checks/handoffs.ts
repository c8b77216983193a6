import type { Bench, TrialOptions } from '../check.ts'
import type { CallStep } from '../endpoint/script.ts'
import { answerEach } from './answer-each.ts'
import { contains, done, lacks, offered, ran, refusedWith, request, same, shown } from './assertions.ts'
import { checksOf, playTrial } from './define.ts'
import { activate, bash, call, deactivate, say, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'

const FIRST = 'You are the first agent.'
const SECOND = 'You are the second agent.'
const DOCS = 'Body of the docs skill.'

const agents: Pick<TrialOptions, 'sources' | 'instructions' | 'handoffs'> = {
  sources: [
    writtenSkills({
      docs: { body: DOCS, fields: ['allowed-tools: Read Write(docs/**)'] },
      reading: { body: 'Body of the reading skill.', fields: ['allowed-tools: Read'] },
    }),
  ],
  instructions: FIRST,
  handoffs: { second: { instructions: SECOND } },
}

/** The model hands the conversation over. */
const handOver = (bench: Bench, agent: string): CallStep => call(bench.handoffTool(agent), {})

/** What holds when one agent hands the conversation over to another: rights shrink and never grow. */
export const handoffChecks = checksOf('handoffs', [
  {
    id: 'handoffs-rights',
    title:
      '[GATE-6, ADPT-4, ABUSE-139] holds a restriction of an active skill in the agent that takes over, and in the first agent when it is handed back',
    needs: ['handoff'],
    async run(bench) {
      const trial = await playTrial(bench, {
        ...agents,
        script: [
          activate('docs'),
          handOver(bench, 'second'),
          write('src/a.ts'),
          write('docs/a.md'),
          handOver(bench, 'main'),
          bash('id'),
          deactivate(),
          bash('id'),
          say(),
        ],
      })
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_6_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Write', 'Bash'])
      const [first, second, again] = [request(trial, 1), request(trial, 2), request(trial, 5)]
      contains('the system prompt before the handoff', first.system, FIRST)
      contains('the system prompt after the handoff', second.system, SECOND)
      contains('the system prompt after the way back', again.system, FIRST)
    },
  },
  {
    id: 'handoffs-shown',
    title:
      '[SHOW-1, ACT-14, ABUSE-139] shows the agent that takes over the list of skills, the skill tools and the instructions of active skills',
    needs: ['handoff'],
    async run(bench) {
      const script = [activate('docs'), handOver(bench, 'second'), say()]
      const trial = await playTrial(bench, { ...agents, script })
      const taken = request(trial, 2)
      contains('the list of skills', taken.system, 'reading')
      contains('what the second agent is shown', shown(taken), DOCS)
      same(
        'the skill tools of the second agent',
        offered(taken).filter((name) => name.endsWith('_skill')),
        offered(request(trial, 1)).filter((name) => name.endsWith('_skill')),
      )
    },
  },
  {
    id: 'handoffs-hidden',
    title: '[GATE-1, ABUSE-139] hides from the agent that takes over what an active skill does not allow',
    needs: ['handoff', 'hiding'],
    async run(bench) {
      const script = [activate('docs'), handOver(bench, 'second'), say()]
      const trial = await playTrial(bench, { ...agents, script })
      const names = offered(request(trial, 2))
      same('whether Write is offered', names.includes('Write'), true)
      same('whether Bash is offered', names.includes('Bash'), false)
    },
  },
  {
    id: 'handoffs-activation',
    title: '[GATE-6, ABUSE-139] restricts the first agent by a skill that the other agent has activated',
    needs: ['handoff'],
    async run(bench) {
      const trial = await playTrial(bench, {
        ...agents,
        script: [handOver(bench, 'second'), activate('reading'), handOver(bench, 'main'), write('docs/a.md'), say()],
      })
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), [])
      same('the active skills', await trial.active(), ['reading'])
    },
  },
  {
    id: 'handoffs-consent',
    title: '[ASK-1, ABUSE-139] asks for consent in the agent that takes over, and goes on in it with the answer',
    needs: ['handoff', 'suspend'],
    async run(bench) {
      const script = [handOver(bench, 'second'), activate('reading'), write('docs/a.md'), say()]
      const trial = await bench.open({ ...agents, script, consent: 'suspend' })
      const asked = await trial.send('Hello')
      same('the requests before the answer', trial.requests.length, 2)
      done((await answerEach(trial, asked, () => true)).turn)
      contains('the system prompt after the answer', request(trial, 2).system, SECOND)
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'handoffs-next-message',
    title: '[GATE-6, ABUSE-139] holds the restriction in the next message, whichever agent answers it',
    needs: ['handoff', 'continuation'],
    async run(bench) {
      const script = [activate('docs'), handOver(bench, 'second'), say(), bash('id'), say()]
      const trial = await playTrial(bench, { ...agents, script })
      done(await trial.send('Go on'))
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), [])
      lacks('the first request', shown(request(trial, 0)), DOCS)
    },
  },
])
