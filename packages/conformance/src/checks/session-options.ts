import type { SessionOptions, SessionProblem } from '@repertoire/core'
import type { Check } from '../check.ts'
import { done, refusedWith, same } from './assertions.ts'
import { activate, deactivate, say, write } from './script-steps.ts'
import { writtenSkills } from './written-skills.ts'

const sources = [
  writtenSkills({
    docs: { body: 'Body of the docs skill.', fields: ['allowed-tools: Write(docs/**)'] },
    hooked: { body: 'Body of the hooked skill.', fields: ['hooks:', '  post: [tidy]'] },
  }),
]

/** Session options that the host sets and an adapter passes on. */
export const sessionOptionChecks: readonly Check[] = [
  {
    id: 'gate-working-folder',
    area: 'gate',
    level: 'MUST',
    title:
      "[GATE-3, GATE-8, ADPT-4] resolves relative paths against the host's `cwd`, and refuses those that lead elsewhere",
    async run(bench) {
      const session: SessionOptions = { cwd: '/project', policy: { protect: ['settings.json'] } }
      const trial = await bench.open({
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
      done(await trial.send('Hello'))
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
    level: 'MUST',
    title: '[ACT-7, ADPT-4] reports problems that occur beside a call to the host through `onProblem`',
    async run(bench) {
      const problems: SessionProblem[] = []
      const trial = await bench.open({
        sources,
        repertoire: { hooks: () => ({ ok: false, output: 'There is no broom.' }) },
        session: { onProblem: (problem) => void problems.push(problem) },
        script: [activate('hooked'), deactivate(), activate('hooked'), say()],
      })
      done(await trial.send('Hello'))
      await trial.end()
      same(
        'the problems (`onProblem` is one of the options that `openSession` is given)',
        problems.map(({ code, skill }) => [code, skill]),
        [
          ['HOOK_FAILED', 'hooked'],
          ['HOOK_FAILED', 'hooked'],
        ],
      )
    },
  },
]
