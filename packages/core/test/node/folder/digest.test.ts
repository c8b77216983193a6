import { createHash } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FolderSurvey, SkillFolder } from '../../../src/index.ts'
import { measureFolder } from '../../../src/stores.ts'
import { directorySource, skillFolder } from '../../../src/node/index.ts'

let base: string
let skill: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-digest-'))
  skill = join(base, 'pdf')
  write('SKILL.md', '---\nname: pdf\ndescription: Reads PDF files.\n---\nBody.\n')
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function write(path: string, content: string | Uint8Array = path): string {
  const whole = join(skill, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  return whole
}

const hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

async function measured(folder: SkillFolder): Promise<FolderSurvey> {
  const manifest = await folder.readManifest()
  const listing = await folder.list()
  return {
    manifest,
    listing,
    ...(await measureFolder(folder, listing, { path: 'SKILL.md', bytes: manifest })),
  }
}

describe('a measured folder', () => {
  it('[ASK-2] holds the manifest, the listing, and the hash of every file', async () => {
    write('references/guide.md', 'guide')
    write('.lib/hidden.sh', 'hidden')
    const { manifest, listing, files, whole } = await measured(skillFolder(skill))
    expect(new TextDecoder().decode(manifest)).toContain('name: pdf')
    expect(listing.files.map(({ path }) => path)).toEqual(['SKILL.md', 'references/guide.md'])
    expect(listing.withheld.files.map(({ path }) => path)).toEqual(['.lib/hidden.sh'])
    expect(Object.fromEntries(files)).toEqual({
      'SKILL.md': hex(manifest),
      'references/guide.md': hex('guide'),
      '.lib/hidden.sh': hex('hidden'),
    })
    expect(whole).toBe(true)
  })

  it('[ASK-2] has a digest that can be computed again from the files', async () => {
    const manifest = write('SKILL.md', 'manifest')
    chmodSync(manifest, 0o644)
    chmodSync(write('scripts/a.sh', 'run'), 0o755)
    chmodSync(write('.env', 'secret'), 0o600)
    symlinkSync('a.sh', join(skill, 'scripts/link'))
    const lines = [
      `${hex('manifest')}  -  "SKILL.md"\n`,
      `${hex('run')}  x  "scripts/a.sh"\n`,
      'refused  "scripts/link"\n',
      `${hex('secret')}  -  ".env"\n`,
    ]
    const { digest, whole } = await measured(skillFolder(skill))
    expect(digest).toBe(hex(lines.join('')))
    expect(whole).toBe(false)
  })

  it('[ASK-2] holds a manifest of any readable size, whole', async () => {
    for (const size of [0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1024 * 1024]) {
      const bytes = new Uint8Array(size).fill(7)
      write('SKILL.md', bytes)
      const { manifest, files } = await measured(skillFolder(skill))
      expect(hex(manifest)).toBe(hex(bytes))
      expect(files.get('SKILL.md')).toBe(hex(bytes))
    }
  })

  it('[ASK-2] lists the manifest as it was when it was read', async () => {
    const manifest = write('SKILL.md', 'manifest')
    chmodSync(manifest, 0o755)
    const { listing, files } = await measured(skillFolder(skill))
    expect(listing.files).toEqual([{ path: 'SKILL.md', size: 8, executable: true }])
    expect(files.get('SKILL.md')).toBe(hex('manifest'))
  })

  it('[ASK-2] hashes large folders completely', async () => {
    const content = (index: number): Uint8Array => new Uint8Array(200 * 1024).fill(index)
    for (let index = 0; index < 30; index++) write(`data/${index}`, content(index))
    const { files, whole } = await measured(skillFolder(skill))
    expect(whole).toBe(true)
    for (let index = 0; index < 30; index++) expect(files.get(`data/${index}`)).toBe(hex(content(index)))
  })

  it('[ASK-2, ABUSE-29] does not read a file of a terabyte, and is then incomplete', async () => {
    truncateSync(write('big'), 2 ** 40)
    const { files, whole, listing } = await measured(skillFolder(skill))
    expect(listing.files).toContainEqual({ path: 'big', size: 2 ** 40, executable: false })
    expect(files.has('big')).toBe(false)
    expect(whole).toBe(false)
  })

  it('[RES-1, DISC-10, ABUSE-17] is limited in a folder of any number of files, as a scan is', async () => {
    mkdirSync(join(skill, 'many'))
    // Making and removing 100,000 files takes longer than all else here: as many as that in CI alone.
    const count = process.env['CI'] === undefined ? 2_500 : 100_000
    for (let index = 0; index < count; index++) closeSync(openSync(join(skill, `many/${index}`), 'w'))
    const { listing, whole, files } = await measured(skillFolder(skill))
    expect(listing.files).toHaveLength(1000)
    expect(listing.truncated).toBe(true)
    expect(files.size).toBe(1000)
    expect(whole).toBe(false)
    const seen: string[] = []
    for await (const { path } of directorySource({ root: base, layer: 'project', depth: 64 }).scan()) seen.push(path)
    expect(seen).toEqual([join(skill, 'SKILL.md')])
  }, 120_000)

  it('[RES-3, ABUSE-15, ABUSE-27] hashes no link and no hard link', async () => {
    writeFileSync(join(base, 'secret'), 'secret')
    symlinkSync(join(base, 'secret'), join(skill, 'link'))
    linkSync(join(base, 'secret'), join(skill, 'hard'))
    symlinkSync(base, join(skill, 'folder'))
    const { listing, files, whole } = await measured(skillFolder(skill))
    expect(listing.refused).toEqual([
      { path: 'folder', reason: 'a link' },
      { path: 'hard', reason: 'a hard link' },
      { path: 'link', reason: 'a link' },
    ])
    expect([...files.keys()]).toEqual(['SKILL.md'])
    expect(whole).toBe(false)
    const allowed = await measured(skillFolder(skill, { hardLinks: 'allow' }))
    expect(allowed.files.get('hard')).toBe(hex('secret'))
  })

  it('[RES-2] fails as reading the manifest does', async () => {
    const manifest = join(skill, 'SKILL.md')
    const folder = skillFolder(skill)
    truncateSync(manifest, 1024 * 1024 + 1)
    await expect(measured(folder)).rejects.toMatchObject({ code: 'RESOURCE_TOO_LARGE' })
    rmSync(manifest)
    await expect(measured(folder)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    symlinkSync(write('other'), manifest)
    await expect(measured(folder)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    rmSync(skill, { recursive: true })
    await expect(measured(folder)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  })

  it.runIf(process.platform === 'linux')('[DISC-3] closes every descriptor', async () => {
    write('a/b/c')
    symlinkSync('nowhere', join(skill, 'link'))
    const folder = skillFolder(skill)
    const openDescriptors = (): number => readdirSync('/proc/self/fd').length
    const before = openDescriptors()
    await measured(folder)
    rmSync(join(skill, 'SKILL.md'))
    await expect(measured(folder)).rejects.toThrow('There is no file "SKILL.md"')
    expect(openDescriptors()).toBe(before)
  })
})
