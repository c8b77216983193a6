import { describe, expect, it } from 'vitest'
import {
  type FolderEntry,
  type FolderListing,
  type Outcome,
  type SkillConsentRequest,
  type SkillFolder,
  type SkillSource,
  memorySource,
} from '../../src/index.ts'
import { activate, open } from './session-world.ts'
import { mapped } from '../mapped-source.ts'

const MANIFEST = '---\nname: pdf\ndescription: Reads PDF files.\n---\nBody.\n'

/** Activates a skill whose folder is another one now than when it was listed. */
async function activated(now: Partial<SkillFolder>): Promise<{ outcome: Outcome; asked: SkillConsentRequest[] }> {
  const listed = memorySource({ layer: 'project', skills: { pdf: { 'SKILL.md': MANIFEST } } })
  const source: SkillSource = {
    ...listed,
    scan: () => mapped(listed, (found) => ({ ...found, folder: { ...found.folder, ...now } })),
  }
  const asked: SkillConsentRequest[] = []
  const consent = (request: unknown) => asked.push(request as SkillConsentRequest) > 0
  const { session } = await open({ consent }, { sources: [source], catalog: { profile: 'lenient' } })
  return { outcome: await activate(session, 'pdf'), asked }
}

/** A folder with this SKILL.md. */
const folderOf = (manifest: string): Partial<SkillFolder> => {
  const bytes = () => Promise.resolve(new TextEncoder().encode(manifest))
  return { readManifest: bytes, read: bytes }
}

describe('a skill whose SKILL.md has changed since it was listed', () => {
  it.each([
    [MANIFEST.replace('name: pdf', 'name: zip'), 'its SKILL.md names another skill now, "zip"'],
    [MANIFEST.replace('---\nBody', 'status: draft\n---\nBody'), 'its status is draft now'],
    [MANIFEST.replace('---\nBody', 'status: disabled\n---\nBody'), 'its status is disabled now'],
    ['No frontmatter at all.\n', '"---"'],
  ])('[ACT-3, ABUSE-106] is refused where it is %j: %s', async (manifest, why) => {
    const { outcome, asked } = await activated(folderOf(manifest))
    expect(outcome).toMatchObject({
      ok: false,
      refusal: { code: 'SKILL_BROKEN', detail: expect.stringContaining(why) as string },
    })
    expect(asked).toEqual([])
  })

  it.each(['type: composite', 'type: composite\nmetadata: { a: "1" }'])(
    '[ACT-1] is activated as its file says now, also with the fields %j',
    async (fields) => {
      const plan = 'Plan:\n\n```yaml\nsteps:\n  - tool: Read\n```'
      const { outcome } = await activated(folderOf(MANIFEST.replace('---\nBody.\n', `${fields}\n---\n${plan}\n`)))
      expect(outcome).toMatchObject({ ok: true, value: { name: 'pdf', type: 'composite' } })
      expect(outcome.text).toContain('1. `Read` {}')
    },
  )
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
    const { asked } = await activated({ list: () => Promise.resolve(listing), read })
    expect(asked[0]!.scripts).toEqual([
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
