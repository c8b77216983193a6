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
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type ConsentRequest,
  type FolderSurvey,
  type SkillFolder,
  type SkillSource,
  openRepertoire,
} from '../../../src/index.ts'
import { measureFolder } from '../../../src/stores.ts'
import { directorySource, skillFolder } from '../../../src/node/index.ts'
import { mapped } from '../../mapped-source.ts'

let base: string
let skill: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-survey-'))
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

async function surveyOf(folder: SkillFolder): Promise<FolderSurvey> {
  const survey = await folder.survey?.()
  if (survey === undefined) throw new Error('The folder gave no survey.')
  return survey
}

/** What the three plain methods give for the same folder. */
async function byParts(folder: SkillFolder): Promise<FolderSurvey> {
  const manifest = await folder.readManifest()
  const listing = await folder.list()
  return {
    manifest,
    listing,
    ...(await measureFolder(folder, listing, { path: 'SKILL.md', bytes: manifest })),
  }
}

describe('a survey', () => {
  it('[ASK-2] holds the manifest, the listing, and the hash of every file', async () => {
    write('references/guide.md', 'guide')
    write('.lib/hidden.sh', 'hidden')
    const { manifest, listing, files, whole } = await surveyOf(skillFolder(skill))
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
    const { digest, whole } = await surveyOf(skillFolder(skill))
    expect(digest).toBe(hex(lines.join('')))
    expect(whole).toBe(false)
  })

  it('[ASK-2] equals reading file by file, whatever the folder holds', async () => {
    const name = fc.constantFrom('a', 'b.md', '.hidden', 'ä', 'node_modules', '.git', 'SKILL.md', 'x'.repeat(200))
    const size = fc.constantFrom(0, 1, 4096, 32 * 1024 - 1, 32 * 1024, 256 * 1024, 256 * 1024 + 1, 1024 * 1024 + 7)
    const file = fc.record({ path: fc.array(name, { minLength: 1, maxLength: 3 }), size, executable: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 8 }), fc.integer({ min: 1, max: 10 }), async (files, maxFiles) => {
        rmSync(skill, { recursive: true, force: true })
        write('SKILL.md', 'manifest')
        for (const [index, { path, size: length, executable }] of files.entries()) {
          try {
            chmodSync(write(path.join('/'), new Uint8Array(length).fill(index + 1)), executable ? 0o755 : 0o644)
          } catch (error) {
            // One of them is a file, and would have to be a folder of another.
            expect(['EEXIST', 'ENOTDIR', 'EISDIR']).toContain((error as NodeJS.ErrnoException).code)
          }
        }
        rmSync(join(skill, 'SKILL.md'), { recursive: true, force: true })
        write('SKILL.md', 'manifest')
        const folder = skillFolder(skill, { maxFiles })
        const { manifest, listing, digest, whole, files: hashed, ...rest } = await surveyOf(folder)
        expect(Object.keys(rest)).toEqual([])
        expect({ manifest, listing, digest, whole, files: hashed }).toEqual(await byParts(folder))
      }),
      { numRuns: 40 },
    )
  })

  it('[ASK-2] holds a manifest of any readable size, whole', async () => {
    for (const size of [0, 1, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1024 * 1024]) {
      const bytes = new Uint8Array(size).fill(7)
      write('SKILL.md', bytes)
      const { manifest, files } = await surveyOf(skillFolder(skill))
      expect(hex(manifest)).toBe(hex(bytes))
      expect(files.get('SKILL.md')).toBe(hex(bytes))
    }
  })

  it('[ASK-2] lists the manifest as it was when it was read', async () => {
    const manifest = write('SKILL.md', 'manifest')
    chmodSync(manifest, 0o755)
    const { listing, files } = await surveyOf(skillFolder(skill))
    expect(listing.files).toEqual([{ path: 'SKILL.md', size: 8, executable: true }])
    expect(files.get('SKILL.md')).toBe(hex('manifest'))
  })

  it('[ASK-2] hashes large folders completely', async () => {
    const content = (index: number): Uint8Array => new Uint8Array(200 * 1024).fill(index)
    for (let index = 0; index < 30; index++) write(`data/${index}`, content(index))
    const { files, whole } = await surveyOf(skillFolder(skill))
    expect(whole).toBe(true)
    for (let index = 0; index < 30; index++) expect(files.get(`data/${index}`)).toBe(hex(content(index)))
  })

  it('[ASK-2, ABUSE-29] does not read a file of a terabyte, and is then incomplete', async () => {
    truncateSync(write('big'), 2 ** 40)
    const { files, whole, listing } = await surveyOf(skillFolder(skill))
    expect(listing.files).toContainEqual({ path: 'big', size: 2 ** 40, executable: false })
    expect(files.has('big')).toBe(false)
    expect(whole).toBe(false)
  })

  it('[RES-1, DISC-10, ABUSE-17] is limited in a folder of any number of files, as a scan is', async () => {
    mkdirSync(join(skill, 'many'))
    // Making and removing 100,000 files takes longer than all else here: as many as that in CI alone.
    const count = process.env['CI'] === undefined ? 2_500 : 100_000
    for (let index = 0; index < count; index++) closeSync(openSync(join(skill, `many/${index}`), 'w'))
    const { listing, whole, files } = await surveyOf(skillFolder(skill))
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
    const { listing, files, whole } = await surveyOf(skillFolder(skill))
    expect(listing.refused).toEqual([
      { path: 'folder', reason: 'a link' },
      { path: 'hard', reason: 'a hard link' },
      { path: 'link', reason: 'a link' },
    ])
    expect([...files.keys()]).toEqual(['SKILL.md'])
    expect(whole).toBe(false)
    const allowed = await surveyOf(skillFolder(skill, { hardLinks: 'allow' }))
    expect(allowed.files.get('hard')).toBe(hex('secret'))
  })

  it('[RES-2] fails as reading the manifest does', async () => {
    const manifest = join(skill, 'SKILL.md')
    const folder = skillFolder(skill)
    truncateSync(manifest, 1024 * 1024 + 1)
    await expect(surveyOf(folder)).rejects.toMatchObject({ code: 'RESOURCE_TOO_LARGE' })
    rmSync(manifest)
    await expect(surveyOf(folder)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
    symlinkSync(write('other'), manifest)
    await expect(surveyOf(folder)).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    rmSync(skill, { recursive: true })
    await expect(surveyOf(folder)).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  })

  it.runIf(process.platform === 'linux')('[DISC-3] closes every descriptor', async () => {
    write('a/b/c')
    symlinkSync('nowhere', join(skill, 'link'))
    const folder = skillFolder(skill)
    const openDescriptors = (): number => readdirSync('/proc/self/fd').length
    const before = openDescriptors()
    await surveyOf(folder)
    rmSync(join(skill, 'SKILL.md'))
    await expect(surveyOf(folder)).rejects.toThrow('There is no file "SKILL.md"')
    expect(openDescriptors()).toBe(before)
  })
})

