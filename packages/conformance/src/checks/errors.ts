import { memorySource } from '@repertoire/core'
import { failure, reasonOf } from '../failure.ts'
import { done, contains, refusedWith, request, same } from './assertions.ts'
import { activate, bash, call, read, say, write } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** A host tool that throws an error. */
const throwing = (error: unknown) => ({
  name: 'Read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
  execute: () => {
    throw error
  },
})

/** The files of a valid skill. */
const good = (name: string) => ({ 'SKILL.md': `---\nname: ${name}\ndescription: A good skill.\n---\nBody.\n` })

export const errorChecks = checksOf('errors', [
  {
    id: 'errors-tool-throws',
    title: '[ADPT-4, GATE-5] shows the model the message of a tool that throws, and goes on',
    async run(bench) {
      const trial = await bench.open({
        tools: [throwing(new RangeError('The file is on fire: $& <x>'))],
        script: [read('a'), say('I went on.')],
      })
      const turn = await trial.send('Hello')
      same('the result', trial.resultOf('call_1_1'), 'The file is on fire: $& <x>')
      same('the turn', turn, { status: 'done', text: 'I went on.' })
    },
  },
  {
    id: 'errors-odd-results',
    title: '[ADPT-4] shows a text as the tool returned it, another result as JSON, and a missing one as null',
    async run(bench) {
      const values: readonly unknown[] = [
        'plain $& "text"',
        '',
        '{ "size": 1.0 }',
        '12345678901234567890',
        '"quoted"',
        { b: [1, null, 'x'], a: true },
        42,
        false,
        null,
        undefined,
      ]
      let next = 0
      const tool = {
        name: 'Bash',
        description: 'Runs a command.',
        inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
        execute: () => values[next++],
      }
      const script = [...values.map(() => bash('x')), say()]
      const trial = await playTrial(bench, { tools: [tool], script, maxSteps: script.length + 1 })
      const expected = values.map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null')))
      same(
        'the results',
        values.map((_, index) => trial.resultOf(`call_${index + 1}_1`)),
        expected,
      )
    },
  },
  {
    id: 'errors-broken-neighbour',
    title: '[DISC-3, ABUSE-21] shows all other skills where one is broken',
    async run(bench) {
      const skills = {
        alpha: good('alpha'),
        broken: { 'SKILL.md': '---\nname: [\n---\n' },
        hollow: { 'SKILL.md': '' },
        omega: good('omega'),
      }
      const trial = await playTrial(bench, { script: [say()], sources: [memorySource({ layer: 'project', skills })] })
      const { system } = request(trial, 0)
      same(
        'the listed names',
        [...system.matchAll(/^<skill name="(.*?)"/gm)].map(([, name]) => name),
        ['alpha', 'omega'],
      )
    },
  },
  {
    id: 'errors-malformed-rules',
    title: '[MAN-8, ABUSE-33] refuses a skill with a malformed rule instead of allowing everything',
    async run(bench) {
      const skills = {
        open: {
          'SKILL.md':
            '---\nname: open\ndescription: A skill with an open bracket.\nallowed-tools: Bash(git:*\n---\nBody.\n',
        },
        fine: { 'SKILL.md': '---\nname: fine\ndescription: A good skill.\n---\nBody.\n' },
      }
      const trial = await playTrial(bench, {
        script: [activate('open'), say()],
        sources: [memorySource({ layer: 'project', skills })],
      })
      refusedWith(trial, 'call_1_1', 'SKILL_NOT_FOUND')
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'errors-endpoint-fails',
    needs: ['continuation'],
    title: '[GATE-5] passes the error of a model endpoint on to the caller, and still restricts the next message',
    async run(bench) {
      const trial = await bench.open({
        script: [
          activate('safe-edit'),
          { status: 400, message: 'The model is out of order.' },
          write('src/a.ts', ''),
          say(),
        ],
      })
      let error: unknown
      try {
        await trial.send('Hello')
      } catch (caught) {
        error = caught
      }
      if (error === undefined) throw failure('the send to reject', 'a turn')
      contains('the error', reasonOf(error), 'out of order')
      same('the active skills', await trial.active(), ['safe-edit'])
      done(await trial.send('Go on'))
      same('the tools that ran', trial.runs, [])
    },
  },
  {
    id: 'errors-step-limit',
    title: '[ADPT-4] makes no more model calls for a message than the host allows, and accepts the next message',
    async run(bench) {
      const reading = read('a.md')
      const trial = await bench.open({ maxSteps: 3, script: [reading, reading, reading, say('Here I am.')] })
      // The framework decides whether an unfinished run ends with a turn or with an error.
      await trial.send('Hello').catch(() => undefined)
      same('the model calls with `maxSteps: 3`', trial.requests.length, 3)
      same('the turn of the next message', await trial.send('Go on'), { status: 'done', text: 'Here I am.' })
    },
  },
  {
    id: 'errors-wrong-input-types',
    title: '[ADPT-4, GATE-3] refuses a tool with a pattern rule whose argument is absent or of another type',
    async run(bench) {
      const inputs = [{}, { command: ['git', 'log'] }, { command: { toString: 'git log' } }, { cmd: null }]
      const loose = {
        name: 'Bash',
        description: 'Runs a command.',
        inputSchema: { type: 'object', properties: {} },
        execute: () => 'ran',
      }
      const trial = await playTrial(bench, {
        tools: [loose],
        script: [activate('git-history'), ...inputs.map((input) => call('Bash', input)), say()],
      })
      for (const index of inputs.keys()) refusedWith(trial, `call_${index + 2}_1`, 'TOOL_NOT_ALLOWED')
    },
  },
])
