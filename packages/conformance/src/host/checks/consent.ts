import { failure } from '../../failure.ts'
import { NotApplicable } from '../bench.ts'
import type { HostCheck } from '../check.ts'
import { activating, type Move, reading } from '../moves.ts'
import type { Workspace } from '../workspace.ts'
import { hidden, hostChecksOf, manifest, saying, scene } from './define.ts'

/** A check that nothing runs the scripts of a skill. */
function runsNothing(id: string, demands: string, needs: HostCheck['needs'] = [], moves?: readonly Move[]) {
  const write = (_: unknown, workspace: Workspace) => {
    const trace = JSON.stringify(workspace.trace)
    const plain = {
      'SKILL.md': manifest('plain', 'Plain work.', 'Run scripts/setup.sh if the user agrees.'),
      'scripts/setup.sh': `#!/bin/sh\necho ran > ${trace}\n`,
      'index.js': `process.getBuiltinModule('node:fs').writeFileSync(${trace}, 'ran')\n`,
      'package.json': JSON.stringify({ name: 'plain', main: 'index.js', scripts: { postinstall: 'node index.js' } }),
    }
    return { skills: { plain }, moves, shows: [] }
  }
  return scene(id, demands, write, { needs })
}

export const consentHostChecks = hostChecksOf('consent', [
  runsNothing('consent-listing-runs-nothing', 'runs no script of a skill when it lists it'),
  runsNothing(
    'consent-activation-runs-nothing',
    'runs no script of a skill when it is activated',
    ['activation'],
    [activating('plain')],
  ),
  runsNothing(
    'consent-reading-runs-nothing',
    'runs no script of a skill when the model reads it',
    ['activation', 'reading'],
    [activating('plain'), reading('plain', 'scripts/setup.sh')],
  ),
  {
    id: 'consent-no-obeyed',
    demands: 'does not load a skill when a person is asked and says no, and goes on',
    needs: ['activation'],
    async run(bench) {
      const word = bench.word()
      const trial = await bench.start(saying({ plain: word }), { consent: false })
      const [outcome] = await trial.attempt(activating('plain'))
      if (trial.questions.length === 0)
        throw new NotApplicable('The host asked nothing before it loaded a skill, so there was no answer to obey.')
      if (outcome === undefined) throw failure('a request that follows the no', 'none')
      hidden('the request after a no', outcome.texts, word)
    },
  },
])