describe('a folder that somebody makes from another', () => {
  it('[ASK-2] calls the folder’s own methods', async () => {
    const folder = skillFolder(skill)
    const own: SkillFolder = { ...folder, read: () => Promise.resolve(new Uint8Array()) }
    expect(await own.survey?.()).toBeUndefined()
    expect(await own.readManifest()).toEqual(await folder.readManifest())
    expect(await own.list()).toEqual(await folder.list())
  })

  it('[ASK-2] has the same digest with a survey and without, when consent is requested', async () => {
    write('scripts/a.sh', 'echo')
    const directory = directorySource({ root: base, layer: 'project', id: 'here' })
    const through = (change: (folder: SkillFolder) => SkillFolder): SkillSource => ({
      id: 'here',
      layer: 'project',
      scan: () => mapped(directory, (found) => ({ ...found, folder: change(found.folder) })),
    })
    const asked = async (source: SkillSource): Promise<Pick<ConsentRequest, 'digest' | 'id'>> => {
      const requests: ConsentRequest[] = []
      const repertoire = await openRepertoire({ sources: [source] })
      const session = repertoire.openSession({
        id: 'task',
        consent: (request) => {
          requests.push(request)
          return false
        },
      })
      await session.call({ id: '1', tool: 'activate_skill', input: { name: 'pdf' } }, () => undefined)
      const { digest, id } = requests[0]!
      return { digest, id }
    }
    const plain = await asked(directory)
    expect(plain.digest).toBe((await surveyOf(skillFolder(skill))).digest)
    expect(
      await asked(
        through(({ location }) => {
          const folder = skillFolder(location)
          return {
            location,
            readManifest: () => folder.readManifest(),
            list: () => folder.list(),
            read: (path, options) => folder.read(path, options),
          }
        }),
      ),
    ).toEqual(plain)
    const changed = through((folder) => ({ ...folder, read: () => Promise.resolve(new Uint8Array([1])) }))
    expect((await asked(changed)).digest).not.toBe(plain.digest)
  })
})
