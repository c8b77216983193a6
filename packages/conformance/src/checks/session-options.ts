import type { SessionProblem } from '@repertoire/core'
import type { AdapterSessionOptions } from '@repertoire/core/adapter'
import { refusedWith, same } from './assertions.ts'
import { activate, deactivate, say, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'
import { checksOf, playTrial } from './define.ts'

const sources = [
  writtenSkills({
    docs: { body: 'Body of the docs skill.', fields: ['allowed-tools: Write(docs/**)'] },
    hooked: { body: 'Body of the hooked skill.', fields: ['hooks:', '  post: [tidy]'] },
  }),
]

/** Session options that the host sets and an adapter passes on. */
export const sessionOptionChecks = checksOf('gate', [
  {
    id: 'gate-working-folder',
    title:
      "[GATE-3, GATE-8, ADPT-4] resolves relative paths against the host's `cwd`, and refuses those that lead elsewhere",
    async run(bench) {
      const session: AdapterSessionOptions = { cwd: '/project', policy: { protect: ['settings.json'] } }
      const trial = await playTrial(bench, {
        sources,
        session,
        script: [
          write('/elsewhere/settings.json'),
          write('/project/settings.json'),
          activate('docs'),
          write('/project/docs/a.md'),
          write('/elsewhere/docs/a.md'),
          say(),
        ],
      })
      same(
        'the files that were written (`cwd` is one of the options that `openSession` is given)',
        trial.runs.map(({ input }) => (input as { readonly file_path?: unknown }).file_path),
        ['/elsewhere/settings.json', '/project/docs/a.md'],
      )
      for (const step of [2, 5]) refusedWith(trial, `call_${step}_1`, 'TOOL_NOT_ALLOWED')
    },
  },
  {
    id: 'errors-problems-told',
    area: 'errors',
    title: '[ACT-7, ADPT-4] reports problems that occur beside a call to the host through `onProblem`',
    async run(bench) {
      const problems: SessionProblem[] = []
      const trial = await playTrial(bench, {
        sources,
        repertoire: { scripts: { hooks: () => ({ ok: false, output: 'There is no broom.' }) } },
        session: { onProblem: (problem) => void problems.push(problem) },
        script: [activate('hooked'), deactivate(), activate('hooked'), say()],
      })
      await trial.end()
      same(
        'the problems (`onProblem` is one of the options that `openSession` is given)',
        problems.map(({ code, skill }) => [code, skill]),
        [
          ['POST_HOOK_FAILED', 'hooked'],
          ['POST_HOOK_FAILED', 'hooked'],
        ],
      )
    },
  },
])
