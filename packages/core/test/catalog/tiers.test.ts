import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Repertoire, openRepertoire } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'

let root = ''
let repertoire: Repertoire

const manifestOf = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n# ${name}\n\nDo it.\n`

async function write(path: string, content: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), content)
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'repertoire-tiers-'))
  await write('pdf/SKILL.md', manifestOf('pdf'))
  await write('pdf/scripts/fill.sh', '#!/bin/sh\n')
  await write('pdf/references/forms.md', 'one\ntwo\nthree\n')
  await write('pdf/assets/form.bin', '\u0000')
  await write('pdf/notes.txt', 'Notes.')
  await write('pdf/.env', 'SECRET=1')
  await write('secret/SKILL.md', manifestOf('secret', 'scope:\n  agents: [keeper]\n'))
  await write('secret/a.md', 'A secret.')
  repertoire = await openRepertoire({ sources: [directorySource({ root, layer: 'project' })] })
})

afterEach(() => rm(root, { recursive: true, force: true }))

describe('tiers', () => {
  it('[SHOW-8] return the metadata of all visible skills, and no body', () => {
    const metadata = repertoire.tiers().metadata()
    expect(metadata).toMatchObject([{ name: 'pdf', layer: 'project', location: join(root, 'pdf') }])
    expect(metadata[0]?.manifest.description).toBe('Does pdf.')
    expect(JSON.stringify(metadata)).not.toContain('Do it.')
    expect(
      repertoire
        .tiers({ viewer: { agent: 'keeper' } })
        .metadata()
        .map(({ name }) => name),
    ).toEqual(['pdf', 'secret'])
  })

  it('[SHOW-8] return the instructions of one skill, or null', async () => {
    const tiers = repertoire.tiers()
    expect(await tiers.instructions('pdf')).toBe('# pdf\n\nDo it.\n')
    await write('pdf/SKILL.md', manifestOf('pdf').replace('Do it.', 'Do it anew.'))
    repertoire.invalidate('pdf')
    expect(await tiers.instructions('pdf')).toContain('Do it anew.')
    await write('pdf/SKILL.md', '---\nname: pdf\ndescription: [half')
    repertoire.invalidate('pdf')
    await expect(tiers.instructions('pdf')).rejects.toMatchObject({ code: 'SKILL_BROKEN' })
    await rm(join(root, 'pdf/SKILL.md'))
    expect(await tiers.instructions('pdf')).toBeNull()
    for (const name of ['nobody', 'constructor', '']) expect(await tiers.instructions(name)).toBeNull()
  })

  it('[SHOW-8] return the resources of one skill by kind, without hidden files, or null', async () => {
    const tiers = repertoire.tiers()
    const { scripts, references, assets, other } = (await tiers.resources('pdf'))!
    expect([scripts, references, assets, other].map((files) => files.map(({ path }) => path))).toEqual([
      ['scripts/fill.sh'],
      ['references/forms.md'],
      ['assets/form.bin'],
      ['notes.txt'],
    ])
    expect(await tiers.resources('nobody')).toBeNull()
  })

  it('[SHOW-8] return one resource, whole or by lines, as text or bytes, or null', async () => {
    const tiers = repertoire.tiers()
    expect(await tiers.resource('pdf', 'references/forms.md', { from: 2, to: 2 })).toMatchObject({ text: 'two' })
    expect(await tiers.resource('pdf', 'assets/form.bin')).toMatchObject({ kind: 'binary' })
    expect(await tiers.resource('pdf', 'scripts/fill.sh')).toMatchObject({ text: '#!/bin/sh\n' })
    expect(await tiers.resource('pdf', 'missing.md')).toBeNull()
    expect(await tiers.resource('nobody', 'a.md')).toBeNull()
    await expect(tiers.resource('pdf', '../secret/a.md')).rejects.toMatchObject({ code: 'RESOURCE_PATH_INVALID' })
    await expect(tiers.resource('pdf', '.env')).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
  })

  it('[SHOW-8, CAT-5] treat an invisible skill as one that does not exist', async () => {
    const tiers = repertoire.tiers({ viewer: { agent: 'other' } })
    expect(await tiers.instructions('secret')).toBeNull()
    expect(await tiers.resources('secret')).toBeNull()
    expect(await tiers.resource('secret', 'a.md')).toBeNull()
    expect(await tiers.resource('secret', '../x')).toBeNull()
    expect(await repertoire.tiers({ viewer: { agent: 'keeper' } }).resource('secret', 'a.md')).toMatchObject({
      text: 'A secret.',
    })
  })
})

it('[SHOW-8] tiers return null for everything of a skill whose folder was deleted', async () => {
  const tiers = repertoire.tiers()
  await rm(join(root, 'pdf'), { recursive: true })
  const found = [
    await tiers.resources('pdf'),
    await tiers.instructions('pdf'),
    await tiers.resource('pdf', 'notes.txt'),
  ]
  expect(found).toEqual([null, null, null])
})

it('[SHOW-8] tiers have the folder of each skill and the path of its SKILL.md', () => {
  const metadata = repertoire.tiers({ viewer: { agent: 'reader' } }).metadata()
  expect(metadata).toMatchObject([{ location: join(root, 'pdf'), path: join(root, 'pdf/SKILL.md') }])
})
