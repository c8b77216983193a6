import { describe, expect, it } from 'vitest'
import {
  type FolderEntry,
  type FolderListing,
  type Skill,
  type SkillFolder,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { createManifestParser } from '../../src/manifest/index.ts'
import { inspectSkill } from '../../src/session/inspect-skill.ts'

const MANIFEST = '---\nname: pdf\ndescription: Reads PDF files.\n---\nBody.\n'

/** The skill as it was listed, with a folder that holds these files now. */
async function listed(files: Readonly<Record<string, string>>, more: Partial<SkillFolder> = {}): Promise<Skill> {
  const source = (skills: Record<string, string>) => memorySource({ layer: 'project', skills: { pdf: skills } })
  const opened = async (skills: Record<string, string>) => {
    const { catalog } = await openRepertoire({ sources: [source(skills)], profile: 'lenient' })
    return catalog.list()[0]!
  }
  const before = await opened({ 'SKILL.md': MANIFEST })
  // Its folder is the one of another catalog, where these files were found.
  const now = { ...files, 'SKILL.md': files['SKILL.md'] ?? MANIFEST }
  const inMemory: SkillFolder = (await opened({ ...now, 'SKILL.md': MANIFEST })).folder
  const bytes = new TextEncoder().encode(now['SKILL.md'])
  const folder: SkillFolder = {
    location: inMemory.location,
    readManifest: () => Promise.resolve(bytes),
    list: () => inMemory.list(),
    read: (path, options) => (path === 'SKILL.md' ? Promise.resolve(bytes) : inMemory.read(path, options)),
    ...more,
  }
  return { ...before, folder }
}

const prepared = async (skill: Skill) => inspectSkill(skill, createManifestParser(), 'default')

describe('what keeps a skill from being activated', () => {
  it.each([
    [MANIFEST.replace('name: pdf', 'name: zip'), 'its SKILL.md names another skill now, "zip"'],
    [MANIFEST.replace('---\nBody', 'status: draft\n---\nBody'), 'its status is draft now'],
    [MANIFEST.replace('---\nBody', 'status: disabled\n---\nBody'), 'its status is disabled now'],
  ])('[ACT-3, ABUSE-106] %j: %s', async (manifest, broken) => {
    expect(await prepared(await listed({ 'SKILL.md': manifest }))).toEqual({ broken })
  })

  it('[ACT-3, ABUSE-106] is told in the words of the first error of its file', async () => {
    const outcome = await prepared(await listed({ 'SKILL.md': 'No frontmatter at all.\n' }))
    expect(outcome).toEqual({ broken: expect.stringContaining('---') })
  })
})

describe('a skill that is prepared', () => {
  it('[ACT-1] holds what its file says now, also where that takes a library or defines a plan', async () => {
    const plan = 'Plan:\n\n```yaml\nsteps:\n  - tool: Read\n```\n'
    for (const fields of ['type: composite', 'type: composite\nmetadata: { a: "1" }']) {
      const manifest = MANIFEST.replace('---\nBody.\n', `${fields}\n---\n${plan}`)
      const outcome = await prepared(await listed({ 'SKILL.md': manifest }))
      expect(outcome).toMatchObject({ body: plan, manifest: { name: 'pdf', type: 'composite' }, fileName: 'SKILL.md' })
    }
  })
})

describe('the scripts of a skill', () => {
  const file = (path: string, executable = false): FolderEntry => ({ path, size: 1, executable })

  it('[GATE-4, ASK-4] are what an interpreter runs in its folders, and what has a run bit there; hidden ones last', async () => {
    const files = [
      file('SKILL.md', true),
      file('run', true),
      file('scripts', true),
      file('docs/run', true),
      file('scripts/a.sh'),
      file('scripts/notes.md'),
      file('scripts/run', true),
      file('Bin/run', true),
      file('tools/deep/run', true),
      file('tools/data.json'),
      file('scripts\\b.sh'),
      file('./scripts/c.sh'),
    ]
    const withheld = [file('scripts/.hidden.sh'), file('.env')]
    const whole = { truncated: false, refused: [] }
    const listing: FolderListing = { files, ...whole, withheld: { files: withheld, ...whole } }
    const read = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array([1]))
    const skill = await listed({}, { list: () => Promise.resolve(listing), read })
    const outcome = await prepared(skill)
    expect('broken' in outcome ? outcome.broken : outcome.scripts).toEqual([
      'scripts/a.sh',
      'scripts/run',
      'Bin/run',
      'tools/deep/run',
      'scripts\\b.sh',
      './scripts/c.sh',
      'scripts/.hidden.sh',
    ])
  })
})
