import { dirname } from 'node:path'
import { activating, type Move, reading } from '../moves.ts'
import type { HostSkills, Workspace } from '../workspace.ts'
import { keepsOut } from './activation.ts'
import { hostChecksOf, longText, manifest, scene } from './define.ts'

const OWN = ['activation', 'own reading'] as const
// Some hosts read only the folders that the standard names. Only `resources-beside` fails them for that.
const REFERENCE = 'references/rules.md'

type Files = Exclude<HostSkills[string], string>

/** A skill with files. */
function auditWith(files: Files): HostSkills {
  return { audit: { 'SKILL.md': manifest('audit', 'Audits.', 'Read the files of this skill.'), ...files } }
}

/** A check that a file of an active skill can be read by its path, and is shown whole. */
function reads(id: string, demands: string, path: string, text = 'Say WORD.') {
  return scene(id, demands, ([word]) => ({
    skills: auditWith({ [path]: text.replaceAll('WORD', word) }),
    moves: [activating('audit'), reading('audit', path)],
    shows: [text.replaceAll('WORD', word)],
  }))
}

/** A check that the conversation goes on after the model has read something that is no file of text. */
function goesOn(id: string, demands: string, move: Move, files: Files = {}) {
  return scene(id, demands, ([word]) => ({
    skills: auditWith({ ...files, [REFERENCE]: `Say ${word}.` }),
    moves: [activating('audit'), move, reading('audit', REFERENCE)],
    shows: [`Say ${word}.`],
  }))
}

/** A check that reading shows nothing of a file outside of the skill, by any of several paths. */
function refuses(
  id: string,
  demands: string,
  pathsTo: (outside: string, workspace: Workspace, text: string) => readonly string[] | Promise<readonly string[]>,
) {
  return keepsOut(id, demands, OWN, async (workspace, secret) => {
    const text = `The secret is ${secret}.`
    const paths = await pathsTo(await workspace.writeOutside('secret.txt', text), workspace, text)
    return paths.map((path) => [activating('audit'), reading('audit', path)])
  })
}

export const resourcesHostChecks = hostChecksOf(
  'resources',
  [
    reads(
      'resources-read',
      'shows a file of an active skill whole, when the model reads it',
      REFERENCE,
      '# WORD\n\n\tCosts $& of <b>WORD</b>.\n{name} & "quotes" \\n\nEnd of WORD.',
    ),
    reads('resources-beside', 'shows a file that lies beside `SKILL.md`', 'reference.md'),
    reads(
      'resources-nested',
      'shows a file in a folder of a folder, whose name has spaces and letters of any script',
      'references/rules/notes – über 検査.md',
    ),
    scene('resources-large', 'shows a file of 200 KB whole, or says that it is cut', ([word]) => {
      const long = longText(2400, word)
      const moves = [activating('audit'), reading('audit', 'assets/data.csv')]
      return { skills: auditWith({ 'assets/data.csv': long }), moves, shows: [`Line 0 of ${word}`], long }
    }),
    goesOn('resources-missing-told', 'tells the model that a file does not exist, and goes on', {
      ...reading('audit', 'references/never-was.md'),
      absent: 'references/never-was.md',
    }),
    goesOn('resources-folder', 'goes on when the model reads a folder as a file', reading('audit', 'references')),
    goesOn(
      'resources-binary-safe',
      'goes on when the model reads a file that is not text',
      reading('audit', 'assets/logo.png'),
      { 'assets/logo.png': Uint8Array.from({ length: 2048 }, (_, at) => (at * 37 + 128) % 256) },
    ),
    refuses('resources-traversal', 'shows no file outside of the skill by a path with `..`', (outside, workspace) => {
      const path = workspace.pathFrom('audit', outside)
      return [path, `./${path}`, `references/../${path}`, path.replaceAll('/', '\\')]
    }),
    keepsOut(
      'resources-skill-traversal',
      'shows no file outside of the skills when the model writes a path as the name of a skill',
      OWN,
      async (workspace, secret) => {
        const folder = dirname(await workspace.writeOutside('secret.txt', `The secret is ${secret}.`))
        const names = [workspace.pathFrom('.', folder), workspace.pathFrom('audit', folder), folder]
        return names.map((name) => [activating('audit'), reading(name, 'secret.txt')])
      },
    ),
    refuses('resources-encoded', 'shows no file outside of the skill by an encoded path', (outside, workspace) => {
      const path = workspace.pathFrom('audit', outside)
      return [path.replaceAll('../', '..%2f'), path.replaceAll('..', '%2e%2e')]
    }),
    refuses('resources-absolute', 'shows no file outside of the skill by an absolute path', (outside) => [
      outside,
      `file://${outside}`,
    ]),
    refuses('resources-link-out', 'follows no link that leads out of the skill', async (outside, workspace) => {
      const links = { 'references/linked.txt': { link: outside }, 'references/up': { link: dirname(outside) } }
      await workspace.write({ audit: links })
      return ['references/linked.txt', 'references/up/secret.txt']
    }),
    refuses(
      'resources-other-skill',
      'shows no file of another skill by a path of this one',
      async (_, workspace, text) => {
        await workspace.write({ 'audit-2': { 'SKILL.md': manifest('audit-2', 'Other.', 'Read.'), 'own.md': text } })
        return ['../audit-2/own.md']
      },
    ),
  ],
  ['activation', 'reading'],
)
