import { failure } from '../../failure.ts'
import type { HostBench } from '../bench.ts'
import { activating, reading } from '../moves.ts'
import type { HostSkills } from '../workspace.ts'
import { toldOfFailure, wholeOrCut } from './activation.ts'
import { hidden, hostChecksOf, manifest, shown, wholly } from './define.ts'

const NEEDS = ['activation', 'reading'] as const
const OWN = ['activation', 'own reading'] as const
const LARGE_LINES = 3000
// Some hosts read only the folders that the standard names. Only `resources-beside` fails them for that.
const REFERENCE = 'references/rules.md'

type Files = Exclude<HostSkills[string], string>

/** Starts a conversation over one skill with files. */
async function startWith(bench: HostBench, files: Files) {
  const body = `Read the files of this skill.`
  return bench.start({ audit: { 'SKILL.md': manifest('audit', 'Audits.', body), ...files } })
}

/** A check that a file of an active skill can be read by its path. */
function reads(id: string, demands: string, path: string) {
  return {
    id,
    demands,
    needs: NEEDS,
    async run(bench: HostBench) {
      const word = bench.word()
      const trial = await startWith(bench, { [path]: `Say ${word}.` })
      const [, outcome] = await trial.send(activating('audit'), reading('audit', path))
      shown('the request after reading', outcome!.texts, word)
    },
  }
}

/** A check that reading a path shows nothing of a file outside of the skill. */
function refuses(
  id: string,
  demands: string,
  prepare: (
    bench: HostBench,
    secret: string,
  ) => Promise<{ readonly trial: () => ReturnType<HostBench['start']>; readonly paths: readonly string[] }>,
) {
  return {
    id,
    demands,
    needs: OWN,
    async run(bench: HostBench) {
      const secret = bench.word()
      const { trial, paths } = await prepare(bench, secret)
      for (const path of paths) {
        const [, outcome] = await (await trial()).attempt(activating('audit'), reading('audit', path))
        if (outcome !== undefined) hidden(`the request after reading ${JSON.stringify(path)}`, outcome.texts, secret)
      }
    },
  }
}

/** A skill in a working folder, and a secret beside that folder. */
async function withSecret(bench: HostBench, secret: string) {
  const workspace = await bench.workspace({
    audit: { 'SKILL.md': manifest('audit', 'Audits.', 'Read.'), 'a.md': 'A.' },
  })
  const outside = await workspace.writeOutside('secret.txt', `The secret is ${secret}.`)
  return { workspace, outside, trial: () => bench.start(workspace) }
}

