/**
 * Tells which functions of a built package are called until a model is shown its skills: node scripts/first-prompt.ts BUILT.
 * Prints the names of the functions by file.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** What frontmatters hold beside the name, in the ways in which most people write it. */
const FIELDS = [
  'description: Reads PDF files. Use it when a form is to be filled in, too.\nlicense: MIT',
  'description: "Writes release notes: what changed, and for whom."\nallowed-tools: Read, Grep, Bash(git log:*)',
  "description: 'Checks what a team''s tables hold.'\nmetadata:\n  author: a team\n  version: \"1.0\"",
  'description: |\n  Draws charts.\n\n  Use it for reports.\nallowed-tools:\n  - Read\n  - Write',
  'description: >-\n  Translates texts\n  into other languages.\nversion: 1.2.0\ntags: [text, languages]',
  'description: Plans a journey\n  from here to there.\nhomepage: https://example.org/plans\nauthor: Somebody',
  'description: Use it when: the tests fail.\ntriggers:\n  - tests\n  - "a failure"',
  'description: Reviews code. # for now\ncompatibility: Needs git\nrequires:\n  bins: ["git"]\nuser-invocable: true',
]
/** More than a list shows whole. */
const SKILLS = 400

const built = resolve(process.argv[2] ?? 'dist')
const tree = mkdtempSync(join(tmpdir(), 'repertoire-first-prompt-'))
try {
  for (let index = 0; index < SKILLS; index++) {
    const folder = join(tree, `skill-${index}`)
    mkdirSync(folder)
    const frontmatter = `name: skill-${index}\n${FIELDS[index % FIELDS.length]}`
    writeFileSync(join(folder, 'SKILL.md'), `---\n${frontmatter}\n---\n\n# Steps\n\n1. Read what is there.\n`)
  }
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await showSkills()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const called = result.flatMap(({ url, functions }) => {
    const file = url.startsWith('file:') ? relative(built, fileURLToPath(url)) : '..'
    const names = functions.flatMap(({ functionName, ranges }) =>
      ranges.some(({ count }) => count > 0) ? [functionName] : [],
    )
    return file.startsWith('..') ? [] : [[file.replaceAll('\\', '/'), names] as const]
  })
  console.log(JSON.stringify(Object.fromEntries(called)))
} finally {
  rmSync(tree, { recursive: true })
}

async function entry<Entry>(file: string): Promise<Entry> {
  return import(pathToFileURL(join(built, file)).href)
}

async function showSkills(): Promise<void> {
  const { openRepertoire } = await entry<typeof import('../src/index.ts')>('index.js')
  const { directorySource } = await entry<typeof import('../src/node/index.ts')>('node/index.js')
  const sources = [directorySource({ root: tree, layer: 'project' })]
  const repertoire = await openRepertoire({ sources, prepareList: false })
  const view = repertoire.openSession().beginStep(['Bash', 'Read'])
  const shown = `${view.system('You are an agent.')}${JSON.stringify(view.tools)}`
  if (!shown.includes('skill-1')) throw new Error('No skills are shown.')
}
