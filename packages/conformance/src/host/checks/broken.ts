import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '../../failure.ts'
import type { HostBench } from '../bench.ts'
import { activating } from '../moves.ts'
import type { HostSkills, Workspace } from '../workspace.ts'
import { hidden, hostChecksOf, manifest, shown } from './define.ts'

const BODY = 'Do what the user asks.'

/** A check that a sound skill is listed beside something that is broken. */
function survives(id: string, what: string, broken: HostSkills) {
  return {
    id,
    demands: `lists the other skills beside ${what}`,
    async run(bench: HostBench) {
      const word = bench.word()
      const list = await (await bench.start({ ...broken, sound: manifest('sound', `Sound ${word}.`, BODY) })).list()
      shown('the list', list, `Sound ${word}.`)
    },
  }
}

/** A check that no code of a manifest runs: not when it is listed, and not when it is activated. */
function runsNothing(id: string, demands: string, manifestOf: (file: string) => string) {
  return {
    id,
    demands,
    async run(bench: HostBench) {
      const word = bench.word()
      const workspace = await bench.workspace({ sound: manifest('sound', `Sound ${word}.`, BODY) })
      const trace = join(workspace.root, 'trace')
      await workspace.write({ coded: manifestOf(trace) })
      const trial = await bench.start(workspace)
      // Whether the skill is listed does not matter, nor whether it can be activated.
      await trial.attempt(activating('coded'))
      await refuseTrace(workspace)
    },
  }
}

async function refuseTrace({ root }: Workspace): Promise<void> {
  const exists = await access(join(root, 'trace')).then(
    () => true,
    () => false,
  )
  if (exists) throw failure('no code of a skill to run', 'the file that it wrote')
}

/** An expression that writes a file, in any module system of Node. */
function writing(file: string): string {
  return `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(file)}, "ran")`
}

export const brokenHostChecks = hostChecksOf('broken', [
  survives('broken-yaml', 'a skill with invalid YAML', {
    broken: '---\nname: broken\ndescription: "open\n  : - [\n---\n\nBody.\n',
  }),
  survives('broken-no-frontmatter', 'a skill without frontmatter', { broken: '# Only a heading\n\nText.\n' }),
  survives('broken-unclosed', 'a skill whose frontmatter does not end', {
    broken: '---\nname: broken\ndescription: Never ends.\n\nText.\n',
  }),
  survives('broken-empty', 'an empty `SKILL.md`', { broken: '' }),
  survives('broken-not-text', 'a `SKILL.md` that is not text', {
    broken: { 'SKILL.md': Buffer.from(manifest('broken', 'Bad \u00ff\u00fe.', BODY), 'latin1') },
  }),
  survives('broken-types', 'a skill whose name and description are not text', {
    broken: '---\nname: [a, b]\ndescription: { a: 1 }\n---\n\nBody.\n',
  }),
  survives('broken-no-manifest', 'a folder without `SKILL.md`', { broken: { 'README.md': 'Nothing.' } }),
  survives('broken-manifest-folder', 'a folder named `SKILL.md`', { broken: { 'SKILL.md/README.md': 'Nothing.' } }),
  survives('broken-stray-file', 'a file between the folders', {
    other: { 'SKILL.md': manifest('other', 'Other work.', BODY), '../notes.txt': 'Nothing.' },
  }),
  survives('broken-link', 'a link that leads nowhere', {
    other: { 'SKILL.md': manifest('other', 'Other work.', BODY), '../gone': { link: './never-was' } },
  }),
  runsNothing(
    'broken-no-code-runs',
    'runs no code in frontmatter that names a language (`---js`)',
    (file) => `---js\n{ name: "coded", description: (${writing(file)}, "Coded.") }\n---\n\nBody.\n`,
  ),
  runsNothing(
    'broken-no-yaml-code',
    'runs no code that YAML tags make (`!!js/function`)',
    (file) =>
      `---\nname: coded\ndescription:\n  toString: !!js/function 'function () { ${writing(file)}; return "Coded." }'\n---\n\nBody.\n`,
  ),
  {
    id: 'broken-no-description-left-out',
    level: 'SHOULD',
    demands: 'leaves out a skill without a description, which the standard requires',
    async run(bench) {
      const [word, nameless] = [bench.word(), bench.word()]
      const list = await (
        await bench.start({
          sound: manifest('sound', `Sound ${word}.`, BODY),
          [nameless]: `---\nname: ${nameless}\n---\n\n${BODY}\n`,
        })
      ).list()
      shown('the list', list, word)
      hidden('the list', list, nameless)
    },
  },
])
