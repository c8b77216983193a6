import { posix } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memorySource } from '../../src/index.ts'
import { digestFolder, findResource, readResource } from '../../src/authoring.ts'
import { type SkillFolder, groupResources } from '@repertoire/skill-md/internal'
import { pathProblem } from '../../src/resources/path.ts'

const MANIFEST = '---\nname: s\ndescription: A skill.\n---\nBody.\n'

/** The folder of a skill that holds these files. */
function folderOf(files: Readonly<Record<string, string | Uint8Array>>): SkillFolder {
  const source = memorySource({ layer: 'project', skills: { s: { 'SKILL.md': MANIFEST, ...files } } })
  return source.scan()[0]!.folder
}

const digest = async (folder: SkillFolder): Promise<string> =>
  digestFolder(folder, await folder.list(), await folder.readManifest())

describe('groupResources', () => {
  it('[RES-1] sorts files into scripts, references, assets and others, without the manifest', async () => {
    const { files } = await folderOf({
      'scripts/a.sh': '',
      'references/b/c.md': '',
      'assets/d.png': '',
      'e.md': '',
      'scriptsx/f': '',
      scripts2: '',
    }).list()
    const { scripts, references, assets, other } = groupResources(files)
    const paths = (entries: readonly { path: string }[]) => entries.map(({ path }) => path)
    expect(paths(scripts)).toEqual(['scripts/a.sh'])
    expect(paths(references)).toEqual(['references/b/c.md'])
    expect(paths(assets)).toEqual(['assets/d.png'])
    expect(paths(other)).toEqual(['e.md', 'scripts2', 'scriptsx/f'])
  })
})

describe('readResource', () => {
  const folder = folderOf({
    'a.md': 'one\ntwo\nthree',
    'b.md': 'one\n',
    'c.bin': new Uint8Array([255, 254, 0]),
    'd.txt': new Uint8Array([0xc3, 0x28]),
    empty: '',
  })

  it('[RES-2] reads a text whole, exactly as it is', async () => {
    expect(await readResource(folder, 'a.md')).toEqual({
      kind: 'text',
      path: 'a.md',
      text: 'one\ntwo\nthree',
      from: 1,
      to: 3,
      lines: 3,
    })
    expect(await readResource(folder, 'b.md')).toMatchObject({ text: 'one\n', lines: 1 })
    expect(await readResource(folder, 'empty')).toMatchObject({ text: '', lines: 0 })
  })

  it('[RES-2] reads a range of lines, cut to what is there', async () => {
    expect(await readResource(folder, 'a.md', { from: 2 })).toMatchObject({ text: 'two\nthree', from: 2, to: 3 })
    expect(await readResource(folder, 'a.md', { to: 1 })).toMatchObject({ text: 'one', from: 1, to: 1 })
    expect(await readResource(folder, 'a.md', { from: 3, to: 99 })).toMatchObject({ text: 'three', to: 3 })
    expect(await readResource(folder, 'a.md', { from: 9 })).toMatchObject({ text: '', lines: 3 })
  })

  it('[RES-2] gives what is not text as its bytes, unchanged', async () => {
    expect(await readResource(folder, 'c.bin')).toEqual({
      kind: 'binary',
      path: 'c.bin',
      bytes: new Uint8Array([255, 254, 0]),
    })
    expect(await readResource(folder, 'd.txt')).toMatchObject({ kind: 'binary' })
  })

  it('[RES-2] gives null or a typed error for a missing file, as the call says', async () => {
    expect(await findResource(folder, 'none.md')).toBeNull()
    await expect(readResource(folder, 'none.md')).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    await expect(findResource(folder, '../x')).rejects.toMatchObject({ code: 'RESOURCE_PATH_INVALID' })
  })

  it.each(['from', 'to', 'maxBytes'] as const)(
    '[RES-2] refuses NaN for %s, which would lift the limit',
    async (name) => {
      const reading = readResource(folder, 'notes.txt', { [name]: Number.NaN })
      await expect(reading).rejects.toThrow(new RegExp(`\`${name}\` is NaN\\. Give `))
      await expect(reading).rejects.toBeInstanceOf(TypeError)
    },
  )

  it('[RES-2, ABUSE-29] reads no file over the size that the call allows', async () => {
    await expect(readResource(folder, 'a.md', { maxBytes: 3 })).rejects.toMatchObject({ code: 'RESOURCE_TOO_LARGE' })
  })
})

