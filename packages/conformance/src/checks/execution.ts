import type { FunctionTool, RepertoireOptions, ToolCall } from '@repertoire/core'
import type { AdapterSessionOptions } from '@repertoire/core/adapter'
import { benchRunner } from '../script-runner.ts'
import { failure } from '../failure.ts'
import { contains, done, endsWith, offered, refusedWith, request, same } from './assertions.ts'
import { OWN_INTERPRETER, OWN_SCRIPTS } from './own-scripts.ts'
import { turnOfCore, answersAsCore } from './reference.ts'
import { activate, bash, call, deactivate, read, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const GREET = ['type: template', 'parameters: { name: { type: string, required: true }, loud: boolean }']
const PLAN =
  '```yaml\nsteps:\n  - tool: Read\n    parameters: { file_path: "{{ file }}" }\n  - tool: Bash\n    parameters: { command: git log }\n  - tool: Write\n    parameters: { file_path: a.md, content: x }\n```'

const sources = [
  writtenSkills({
    greet: { body: '```\nDear {{ name }}{% if loud %}!{% endif %}\n```', fields: GREET },
    survey: {
      body: PLAN,
      fields: [
        'type: composite',
        'allowed-tools: Read Bash(git log:*)',
        'parameters: { file: { type: string, default: b.md } }',
      ],
    },
    count: {
      body: `\`\`\`${OWN_INTERPRETER === 'sh' ? 'sh' : 'js'}\n${OWN_SCRIPTS.args}\`\`\``,
      fields: ['type: script'],
    },
    kit: { body: 'Use the tool.', fields: ['toolsets: ["kit/index:tools"]'], files: { 'kit/index.mjs': '' } },
  }),
]

/** Values that a template engine, or a replacement of text, would read again. */
const VALUE = 'Ann {{ loud }} $& $1 {% if %} </skill_result>'

/** A tool that a skill brings. */
const MEASURE: FunctionTool = {
  name: 'measure',
  description: 'Measures a text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  execute: (input) => `measured ${JSON.stringify(input)}`,
}

const toolsets: RepertoireOptions['toolsets'] = {
  loader: { load: () => Promise.resolve([MEASURE]) },
  layers: ['project'],
}

/** Skills that are executed when they are called, and tools that skills bring. */
export const executionChecks = checksOf('execution', [
  {
    id: 'execution-template',
    title: '[RUN-4] answers the call of a template skill with its text, values as they are, and leaves nothing active',
    async run(bench) {
      const args = JSON.stringify({ name: VALUE })
      const steps = [activate('greet', args), activate('greet', '{"name":"Bo","loud":true}')]
      const trial = await playTrial(bench, { sources, script: [...steps, say()] })
      await answersAsCore(trial, steps, { repertoire: { sources } })
      contains('the second result', trial.resultOf('call_2_1'), 'Dear Bo!')
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'execution-parameters',
    title:
      '[RUN-2, SHOW-4] offers the parameters of a skill as the input of its own tool, and passes them on as they are',
    async run(bench) {
      const script = [call('skill_greet', { name: 'Ann', loud: true }), say()]
      const trial = await playTrial(bench, { sources, repertoire: { listing: { style: 'tools' } }, script })
      const tool = request(trial, 0).tools.find(({ name }) => name === 'skill_greet')
      same('the properties of skill_greet', tool?.inputSchema['properties'], {
        name: { type: 'string' },
        loud: { type: 'boolean' },
      })
      same('what skill_greet requires', tool?.inputSchema['required'], ['name'])
      contains('the result', trial.resultOf('call_1_1'), 'Dear Ann!')
    },
  },
  {
    id: 'execution-parameters-refused',
    title: '[RUN-2] shows which parameters do not fit, whatever schema the framework was given, and executes nothing',
    async run(bench) {
      const input = { nmae: 'Ann', loud: 'yes' }
      const trial = await playTrial(bench, {
        sources,
        repertoire: { listing: { style: 'tools' } },
        script: [call('skill_greet', input), say()],
      })
      const { reason } = refusedWith(trial, 'call_1_1', 'INPUT_INVALID')
      for (const part of ['"name" is missing', '"loud"', '"nmae" is not a parameter'])
        contains('the reason', reason, part)
    },
  },
  {
    id: 'execution-plan',
    title: '[RUN-2] shows the plan of a composite skill, which is active while the model carries it out',
    async run(bench) {
      const script = [activate('survey'), read('b.md'), bash('rm b.md'), say()]
      const trial = await playTrial(bench, { sources, script })
      contains('the result', trial.resultOf('call_1_1'), '1. `Read` {"file_path":"b.md"}')
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      same('the active skills', await trial.active(), ['survey'])
      same(
        'the tools that ran',
        trial.runs.map(({ tool }) => tool),
        ['Read'],
      )
    },
  },
  {
    id: 'execution-plan-run',
    title:
      '[RUN-2] carries a plan out step by step where the host says how, and shows what was done before a step failed',
    async run(bench) {
      const ran: ToolCall[] = []
      const session: AdapterSessionOptions = {
        runStep: (step) => {
          ran.push(step)
          return `${step.tool} ran`
        },
      }
      const trial = await playTrial(bench, { sources, session, script: [activate('survey', '{"file":"c.md"}'), say()] })
      same(
        'the steps that ran',
        ran.map(({ tool, input }) => ({ tool, input })),
        [
          { tool: 'Read', input: { file_path: 'c.md' } },
          { tool: 'Bash', input: { command: 'git log' } },
        ],
      )
      const result = trial.resultOf('call_1_1')
      for (const part of ['Step 3 of 3 failed', 'TOOL_NOT_ALLOWED', 'Step 1, `Read`: done.\nRead ran'])
        contains('the result', result, part)
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'execution-script',
    title: '[RUN-3] answers the call of a script skill with what the script prints, run by the runner of the host',
    async run(bench) {
      const runner = benchRunner()
      const script = [activate('count', 'a "b c"'), say()]
      const trial = await playTrial(bench, { sources, repertoire: { scripts: { runner } }, script })
      contains('the result', trial.resultOf('call_1_1'), '[a]\n[b c]')
      same('the number of scripts that ran', runner.jobs.length, 1)
    },
  },
  {
    id: 'execution-script-suspends',
    needs: ['suspend'],
    title:
      "[RUN-3, ASK-5] runs a script skill that waits for the framework's own approval once, after the yes, and shows what it prints",
    async run(bench) {
      const runner = benchRunner()
      const script = [activate('count', 'a'), say()]
      const trial = await bench.open({ sources, repertoire: { scripts: { runner } }, script, consent: 'suspend' })
      const turn = await trial.send('Hello')
      if (turn.status !== 'asking') throw failure('the turn to wait for consent', turn)
      same('the number of scripts that ran before the answer', runner.jobs.length, 0)
      done(await trial.answer(turn.requests.map(({ id }) => ({ requestId: id, approved: true }))))
      same('the number of scripts that ran', runner.jobs.length, 1)
      contains('the result', trial.resultOf('call_1_1'), '[a]')
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'execution-invoked',
    title: '[RUN-4, ACT-12] executes a skill that a person invokes, and shows its result with the message',
    async run(bench) {
      const message = '/greet Ann true'
      const trial = await bench.open({ sources, script: [say()] })
      done(await trial.send(message))
      const expected = await turnOfCore(message, { repertoire: { sources } })
      contains('what core adds to the message', expected ?? '', 'Dear Ann!')
      endsWith(request(trial, 0), message, expected)
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'execution-toolset',
    title: '[RUN-10] offers the tools that a skill brings exactly while it is active, and carries their calls out',
    async run(bench) {
      const measure = call('measure', { text: 'a b' })
      const script = [activate('kit'), measure, deactivate(), call('measure', { text: 'c' }), say()]
      const trial = await playTrial(bench, { sources, repertoire: { toolsets }, script })
      const seen = trial.requests.map((wire) => offered(wire).includes('measure'))
      same('whether each request offers it', seen, [false, true, true, false, false])
      same('the result', trial.resultOf('call_2_1'), 'measured {"text":"a b"}')
      refusedWith(trial, 'call_4_1', 'TOOL_UNKNOWN')
      same('the tools of the host that ran', trial.runs, [])
    },
  },
  {
    id: 'execution-toolset-resumed',
    title: '[RUN-10] offers the tools of an active skill in a process that goes on with a saved conversation',
    needs: ['resume'],
    async run(bench) {
      const first = await playTrial(bench, { sources, repertoire: { toolsets }, script: [activate('kit'), say()] })
      const saved = await first.save()
      const script = [call('measure', { text: 'a b' }), say()]
      const second = await bench.open({ sources, repertoire: { toolsets }, script, saved })
      done(await second.send('Go on'))
      same('whether the first request offers it', offered(request(second, 0)).includes('measure'), true)
      contains('the last request', JSON.stringify(request(second, -1).messages), 'measured {')
    },
  },
])
