import { contains, done, lacks, ran, refusedWith, request, same } from './assertions.ts'
import { answersAsCore } from './reference.ts'
import { activate, bash, call, deactivate, read, readSkillFile, say, together, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const convert = (args: string) => call('activate_skill', { name: 'convert', args })

export const stackChecks = checksOf('stack', [
  {
    id: 'stack-top-only',
    title: '[ACT-6] deactivates only the top skill',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [activate('safe-edit'), activate('test-first-fix'), deactivate('safe-edit'), say()],
      })
      refusedWith(trial, 'call_3_1', 'SKILL_NOT_ON_TOP')
      same('the active skills', await trial.active(), ['safe-edit', 'test-first-fix'])
    },
  },
  {
    id: 'stack-order',
    title: '[ACT-6] deactivates the skill that was activated last where none is named, one at a time',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          activate('safe-edit'),
          activate('test-first-fix'),
          deactivate(),
          say(),
          deactivate(),
          deactivate(),
          say(),
        ],
      })
      same('the active skills after one', await trial.active(), ['safe-edit'])
      done(await trial.send('Go on'))
      same('the active skills after two', await trial.active(), [])
      refusedWith(trial, 'call_6_1', 'SKILL_NOT_ACTIVE')
    },
  },
  {
    id: 'stack-words-of-core',
    title: '[ACT-6, ADPT-4] words the result of a deactivation as core does',
    async run(bench) {
      const steps = [deactivate(), activate('safe-edit'), deactivate('git-history'), deactivate()]
      const trial = await playTrial(bench, { script: [...steps, say()] })
      await answersAsCore(trial, steps)
    },
  },
  {
    id: 'stack-same-message',
    needs: ['parallelCalls'],
    title:
      '[GATE-5, ADPT-4] judges the skill calls of one message, too, by the skills that were active when it was written',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          together(activate('release-notes'), deactivate(), readSkillFile('references/style.md')),
          together(activate('safe-edit'), deactivate(), deactivate('safe-edit'), deactivate('release-notes')),
          say(),
        ],
      })
      refusedWith(trial, 'call_1_2', 'SKILL_NOT_ACTIVE')
      refusedWith(trial, 'call_1_3', 'SKILL_NOT_ACTIVE')
      refusedWith(trial, 'call_2_3', 'SKILL_NOT_ACTIVE')
      same('the second deactivation of the top skill', trial.resultOf('call_2_4'), trial.resultOf('call_2_2'))
      same('the active skills', await trial.active(), ['safe-edit'])
    },
  },
  {
    id: 'stack-again',
    needs: ['parallelCalls'],
    title:
      '[ACT-6] returns the instructions of a skill once, however often it is activated, and again only with other arguments',
    async run(bench) {
      const trial = await playTrial(bench, {
        sources: [writtenSkills({ convert: { body: 'Read $1.\n\nThe rest of it.', fields: [] } })],
        script: [
          together(convert('a.md'), convert('a.md'), convert('b.md')),
          convert('c.md'),
          activate('convert'),
          say(),
        ],
      })
      contains('the first result', trial.resultOf('call_1_1'), 'Read a.md.\n\nThe rest of it.')
      for (const again of ['call_1_2', 'call_3_1']) {
        contains('the result of another activation', trial.resultOf(again), 'is already active')
        lacks('the result of another activation', trial.resultOf(again), 'The rest of it.')
      }
      contains('the result with other arguments', trial.resultOf('call_1_3'), 'Read b.md.\n\nThe rest of it.')
      contains('the result with other arguments', trial.resultOf('call_2_1'), 'Read c.md.\n\nThe rest of it.')
      lacks('the last system prompt, where nothing is lost', request(trial, 3).system, 'The rest of it.')
    },
  },
  {
    id: 'stack-intersection',
    title: '[GATE-6] allows what every active skill allows: another skill never widens the first',
    async run(bench) {
      const trial = await playTrial(bench, {
        script: [
          activate('git-history'),
          activate('test-first-fix'),
          write('src/a.ts', ''),
          bash('npm test'),
          read('docs/a.md'),
          deactivate(),
          bash('git log'),
          say(),
        ],
        maxSteps: 12,
      })
      refusedWith(trial, 'call_3_1', 'TOOL_NOT_ALLOWED')
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      same('the tools that ran', ran(trial), ['Read', 'Bash'])
    },
  },
])
