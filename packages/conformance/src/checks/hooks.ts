import type { HookRun } from '@repertoire/core'
import { done, contains, lacks, ran, refusedWith, same, shown } from './assertions.ts'
import { wordsOfCore } from './reference.ts'
import { activate, deactivate, fetchPage, say } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const hooksOf = (name: string): readonly string[] => [
  'allowed-tools: Read',
  'hooks:',
  `  pre: [${name}-check, ${name}-prepare]`,
  `  post: [${name}-tidy, ${name}-report]`,
]

const sources = [
  writtenSkills({
    lower: { body: 'Body of the lower skill.', fields: hooksOf('lower') },
    upper: { body: 'Body of the upper skill.', fields: hooksOf('upper') },
  }),
]

/** A hook runner that records what it runs, and fails some hooks. */
function recordingHooks(failing: readonly string[] = []) {
  const hooksRun: string[] = []
  const hooks = ({ command }: HookRun) => {
    hooksRun.push(command)
    return failing.includes(command) ? { ok: false, output: 'The tree is dirty: $& <x>' } : { ok: true }
  }
  return { hooksRun, hooks }
}

/** Hooks before and after an activation. */
export const hookChecks = checksOf('activation', [
  {
    id: 'activation-hook-stops',
    title:
      "[ACT-13, GATE-7] activates nothing where a pre-activation hook fails, tells the model so in core's words, and goes on",
    async run(bench) {
      const { hooksRun, hooks } = recordingHooks(['lower-check'])
      const trial = await playTrial(bench, {
        sources,
        repertoire: { scripts: { hooks } },
        script: [activate('lower'), fetchPage(), say()],
      })
      const [expected] = await wordsOfCore([activate('lower')], {
        repertoire: { sources, scripts: { hooks: recordingHooks(['lower-check']).hooks } },
      })
      same('the result', trial.resultOf('call_1_1'), expected)
      contains('the reason', refusedWith(trial, 'call_1_1', 'HOOK_FAILED').reason, 'The tree is dirty')
      same('the hooks that ran', hooksRun, ['lower-check'])
      same('the active skills', await trial.active(), [])
      same('the tools that ran, since nothing restricts', ran(trial), ['WebFetch'])
      for (const wire of trial.requests) lacks('a request', shown(wire), 'Body of the lower skill.')
    },
  },
  {
    id: 'activation-hooks-order',
    title:
      "[ACT-13, ACT-7] runs a skill's post-deactivation hooks when it is deactivated, and those of all others when the task ends, top of the stack first, each once, even if one before it failed",
    async run(bench) {
      const { hooksRun, hooks } = recordingHooks(['upper-tidy'])
      const upper = ['upper-tidy', 'upper-report']
      const script = [activate('lower'), activate('upper'), deactivate(), fetchPage(), activate('upper'), say()]
      const trial = await playTrial(bench, { sources, repertoire: { scripts: { hooks } }, script })
      const begun = ['lower-check', 'lower-prepare', 'upper-check', 'upper-prepare']
      const before = [...begun, ...upper, 'upper-check', 'upper-prepare']
      const after = [...before, ...upper, 'lower-tidy', 'lower-report']
      same('the hooks that ran', hooksRun, bench.continues ? before : after)
      refusedWith(trial, 'call_4_1', 'TOOL_NOT_ALLOWED')
      await trial.end()
      same('the hooks that ran in the end', hooksRun, after)
      same('the active skills', await trial.active(), [])
    },
  },
  {
    id: 'activation-hooks-resumed',
    needs: ['resume'],
    title: '[ACT-13, ACT-15] runs post-deactivation hooks in the process in which the task ends',
    async run(bench) {
      const { hooks } = recordingHooks()
      const first = await playTrial(bench, {
        sources,
        repertoire: { scripts: { hooks } },
        script: [activate('lower', 'the args'), say()],
      })
      const saved = await first.save()
      const runs: unknown[] = []
      const later = ({ command, phase, args }: HookRun) => ({ ok: runs.push([phase, command, args]) > 0 })
      const second = await bench.open({ sources, repertoire: { scripts: { hooks: later } }, script: [say()], saved })
      done(await second.send('Go on'))
      same('the hooks that ran', runs, [])
      await second.end()
      same('the hooks that ran in the end', runs, [
        ['post', 'lower-tidy', 'the args'],
        ['post', 'lower-report', 'the args'],
      ])
    },
  },
  {
    id: 'activation-hooks-invoked',
    title:
      '[ACT-13, ACT-12] runs pre-activation hooks also for a skill that a person invokes, and before the first request',
    async run(bench) {
      const { hooksRun, hooks } = recordingHooks(['upper-prepare'])
      const trial = await bench.open({ sources, repertoire: { scripts: { hooks } }, script: [fetchPage(), say()] })
      done(await trial.send('/upper now'))
      same('the hooks that ran', hooksRun, ['upper-check', 'upper-prepare'])
      same('the active skills', await trial.active(), [])
      same('the tools that ran, since nothing restricts', ran(trial), ['WebFetch'])
      contains('the first request', shown(trial.requests[0]!), 'HOOK_FAILED')
    },
  },
])