describe('digestFolder', () => {
  const base = { 'scripts/a.sh': 'echo', 'references/b.md': 'b' }

  it('[ASK-2] is the same for the same content', async () => {
    expect(await digest(folderOf(base))).toBe(await digest(folderOf(base)))
    expect(await digest(folderOf(base))).toMatch(/^[0-9a-f]{64}$/)
  })

  it('[ASK-2] stays what it was from one release to the next, since what was agreed to hangs on it', async () => {
    const digests = await Promise.all(
      [{}, base, { ...base, '.env': 'a', 'ä "b".md': 'ö' }].map((files) => digest(folderOf(files))),
    )
    expect(digests).toEqual([
      'fb0664ef8dfd13de2b501abcf56278212bacce3d01506afdb8b8a657c63a197d',
      '6e47d1e12b58abc33ea57b5686d5ddcc9e2c8ea4dc7d6b913f66f0c3aebb94ca',
      'b55ce6a141459bfe6a4e6027772736ebf7aada4f9a57dea8b55194c8d9086c7b',
    ])
  })

  it('[ASK-2, ABUSE-92] differs with any byte, any name, and any file more or less', async () => {
    const folders: readonly Readonly<Record<string, string>>[] = [
      base,
      { ...base, 'scripts/a.sh': 'echo!' },
      { ...base, 'scripts/b.sh': 'echo' },
      { 'scripts/a.sh': 'echo' },
      { 'scripts/a.shecho': '', 'references/b.md': 'b' },
      { ...base, 'SKILL.md': `${MANIFEST} ` },
    ]
    const digests = await Promise.all(folders.map((files) => digest(folderOf(files))))
    expect(new Set(digests).size).toBe(digests.length)
  })

  it('[ASK-2, ABUSE-92] differs with any byte of a hidden file, and not with those of .git', async () => {
    const kept = [
      base,
      { ...base, 'scripts/.lib.sh': 'a' },
      { ...base, 'scripts/.lib.sh': 'b' },
      { ...base, '.lib/x': 'a' },
      { ...base, '.env': 'a' },
    ]
    const digests = await Promise.all(kept.map((files) => digest(folderOf(files))))
    expect(new Set(digests).size).toBe(kept.length)
    for (const path of ['.git/HEAD', 'sub/.git']) {
      expect(await digest(folderOf({ ...base, [path]: 'a' }))).toBe(digests[0])
    }
  })

  it('[ASK-2] vouches for no folder with node_modules, which it does not look into', async () => {
    const folder = folderOf({ ...base, 'lib/node_modules/x/index.js': '', '.git/node_modules/x': '' })
    expect((await folder.list()).withheld.refused).toEqual([{ path: 'lib/node_modules', reason: 'not searched' }])
    expect(await digest(folder)).not.toBe(await digest(folder))
  })

  it('[ASK-2] vouches for no folder that it did not see whole: every call gives another', async () => {
    const folder = folderOf(base)
    const cut: SkillFolder = { ...folder, list: async () => ({ ...(await folder.list()), truncated: true }) }
    expect(await digest(folder)).toBe(await digest(folder))
    expect(await digest(cut)).not.toBe(await digest(cut))
  })
})

describe('paths', () => {
  it.each([
    '',
    '/',
    '/a',
    '../a',
    'a/../b',
    'a/..',
    'a//b',
    'a/',
    '.',
    './.',
    'a\\b',
    'a\0b',
    'C:a',
    'file:///a',
    'http://x/a',
    '%2e%2e/a',
    '%2E%2E%2Fa',
  ])('[RES-3, ABUSE-24] takes %j as no path inside a folder', (path) => {
    expect(pathProblem(path)).toBeTypeOf('string')
  })

  it.each(['a', './a', 'a/b.md', 'a b', 'ä/ö.md', '..a', 'a..', '...'])(
    '[RES-2] takes %j as a path inside a folder',
    (path) => {
      expect(pathProblem(path)).toBeUndefined()
    },
  )

  it('[RES-3, ABUSE-24] resolves no accepted path out of its folder', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', '.', '..', '', '...', '%2e', '~')), (parts) => {
        const path = parts.join('/')
        if (pathProblem(path) !== undefined) return
        expect(posix.resolve('/skills/s', path).startsWith('/skills/s/')).toBe(true)
      }),
    )
  })
})
