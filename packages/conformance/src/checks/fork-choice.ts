import { failure } from '../failure.ts'
import type { ScriptStep } from '../endpoint/script.ts'
import { contains, isForkRequest, forkRequests, refusedWith, request, same } from './assertions.ts'
import { activate, call, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const RESULT = 'The survey: 42 files.'

const forked = (...fields: readonly string[]) => ({ body: 'Body.', fields: ['context: fork', ...fields] })

const sources = [
  writtenSkills({
    bright: forked('model: strong'),
    plain: forked(),
    vague: forked('model: unheard-of'),
    reviewer: forked('agent: reviewer'),
    painter: forked('agent: painter'),
  }),
]

/** The steps of the agent; sub-agents that use the same model answer at once. */
function scriptOf(...steps: readonly ScriptStep[]): readonly ScriptStep[] {
  const left = [...steps]
  const next: ScriptStep = (wire) => (isForkRequest(wire) ? say(RESULT) : (left.shift() ?? say()))
  return Array.from({ length: 2 * steps.length + 1 }, () => next)
}

/** The model and the agent that run a fork: `model` and `agent` of its skill. */
export const forkChoiceChecks = checksOf('forks', [
  {
    id: 'forks-model',
    title:
      "[ACT-10] runs a fork with the model that its skill names where the host has it, otherwise with the conversation's model",
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        models: { strong: [call('Read', { file_path: 'a.md' }, 'read_by_strong'), say(RESULT)] },
        script: scriptOf(activate('bright'), activate('vague'), activate('plain')),
      })
      same(
        'the requests that the model `strong` got (the host finds the model of a skill by its name)',
        trial.requestsTo('strong').map(isForkRequest),
        [true, true],
      )
      same("the requests of sub-agents to the conversation's own model", forkRequests(trial), [3, 5])
      for (const step of [1, 2, 4]) contains('the result', trial.resultOf(`call_${step}_1`), RESULT)
    },
  },
  {
    id: 'forks-agent',
    title: '[ACT-10] runs a fork with the agent that its skill names, and refuses one that the host does not have',
    async run(bench) {
      const instructions = 'You review code, and do nothing else.'
      const script = scriptOf(activate('reviewer'), activate('painter'), activate('plain'))
      const trial = await playTrial(bench, { sources, subagents: { reviewer: { instructions } }, script })
      contains('the reason', refusedWith(trial, 'call_3_1', 'FORK_FAILED').reason, 'painter')
      same('the requests of sub-agents', forkRequests(trial), [2, 5])
      const [reviewed, plain] = [request(trial, 1).system, request(trial, 4).system]
      if (!reviewed.startsWith(instructions)) {
        throw failure(
          'the sub-agent of a skill with `agent: reviewer` to have the instructions of that agent',
          reviewed,
        )
      }
      if (plain.includes(instructions)) throw failure('the sub-agent of another skill not to have them', plain)
      const without = await playTrial(bench, { sources, script: scriptOf(activate('painter')) })
      contains('the result where the host has no agents of its own', without.resultOf('call_1_1'), RESULT)
    },
  },
  {
    id: 'forks-default-agent',
    title:
      "[ACT-10] runs a fork with the host's default agent where its skill names none, and where the host has no other",
    async run(bench) {
      const byDefault = { instructions: 'You do what nobody else does.' }
      const reviewer = { instructions: 'You review code, and do nothing else.' }
      for (const [skill, subagents, expected] of [
        ['plain', { default: byDefault, reviewer }, byDefault],
        ['reviewer', { default: byDefault, reviewer }, reviewer],
        ['painter', { default: byDefault }, byDefault],
      ] as const) {
        const trial = await playTrial(bench, { sources, subagents, script: scriptOf(activate(skill)) })
        const { system } = request(trial, 1)
        if (system.startsWith(expected.instructions)) continue
        throw failure(`the sub-agent of the skill "${skill}" to have the instructions of its agent`, system)
      }
    },
  },
])