export const resourcesHostChecks = hostChecksOf('resources', [
  {
    id: 'resources-read',
    demands: 'shows a file of an active skill whole, when the model reads it',
    needs: NEEDS,
    async run(bench) {
      const word = bench.word()
      const text = `# ${word}\n\n\tCosts $& of <b>${word}</b>.\n{name} & "quotes" \\n\nEnd of ${word}.`
      const trial = await startWith(bench, { [REFERENCE]: text })
      const [, outcome] = await trial.send(activating('audit'), reading('audit', REFERENCE))
      wholly('the request after reading', outcome!.texts, text)
    },
  },
  reads('resources-beside', 'shows a file that lies beside `SKILL.md`', 'reference.md'),
  reads('resources-nested', 'shows a file in a folder of a folder', 'references/rules/style.md'),
  reads(
    'resources-name',
    'shows a file whose name has spaces and letters of any script',
    'references/notes – über 検査.md',
  ),
  {
    id: 'resources-large',
    demands: 'shows a file of 200 KB whole, or says that it is cut',
    needs: NEEDS,
    async run(bench) {
      const word = bench.word()
      const text = Array.from({ length: LARGE_LINES }, (_, at) => `Row ${at} of ${word}: ${'value, '.repeat(7)}`).join(
        '\n',
      )
      const trial = await startWith(bench, { 'assets/data.csv': text })
      const [, outcome] = await trial.send(activating('audit'), reading('audit', 'assets/data.csv'))
      shown('the request after reading', outcome!.texts, `Row 0 of ${word}`)
      wholeOrCut(outcome!, text, word)
    },
  },
  {
    id: 'resources-missing-told',
    demands: 'tells the model that a file does not exist, and goes on',
    needs: NEEDS,
    async run(bench) {
      const word = bench.word()
      const trial = await startWith(bench, { [REFERENCE]: `Say ${word}.` })
      const [, missing, next] = await trial.send(
        activating('audit'),
        reading('audit', 'references/never-was.md'),
        reading('audit', REFERENCE),
      )
      toldOfFailure(missing!, 'references/never-was.md')
      shown('the request after reading another file', next!.texts, word)
    },
  },
  {
    id: 'resources-folder',
    demands: 'goes on when the model reads a folder as a file',
    needs: NEEDS,
    async run(bench) {
      const word = bench.word()
      const trial = await startWith(bench, { [REFERENCE]: `Say ${word}.` })
      const [, , next] = await trial.send(
        activating('audit'),
        reading('audit', 'references'),
        reading('audit', REFERENCE),
      )
      shown('the request after reading a file', next!.texts, word)
    },
  },
  {
    id: 'resources-binary-safe',
    demands: 'goes on when the model reads a file that is not text',
    needs: NEEDS,
    async run(bench) {
      const word = bench.word()
      const bytes = Uint8Array.from({ length: 2048 }, (_, at) => (at * 37 + 128) % 256)
      const trial = await startWith(bench, { 'assets/logo.png': bytes, [REFERENCE]: `Say ${word}.` })
      const [, , next] = await trial.send(
        activating('audit'),
        reading('audit', 'assets/logo.png'),
        reading('audit', REFERENCE),
      )
      shown('the request after reading another file', next!.texts, word)
      if (trial.refused.length > 0) throw failure('every request to be valid', trial.refused)
    },
  },
  refuses('resources-traversal', 'shows no file outside of the skill by a path with `..`', async (bench, secret) => {
    const { workspace, outside, trial } = await withSecret(bench, secret)
    const path = workspace.pathFrom('audit', outside)
    return { trial, paths: [path, `./${path}`, `references/../${path}`, path.replaceAll('/', '\\')] }
  }),
  {
    id: 'resources-skill-traversal',
    demands: 'shows no file outside of the skills when the model writes a path as the name of a skill',
    needs: OWN,
    async run(bench) {
      const secret = bench.word()
      const { workspace, outside, trial } = await withSecret(bench, secret)
      const folder = outside.slice(0, -'/secret.txt'.length)
      for (const name of [workspace.pathFrom('.', folder), workspace.pathFrom('audit', folder), folder]) {
        const [, outcome] = await (await trial()).attempt(activating('audit'), reading(name, 'secret.txt'))
        if (outcome !== undefined) hidden(`the request after reading of "${name}"`, outcome.texts, secret)
      }
    },
  },
  refuses('resources-encoded', 'shows no file outside of the skill by an encoded path', async (bench, secret) => {
    const { workspace, outside, trial } = await withSecret(bench, secret)
    const path = workspace.pathFrom('audit', outside)
    return { trial, paths: [path.replaceAll('../', '..%2f'), path.replaceAll('..', '%2e%2e')] }
  }),
  refuses('resources-absolute', 'shows no file outside of the skill by an absolute path', async (bench, secret) => {
    const { outside, trial } = await withSecret(bench, secret)
    return { trial, paths: [outside, `file://${outside}`] }
  }),
  refuses('resources-link-out', 'follows no link that leads out of the skill', async (bench, secret) => {
    const { workspace, outside, trial } = await withSecret(bench, secret)
    const folder = outside.slice(0, -'/secret.txt'.length)
    await workspace.write({ audit: { 'references/linked.txt': { link: outside }, 'references/up': { link: folder } } })
    return { trial, paths: ['references/linked.txt', 'references/up/secret.txt'] }
  }),
  refuses('resources-other-skill', 'shows no file of another skill by a path of this one', async (bench, secret) => {
    const { workspace, trial } = await withSecret(bench, 'unused')
    await workspace.write({
      'audit-2': { 'SKILL.md': manifest('audit-2', 'Other.', 'Read.'), 'own.md': `The secret is ${secret}.` },
    })
    return { trial, paths: ['../audit-2/own.md'] }
  }),
])
