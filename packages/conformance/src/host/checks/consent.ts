import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '../../failure.ts'
import type { HostBench } from '../bench.ts'
import { activating, reading } from '../moves.ts'
import { NotApplicable } from '../not-applicable.ts'
import { hidden, hostChecksOf, manifest } from './define.ts'

const NOT_ASKED = 'The host asked nothing before it loaded a skill, so there was no answer to obey.'

/** A skill whose scripts leave a trace, if anything runs them. */
async function withScripts(bench: HostBench) {
  const workspace = await bench.workspace({})
  const trace = JSON.stringify(join(workspace.root, 'trace'))
  const javaScript = `process.getBuiltinModule('node:fs').writeFileSync(${trace}, 'ran')\n`
  await workspace.write({
    plain: {
      'SKILL.md': manifest('plain', 'Plain work.', 'Run scripts/setup.sh if the user agrees.'),
      'scripts/setup.sh': `#!/bin/sh\necho ran > ${trace}\n`,
      'scripts/setup.js': javaScript,
      'scripts/setup.mjs': javaScript,
      'index.js': javaScript,
      'package.json': JSON.stringify({ name: 'plain', main: 'index.js', scripts: { postinstall: 'node index.js' } }),
    },
  })
  const refuseTrace = async (): Promise<void> => {
    const ran = await access(join(workspace.root, 'trace')).then(
      () => true,
      () => false,
    )
    if (ran) throw failure('no script of a skill to run', 'the file that it wrote')
  }
  return { workspace, refuseTrace }
}

export const consentHostChecks = hostChecksOf('consent', [
  {
    id: 'consent-listing-runs-nothing',
    demands: 'runs no script of a skill when it lists it',
    async run(bench) {
      const { workspace, refuseTrace } = await withScripts(bench)
      await (await bench.start(workspace)).list()
      await refuseTrace()
    },
  },
  {
    id: 'consent-activation-runs-nothing',
    demands: 'runs no script of a skill when it is activated',
    needs: ['activation'],
    async run(bench) {
      const { workspace, refuseTrace } = await withScripts(bench)
      await (await bench.start(workspace)).send(activating('plain'))
      await refuseTrace()
    },
  },
  {
    id: 'consent-reading-runs-nothing',
    demands: 'runs no script of a skill when the model reads it',
    needs: ['activation', 'reading'],
    async run(bench) {
      const { workspace, refuseTrace } = await withScripts(bench)
      // Whether a script is shown does not matter.
      await (await bench.start(workspace)).send(activating('plain'), reading('plain', 'scripts/setup.sh'))
      await refuseTrace()
    },
  },
  {
    id: 'consent-no-obeyed',
    demands: 'does not load a skill when a person is asked and says no',
    needs: ['activation'],
    async run(bench) {
      const body = bench.word()
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', `Say ${body}.`) }, { consent: false })
      const [outcome] = await trial.attempt(activating('plain'))
      if (trial.questions.length === 0) throw new NotApplicable(NOT_ASKED)
      if (outcome !== undefined) hidden('the request after a no', outcome.texts, `Say ${body}.`)
    },
  },
  {
    id: 'consent-no-goes-on',
    demands: 'goes on when a person is asked and says no',
    needs: ['activation'],
    async run(bench) {
      const trial = await bench.start({ plain: manifest('plain', 'Plain work.', 'Work.') }, { consent: false })
      const [outcome] = await trial.attempt(activating('plain'))
      if (trial.questions.length === 0) throw new NotApplicable(NOT_ASKED)
      if (outcome === undefined) throw failure('a request that follows the no', 'none')
    },
  },
])
