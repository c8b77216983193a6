import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import {
  memorySource,
  openRepertoire,
  type RepertoireOptions,
  type SessionOptions,
  type SessionProblem,
} from '../../../src/index.ts'
import { directorySource, standardSources } from '../../../src/node/index.ts'

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-none-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** What a session reports over two steps, of which each opens it again, as frameworks do. */
async function problemsOf(
  options: RepertoireOptions,
  session: SessionOptions = {},
): Promise<readonly SessionProblem[]> {
  const problems: SessionProblem[] = []
  const repertoire = await openRepertoire(options)
  for (const names of [[], ['Read']]) {
    await openAdapterSession(repertoire, { id: 'one', onProblem: (each) => problems.push(each), ...session }).step({
      tools: names,
    })
  }
  return problems
}

const greet = { 'SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n' }

it('[FRONT-5] a deployment without its skills is one problem of each session, with the places and the remedy', async () => {
  const project = folder()
  const sources = standardSources({ project, enterprise: false })
  expect(await problemsOf({ sources })).toEqual([
    {
      code: 'NO_SKILLS',
      message: expect.stringMatching(/Searched: .*\. .*A deployment must include .*`embedSkills`\./),
    },
  ])
})

it('[FRONT-5] the problem names the places that a person can fill, and no source that only reports', async () => {
  const [home, project] = [folder(), folder()]
  const sources = standardSources({ project, home, enterprise: false, packages: true, folders: ['skills', 'more'] })
  const [problem] = await problemsOf({ sources: [...sources, { id: 'shelf', layer: 'project', scan: () => [] }] })
  const folders = [home, project].flatMap((base) => [join(base, 'skills'), join(base, 'more')])
  const searched = [...folders, `the npm packages of ${project}`, 'shelf'].join(', ')
  expect(problem?.message).toContain(` Searched: ${searched}. `)
})

it('[FRONT-5] the problem names the missing folder', async () => {
  const base = folder()
  const [problem] = await problemsOf({ sources: [directorySource({ root: join(base, 'skill') })] })
  expect(problem?.message).toContain(`${join(base, 'skill')} does not exist`)
})

it('[FRONT-5] the problem names a skill that is broken', async () => {
  const [problem] = await problemsOf({
    sources: [memorySource({ skills: { broken: { 'SKILL.md': 'no frontmatter' } } })],
  })
  expect(problem).toMatchObject({
    code: 'NO_SKILLS',
    message: expect.stringContaining('SKILL.md: The file does not begin'),
  })
})

it('[FRONT-5] reports nothing where a host wants no skill, or hides those that there are', async () => {
  const root = join(folder(), 'later')
  expect(await problemsOf({ sources: [directorySource({ root, optional: true })] })).toEqual([])
  expect(await problemsOf({ sources: [] })).toEqual([])
  expect(await problemsOf({ sources: [directorySource({ root })], enabled: false })).toEqual([])
  expect(await problemsOf({ sources: [memorySource({ skills: { greet } })] }, { skills: [] })).toEqual([])
})
