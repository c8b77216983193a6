import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SkillFolder, type SkillSource, bundledSource, memorySource, openRepertoire } from '../../src/index.ts'
import { directorySource, packageSource } from '../../src/node/index.ts'

const manifest = (name: string): string => `---\nname: ${name}\ndescription: d\n---\nBody.\n`

let base: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'repertoire-memory-'))
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

it('a skill of a catalog is written as JSON with its folder', async () => {
  const source = memorySource({ layer: 'project', skills: { own: { 'SKILL.md': manifest('own') } } })
  const { catalog } = await openRepertoire({ sources: [source] })
  const [skill] = catalog.list()
  expect(JSON.parse(JSON.stringify(skill))).toMatchObject({
    name: 'own',
    layer: 'project',
    folder: { location: skill!.folder.location },
  })
})

describe('[DISC-12] sources beside folders', () => {
  it('[DISC-4] in memory are in the layer of the project by default', () => {
    expect(memorySource({ skills: {} }).layer).toBe('project')
  })

  it('in memory, bundled, in npm packages, in folders and of a host’s own are combined in one catalog', async () => {
    mkdirSync(join(base, 'skills/on-disk'), { recursive: true })
    writeFileSync(join(base, 'skills/on-disk/SKILL.md'), manifest('on-disk'))
    mkdirSync(join(base, 'node_modules/tool/skills/packaged'), { recursive: true })
    writeFileSync(join(base, 'node_modules/tool/skills/packaged/SKILL.md'), manifest('packaged'))
    writeFileSync(join(base, 'node_modules/tool/package.json'), '{ "version": "2.0.0" }')
    writeFileSync(join(base, 'package.json'), '{ "dependencies": { "tool": "*" } }')
    const inner = memorySource({ layer: 'enterprise', skills: { own: { 'SKILL.md': manifest('own') } } })
    const own: SkillSource = { id: 'my-registry', layer: 'enterprise', scan: () => inner.scan() }
    const { catalog } = await openRepertoire({
      sources: [
        own,
        directorySource({ root: join(base, 'skills'), layer: 'project', id: 'disk' }),
        memorySource({ layer: 'personal', id: 'made', skills: { made: { 'SKILL.md': manifest('made') } } }),
        packageSource({ project: base }),
        bundledSource(),
      ],
    })
    expect(catalog.list().map(({ name, layer, source }) => `${name} ${layer} ${source}`)).toEqual([
      'made personal made',
      'on-disk project disk',
      'own enterprise my-registry',
      'packaged plugin npm:tool@2.0.0',
      'review-a-skill bundled bundled',
      'write-a-skill bundled bundled',
    ])
    expect(catalog.diagnostics).toEqual([])
  })

  it('in memory return what the same skill on a disk returns: manifest, listing, contents and refusals', async () => {
    const files: Record<string, string | Uint8Array> = {
      'SKILL.md': manifest('a'),
      'references/b.md': 'b',
      'assets/c.bin': Uint8Array.from([0, 255]),
      '.env': 'SECRET=1',
      'node_modules/x/index.js': '',
      '.git/config': '',
    }
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(base, 'a', path, '..'), { recursive: true })
      writeFileSync(join(base, 'a', path), content)
    }
    const folderOf = async (source: SkillSource): Promise<SkillFolder> =>
      (await openRepertoire({ sources: [source] })).catalog.get('a').folder
    const seen = async (folder: SkillFolder): Promise<unknown> => {
      const read = (path: string, withheld = false): Promise<unknown> =>
        folder.read(path, { withheld, maxBytes: 5 }).then(
          (bytes) => [...bytes],
          ({ code }: { code: string }) => code,
        )
      const { files: listed, withheld, truncated, refused } = await folder.list()
      return {
        manifest: [...(await folder.readManifest())],
        listed,
        truncated,
        refused,
        hidden: withheld.files,
        closed: withheld.refused.map(({ path }) => path),
        reads: await Promise.all(
          [...Object.keys(files), 'none', '../a/SKILL.md', '/etc/passwd', 'references', 'a\\b', ''].map((path) =>
            read(path),
          ),
        ),
        withheld: await Promise.all(['.env', '.git/config', 'node_modules/x/index.js'].map((path) => read(path, true))),
      }
    }
    const inMemory = await seen(await folderOf(memorySource({ layer: 'project', skills: { a: files } })))
    const onDisk = (await seen(await folderOf(directorySource({ root: base, layer: 'project' })))) as {
      reads: unknown[]
    }
    // In memory a folder is not a file; on a disk it is a folder, which is not read.
    const folderRead = Object.keys(files).length + 3
    expect(onDisk.reads[folderRead]).toBe('RESOURCE_REFUSED')
    expect(inMemory).toEqual({ ...onDisk, reads: onDisk.reads.with(folderRead, 'RESOURCE_NOT_FOUND') })
  })

  it('in memory ignore later changes of their input, and hold no inherited property', async () => {
    const skills = { a: { 'SKILL.md': manifest('a') } as Record<string, string> }
    const source = memorySource({ layer: 'project', skills })
    skills.a['more.md'] = 'later'
    const { catalog } = await openRepertoire({ sources: [source] })
    const { folder } = catalog.get('a')
    await expect(folder.read('more.md')).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    for (const path of ['constructor', 'toString', '__proto__']) {
      await expect(folder.read(path)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    }
    expect(catalog.has('constructor')).toBe(false)
  })

  it.each<[unknown, string | RegExp]>([
    [[{ name: 'pdf', content: '' }], "`skills` is a list. Give an object of skills, such as { 'my-skill'"],
    [undefined, "`skills` is missing. Give an object of skills, such as { 'my-skill'"],
    ['pdf', '`skills` is "pdf"'],
    [{ pdf: manifest('pdf') }, /`skills\.pdf` is "---.*Give an object of files, such as \{ 'SKILL\.md'/],
    [{ pdf: ['SKILL.md'] }, '`skills.pdf` is a list'],
    [{ pdf: { 'SKILL.md': { text: '' } } }, '`skills.pdf["SKILL.md"]` are `content`, `executable`'],
    [{ pdf: { 'SKILL.md': 5 } }, '`skills.pdf["SKILL.md"]` is 5. Give a string, or bytes'],
  ])('skills in memory of a wrong shape are refused with what, where and how to fix it: %j', (given, message) => {
    const make = (): SkillSource => memorySource({ layer: 'project', skills: given as never })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})
