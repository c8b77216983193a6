import type { SessionProblem } from '@repertoire/core'
import { ran, same } from './assertions.ts'
import { activate, call, deactivate, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({
    bright: { body: 'Body.', fields: ['model: strong'] },
    vague: { body: 'Body.', fields: ['model: unheard-of'] },
    modest: { body: 'Body.', fields: ['model: inherit'] },
  }),
]
const READ = { file_path: 'a.md' }

/** The model that a skill without a fork asks for. */
export const skillModelChecks = checksOf('activation', [
  {
    id: 'activation-model',
    level: 'SHOULD',
    title: '[ACT-16] calls the model that an active skill names where the host has it, and its own again afterwards',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources,
        models: {
          strong: [call('Read', READ, 'read_by_strong'), call('deactivate_skill', {}, 'left_by_strong')],
        },
        script: [activate('bright'), call('Read', READ), say()],
      })
      same(
        'the number of requests to the model `strong` (the host finds it by its name, with `skillModel` of the session)',
        trial.requestsTo('strong').length,
        2,
      )
      same("the number of requests to the conversation's own model", trial.requests.length, 3)
      same('the tools that ran', ran(trial), ['Read', 'Read'])
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'activation-model-missing',
    title: '[ACT-16] goes on with its own model where a skill names one that it cannot call, and says so once',
    async run(bench) {
      const problems: SessionProblem[] = []
      const trial = await playTrial(bench, {
        sources,
        session: { onProblem: (problem) => void problems.push(problem) },
        script: [activate('vague'), call('Read', READ), deactivate(), activate('modest'), say()],
      })
      same('the tools that ran', ran(trial), ['Read'])
      same(
        'the problems',
        problems.map(({ code, skill }) => [code, skill]),
        [['MODEL_NOT_USED', 'vague']],
      )
    },
  },
])
