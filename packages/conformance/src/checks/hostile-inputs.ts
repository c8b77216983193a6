import { readArguments } from '@repertoire/core/adapter'
import type { Bench } from '../check.ts'
import { same } from './assertions.ts'
import { answersAsCore, wordsOfCore } from './reference.ts'
import { bash, call, deactivate, say } from './script-steps.ts'
import { checksOf, playTrial } from './define.ts'

/** A call as a model may write it: the tool, and its raw arguments. */
type Written = readonly [tool: string, raw: string]

/** Asserts that every call is refused in the words of core, and that the call after them runs as usual. */
async function assertRefused(bench: Bench, written: readonly Written[]): Promise<void> {
  const script = [...written.map(([tool, raw]) => call(tool, { raw })), bash('ls'), say()]
  const trial = await playTrial(bench, { script, maxSteps: script.length + 1 })
  await answersAsCore(
    trial,
    written.map(([tool, raw]) => call(tool, readArguments(raw))),
  )
  same(
    'the runs',
    trial.runs.map(({ tool, input }) => [tool, input]),
    [['Bash', { command: 'ls' }]],
  )
  same('the active skills', await trial.active(), [])
}

/** Bad arguments that a model may write. */
export const hostileInputChecks = checksOf('errors', [
  {
    id: 'errors-hostile-texts',
    title: "[ADPT-4, GATE-7] refuses in core's words arguments that are not a JSON object, and goes on",
    run: (bench) =>
      assertRefused(bench, [
        ['Bash', '{"command":"ls"'],
        ['Bash', '"ls"'],
        ['Bash', '["ls"]'],
        ['Bash', '7'],
        ['Bash', 'true'],
        ['activate_skill', 'safe-edit'],
        ['activate_skill', '{"name":"safe-edit"'],
        ['activate_skill', '["safe-edit"]'],
      ]),
  },
  {
    id: 'errors-null-arguments',
    title: "[ADPT-4, GATE-7] refuses in core's words arguments that are null, and goes on",
    run: (bench) =>
      assertRefused(bench, [
        ['Bash', 'null'],
        ['activate_skill', 'null'],
      ]),
  },
  {
    id: 'errors-no-arguments',
    title: '[ADPT-4, LLM-1] accepts a call without arguments of a tool that needs none',
    async run(bench) {
      const inputs: unknown[] = []
      const look = {
        name: 'Look',
        description: 'Looks around.',
        inputSchema: { type: 'object', properties: {} },
        execute: (input: unknown) => {
          inputs.push(input)
          return 'looked'
        },
      }
      const script = [call('Look', { raw: '' }), call('deactivate_skill', { raw: '' }), say()]
      const trial = await playTrial(bench, { tools: [look], script })
      const [, words] = await wordsOfCore([bash('ls'), deactivate()])
      same('the results', [trial.resultOf('call_1_1'), trial.resultOf('call_2_1')], ['looked', words])
      same('the inputs', inputs, [{}])
    },
  },
  {
    id: 'errors-prototype-keys',
    title: "[ADPT-4, GATE-7, ABUSE-44] refuses in core's words arguments with a key such as `__proto__`, and goes on",
    run: (bench) =>
      assertRefused(bench, [
        ['Bash', '{"command":"ls","__proto__":{"command":"id"}}'],
        ['Bash', '{"command":"ls","more":[{"constructor":{"prototype":{"command":"id"}}}]}'],
        ['activate_skill', '{"name":"safe-edit","__proto__":{"name":"git-history"}}'],
      ]),
  },
])
