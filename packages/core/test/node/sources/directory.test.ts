import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Diagnostic } from '../../../src/ports/diagnostic.ts'
import { offerFastVisit } from '../../../src/catalog/fast-visit.ts'
import type { FoundSkill, SkillVisitor } from '../../../src/ports/source.ts'
import { directorySource } from '../../../src/node/sources/directory.ts'
import type { DirectorySourceOptions } from '../../../src/node/sources/directory.ts'
import { createManifestVisit } from '../../../src/node/sources/manifest-visit.ts'
import { readRules } from '../../../src/node/folder/skill.ts'
import { openRepertoire } from '../../../src/repertoire.ts'
import { SOURCE_CODES } from '../../../src/ports/diagnostic-codes.ts'

let base: string
let root: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-source-'))
  root = join(base, 'root')
  mkdirSync(root)
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function write(path: string, content = '---\nname: x\n---\n'): string {
  const whole = join(root, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  return whole
}

interface Seen {
  readonly found: FoundSkill[]
  /** Manifests as paths relative to the root, in the order of the visits. */
  readonly paths: string[]
  readonly diagnostics: Diagnostic[]
}

async function scan(options: Partial<DirectorySourceOptions> = {}, visit?: (found: FoundSkill) => void): Promise<Seen> {
  const found: FoundSkill[] = []
  const diagnostics: Diagnostic[] = []
  await directorySource({ root, layer: 'personal', ...options }).scan({
    skill: (skill) => {
      found.push(skill)
      visit?.(skill)
    },
    diagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  return { found, paths: found.map(({ path }) => relative(root, path)), diagnostics }
}

const codes = ({ diagnostics }: Seen): string[] => diagnostics.map(({ code }) => code)
const openDescriptors = (): number => readdirSync('/proc/self/fd').length

describe('what is found', () => {
  it('[DISC-1] finds SKILL.md of the root and of the folders in it, and nothing deeper', async () => {
    write('SKILL.md')
    write('pdf/SKILL.md')
    write('pdf/examples/SKILL.md')
    write('group/deep/SKILL.md')
    write('notes.md')
    const seen = await scan()
    expect(seen.paths).toEqual(['SKILL.md', 'pdf/SKILL.md'])
    expect(seen.diagnostics).toEqual([])
  })

  it('[DISC-1] looks deeper by option, below skills too', async () => {
    write('pdf/SKILL.md')
    write('pdf/examples/SKILL.md')
    write('group/deep/SKILL.md')
    write('group/deep/er/SKILL.md')
    expect((await scan({ depth: 2 })).paths).toEqual(['pdf/SKILL.md', 'group/deep/SKILL.md', 'pdf/examples/SKILL.md'])
    expect((await scan({ depth: 0 })).paths).toEqual([])
    expect((await scan({ depth: 3 })).paths).toContain('group/deep/er/SKILL.md')
  })

  it('[DISC-1] passes over .git, node_modules and hidden folders silently', async () => {
    write('.git/SKILL.md')
    write('node_modules/SKILL.md')
    write('.hidden/SKILL.md')
    write('a/SKILL.md')
    symlinkSync(join(root, 'a'), join(root, '.linked'))
    expect(await scan()).toMatchObject({ paths: ['a/SKILL.md'], diagnostics: [] })
    expect((await scan({ hidden: true, followLinks: true })).paths).toEqual(['.hidden/SKILL.md', 'a/SKILL.md'])
  })

  it('[DISC-1] looks into a root that lies in a hidden folder or in node_modules itself', async () => {
    write('.agents/node_modules/x/SKILL.md')
    expect((await scan({ root: join(root, '.agents/node_modules') })).found).toHaveLength(1)
  })

  it('[DISC-2] finds nothing, and nothing wrong, in a root that does not exist', async () => {
    writeFileSync(join(base, 'file'), '')
    symlinkSync(join(base, 'nowhere'), join(base, 'dangling'))
    for (const missing of ['none', 'none/skills', 'file/skills', 'dangling']) {
      expect(await scan({ root: join(base, missing) })).toMatchObject({ found: [], diagnostics: [] })
      expect(await scan({ root: join(base, missing), trusted: false })).toMatchObject({ found: [], diagnostics: [] })
    }
  })

  it('[DISC-3] reports a root that is a file', async () => {
    const { diagnostics } = await scan({ root: write('file.txt') })
    expect(diagnostics).toEqual([
      {
        code: 'ROOT_NOT_A_FOLDER',
        severity: 'error',
        path: join(root, 'file.txt'),
        message: expect.stringContaining(join(root, 'file.txt')),
        hint: expect.any(String),
      },
    ])
  })

  it('[DISC-6] visits in the order of code units, whatever the order of creation and the locale', async () => {
    for (const name of ['ä', 'b', 'Z', 'a-b', 'a', 'é', '10', '9', '技能', '\u{1F600}', '\uFF5E'])
      write(`${name}/SKILL.md`)
    const names = (await scan()).found.map(({ folderName }) => folderName)
    expect(names).toEqual(['10', '9', 'Z', 'a', 'a-b', 'b', 'ä', 'é', '技能', '\u{1F600}', '\uFF5E'])
  })

  it('[DISC-6] sees shallow skills before deep ones', async () => {
    write('a/b/SKILL.md')
    write('z/SKILL.md')
    expect((await scan({ depth: 2 })).paths).toEqual(['z/SKILL.md', 'a/b/SKILL.md'])
  })

  it('[DISC-4] carries the layer and the id that it was given, and names the root in its own id', () => {
    expect(directorySource({ root, layer: 'plugin' })).toMatchObject({ layer: 'plugin', id: `directory:${root}` })
    expect(directorySource({ root, layer: 'bundled', id: 'mine' }).id).toBe('mine')
  })

  it('[DISC-11, ABUSE-22] loads nothing of an untrusted root, and says so', async () => {
    write('pdf/SKILL.md')
    const seen = await scan({ trusted: false })
    expect(seen.found).toEqual([])
    expect(seen.diagnostics).toMatchObject([{ code: 'WORKSPACE_UNTRUSTED', severity: 'warning', path: root }])
  })

  it('refuses options that do not have their shape', () => {
    const options = { root, layer: 'personal' } as const
    const wrong: Partial<Record<keyof DirectorySourceOptions, unknown>>[] = [
      { root: '' },
      { root: 7 },
      { layer: 'user' },
      { layer: undefined },
      { depth: -1 },
      { depth: 65 },
      { depth: 1.5 },
      { depth: Number.POSITIVE_INFINITY },
      { maxFolders: 0 },
      { maxFiles: 0 },
      { hardLinks: 'yes' },
    ]
    for (const change of wrong) {
      expect(() => directorySource({ ...options, ...change } as DirectorySourceOptions)).toThrow(TypeError)
    }
    expect(() => directorySource({ ...options, depth: 64 })).not.toThrow()
  })
})

describe('what a visitor is shown', () => {
  it('[CAT-1] gives the folder, its name, the manifest’s path and its size', async () => {
    const path = write('pdf/SKILL.md', 'é'.repeat(10))
    const { found } = await scan()
    expect(found).toMatchObject([
      { folderName: 'pdf', fileName: 'SKILL.md', path, size: 20, folder: { location: join(root, 'pdf') } },
    ])
    expect(new TextDecoder().decode(await found[0]!.folder.readManifest())).toBe('é'.repeat(10))
  })

  it('[CAT-1] gives the first bytes of a manifest, as many as asked for', async () => {
    const content = Array.from({ length: 20_000 }, (_, index) => `${index} `).join('')
    write('a/SKILL.md', content)
    write('b/SKILL.md', 'short')
    write('c/SKILL.md', '')
    const heads: string[] = []
    await scan({}, (shown) => {
      for (const length of [10, 0, 4096, 5000, 40_000, 100, shown.size, shown.size + 1000, Number.MAX_SAFE_INTEGER]) {
        const bytes = shown.head(length)
        expect(bytes.length).toBe(Math.min(length, shown.size))
        heads.push(new TextDecoder().decode(bytes))
      }
      for (const length of [-1, 1.5, Number.NaN]) expect(() => shown.head(length)).toThrow(TypeError)
    })
    expect(heads.slice(0, 9).every((head) => content.startsWith(head))).toBe(true)
    expect(heads[8]).toBe(content)
    expect(heads.slice(9)).toEqual(['short', '', ...Array(7).fill('short'), ...Array(9).fill('')])
  })

  it('[CAT-1] gives no bytes after the visit', async () => {
    write('a/SKILL.md')
    const { found } = await scan()
    expect(() => found[0]!.head(10)).toThrow(TypeError)
  })

  it('[ABUSE-23] shows no more of a manifest than it held when it was opened, though it grows', async () => {
    const path = write('a/SKILL.md', 'before')
    await scan({}, (shown) => {
      appendFileSync(path, 'after')
      expect(shown.size).toBe(6)
      expect(new TextDecoder().decode(shown.head(100))).toBe('before')
    })
  })

  it('[ABUSE-23] shows what is left of a manifest that shrinks', async () => {
    const path = write('a/SKILL.md', 'x'.repeat(20_000))
    await scan({}, (shown) => {
      writeFileSync(path, '')
      expect(shown.head(20_000)).toHaveLength(4096)
    })
  })

  it.runIf(process.platform === 'linux')('[DISC-3] closes every descriptor, also when the visitor throws', async () => {
    write('a/SKILL.md')
    write('b/SKILL.md')
    mkdirSync(join(root, 'c/SKILL.md'), { recursive: true })
    const before = openDescriptors()
    await scan()
    await expect(
      scan({}, () => {
        throw new Error('the visitor’s own')
      }),
    ).rejects.toThrow('the visitor’s own')
    expect(openDescriptors()).toBe(before)
  })

  it('lets the event loop have its turn while it works', async () => {
    for (let index = 0; index < 10; index++) write(`skill-${index}/SKILL.md`)
    let turnCame = false
    const order: boolean[] = []
    const scanned = scan({}, () => {
      order.push(turnCame)
      const start = performance.now()
      while (performance.now() - start < 10);
    })
    setImmediate(() => {
      turnCame = true
    })
    await scanned
    expect(order[0]).toBe(false)
    expect(order.at(-1)).toBe(true)
  })

  it('[CAT-4] scans side by side without mixing what it read', async () => {
    for (let index = 0; index < 50; index++) write(`skill-${index}/SKILL.md`, `number ${index}`)
    const visit = (shown: FoundSkill): void => {
      const start = performance.now()
      while (performance.now() - start < 1);
      expect(new TextDecoder().decode(shown.head(100))).toBe(`number ${shown.folderName.slice('skill-'.length)}`)
    }
    const scans = await Promise.all([scan({}, visit), scan({}, visit), scan({}, visit)])
    expect(scans.map(({ found }) => found.length)).toEqual([50, 50, 50])
  })
})

describe('links', () => {
  it('[ABUSE-15] does not load a manifest that is a link, and says so', async () => {
    const secret = join(base, 'secret.md')
    writeFileSync(secret, '---\nname: a\n---\n')
    mkdirSync(join(root, 'a'))
    symlinkSync(secret, join(root, 'a/SKILL.md'))
    mkdirSync(join(root, 'b'))
    symlinkSync(join(base, 'nowhere'), join(root, 'b/SKILL.md'))
    write('c/SKILL.md')
    for (const options of [{}, { followLinks: true }, { depth: 3 }]) {
      const seen = await scan(options)
      expect(seen.paths).toEqual(['c/SKILL.md'])
      expect(seen.diagnostics).toMatchObject([
        { code: 'MANIFEST_LINKED', severity: 'error', path: join(root, 'a/SKILL.md') },
        { code: 'MANIFEST_LINKED', severity: 'error', path: join(root, 'b/SKILL.md') },
      ])
    }
  })

  it('[ABUSE-15] does not fall back to another spelling when SKILL.md is a link', async () => {
    write('a/skill.md')
    symlinkSync(join(root, 'a/skill.md'), join(root, 'a/SKILL.md'))
    const seen = await scan()
    expect(seen.found).toEqual([])
    expect(codes(seen)).toEqual(['MANIFEST_LINKED', 'MANIFEST_SPELLINGS'])
  })

  it('[ABUSE-16] does not load a folder that is a link, and says so', async () => {
    mkdirSync(join(base, 'outside'))
    writeFileSync(join(base, 'outside/SKILL.md'), '')
    symlinkSync(join(base, 'outside'), join(root, 'a'))
    symlinkSync(join(base, 'nowhere'), join(root, 'b'))
    symlinkSync('c', join(root, 'c'))
    symlinkSync(write('readme.txt'), join(root, 'd'))
    mkdirSync(join(base, 'elsewhere'))
    symlinkSync(join(base, 'elsewhere'), join(root, 'e'))
    const seen = await scan()
    expect(seen.found).toEqual([])
    const linked = (name: string, severity: string) => ({
      code: 'SKILL_FOLDER_LINKED',
      severity,
      path: join(root, name),
    })
    expect(seen.diagnostics).toMatchObject([
      linked('a', 'error'),
      linked('b', 'warning'),
      linked('c', 'warning'),
      linked('e', 'warning'),
    ])
  })

  it('[ABUSE-16] leaves the links in a skill’s own folder to the reading of resources', async () => {
    write('pdf/SKILL.md')
    symlinkSync(base, join(root, 'pdf/references'))
    expect(await scan({ depth: 3 })).toMatchObject({ paths: ['pdf/SKILL.md'], diagnostics: [] })
  })

  it('[ABUSE-16] loads linked folders of a root whose operator vouches for them, after all others', async () => {
    mkdirSync(join(base, 'store/pdf@1'), { recursive: true })
    writeFileSync(join(base, 'store/pdf@1/SKILL.md'), 'linked')
    writeFileSync(join(base, 'store/pdf@1/note.txt'), 'note')
    symlinkSync('../store/pdf@1', join(root, 'pdf'))
    write('zip/SKILL.md')
    const seen = await scan({ followLinks: true })
    expect(seen.diagnostics).toEqual([])
    expect(seen.found).toMatchObject([
      { folderName: 'zip' },
      {
        folderName: 'pdf',
        path: join(root, 'pdf/SKILL.md'),
        folder: { location: join(base, 'store/pdf@1') },
      },
    ])
    expect(new TextDecoder().decode(await seen.found[1]!.folder.read('note.txt'))).toBe('note')
  })

  it('[ABUSE-16] keeps to the folder that a link led to when it was found', async () => {
    for (const version of ['v1', 'v2']) {
      mkdirSync(join(base, version))
      writeFileSync(join(base, version, 'SKILL.md'), version)
    }
    symlinkSync(join(base, 'v1'), join(root, 'pdf'))
    const { found } = await scan({ followLinks: true })
    rmSync(join(root, 'pdf'))
    symlinkSync(join(base, 'v2'), join(root, 'pdf'))
    expect(new TextDecoder().decode(await found[0]!.folder.readManifest())).toBe('v1')
  })

  it('[DISC-10, ABUSE-17] ends in a loop of links, and sees every folder once, under its own name first', async () => {
    write('real/SKILL.md')
    symlinkSync(root, join(root, 'loop'))
    symlinkSync('real', join(root, 'alias'))
    mkdirSync(join(base, 'outside'))
    symlinkSync(root, join(base, 'outside/back'))
    symlinkSync(join(base, 'outside'), join(root, 'out'))
    const seen = await scan({ followLinks: true, depth: 64 })
    expect(seen.paths).toEqual(['real/SKILL.md'])
    expect(seen.diagnostics).toMatchObject(
      ['alias', 'loop', 'out/back'].map((name) => ({
        code: 'FOLDER_SEEN_BEFORE',
        severity: 'info',
        path: join(root, name),
      })),
    )
  })

  it('[ABUSE-16] looks into a root that is a link itself, and says where it leads', async () => {
    write('a/SKILL.md')
    symlinkSync(root, join(base, 'link'))
    const { found, diagnostics } = await scan({ root: join(base, 'link') })
    expect(diagnostics).toMatchObject([{ code: 'ROOT_LINKED', severity: 'info', path: join(base, 'link') }])
    expect(diagnostics[0]!.message).toContain(root)
    expect((await scan()).diagnostics).toEqual([])
    expect(found).toMatchObject([{ path: join(base, 'link/a/SKILL.md') }])
    expect(await found[0]!.folder.readManifest()).toHaveLength(16)
  })

  it('[ABUSE-26] refuses to read from a skill when its folder, or the root, was swapped for a link', async () => {
    write('a/SKILL.md', 'mine')
    mkdirSync(join(base, 'elsewhere/a'), { recursive: true })
    writeFileSync(join(base, 'elsewhere/a/SKILL.md'), 'secret')
    const { found } = await scan()
    const { folder } = found[0]!
    renameSync(join(root, 'a'), join(base, 'parked'))
    symlinkSync(join(base, 'elsewhere/a'), join(root, 'a'))
    await expect(folder.readManifest()).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    await expect(folder.list()).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    rmSync(join(root, 'a'))
    rmSync(root, { recursive: true })
    symlinkSync(join(base, 'elsewhere'), root)
    await expect(folder.readManifest()).rejects.toMatchObject({ code: 'RESOURCE_REFUSED' })
    rmSync(root)
    await expect(folder.readManifest()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' })
  })
})

describe('manifests that are none', () => {
  it('[DISC-10, ABUSE-18] refuses a socket and a folder', async () => {
    for (const name of ['socket', 'folder']) mkdirSync(join(root, name))
    mkdirSync(join(root, 'folder/SKILL.md'))
    const server = createServer()
    // The path of a socket may have some hundred bytes only.
    await new Promise<void>((done) => {
      server.listen(relative(process.cwd(), join(root, 'socket/SKILL.md')), done)
    })
    write('z/SKILL.md')
    try {
      for (const depth of [1, 2]) {
        const seen = await scan({ depth })
        expect(seen.paths).toEqual(['z/SKILL.md'])
        expect(seen.diagnostics).toMatchObject(
          ['folder', 'socket'].map((name) => ({
            code: 'MANIFEST_NOT_A_FILE',
            severity: 'error',
            path: join(root, name, 'SKILL.md'),
          })),
        )
      }
    } finally {
      server.close()
    }
  })

  it('[ABUSE-18] refuses a device by its kind', async () => {
    mkdirSync(join(root, 'a'))
    symlinkSync('/dev/zero', join(root, 'a/SKILL.md'))
    expect(codes(await scan())).toEqual(['MANIFEST_LINKED'])
    // A device of our own needs rights that a test has not, so the visit is led to one that is there.
    const diagnostics: Diagnostic[] = []
    const visitor = { skill: () => expect.unreachable(), diagnostic: (found: Diagnostic) => diagnostics.push(found) }
    const visit = createManifestVisit(visitor, visitor.diagnostic, readRules({}))
    const place = { name: 'dev', path: '/dev', real: '/dev', linked: false }
    expect(visit.visitListed(place, ['zero'])).toBe(true)
    expect(diagnostics).toMatchObject([{ code: 'MANIFEST_NOT_A_FILE', path: '/dev/zero' }])
  })

  it.runIf(process.platform === 'linux')('[DISC-3] reports a manifest that fails while it is read', () => {
    const diagnostics: Diagnostic[] = []
    const visitor = { skill: () => expect.unreachable(), diagnostic: (found: Diagnostic) => diagnostics.push(found) }
    const visit = createManifestVisit(visitor, visitor.diagnostic, readRules({}))
    const real = `/proc/${process.pid}`
    expect(visit.visitListed({ name: 'x', path: real, real, linked: false }, ['mem'])).toBe(true)
    expect(diagnostics).toMatchObject([
      { code: 'MANIFEST_UNREADABLE', severity: 'error', message: expect.stringContaining('EIO') },
    ])
  })

  it('[DISC-10] loads a manifest that a package manager linked hard from its store', async () => {
    linkSync(write('a/SKILL.md', 'hard'), join(base, 'store.md'))
    const { found, diagnostics } = await scan()
    expect(diagnostics).toEqual([])
    expect(new TextDecoder().decode(await found[0]!.folder.readManifest())).toBe('hard')
  })

  it('[DISC-10] never reads more of a huge manifest than it is asked for', async () => {
    write('a/SKILL.md', 'x'.repeat(3 * 1024 * 1024))
    await scan({}, (shown) => {
      expect(shown.size).toBe(3 * 1024 * 1024)
      expect(shown.head(4096).buffer.byteLength).toBeLessThan(64 * 1024)
    })
  })
})

describe('spellings', () => {
  it('visits another spelling where there is no SKILL.md, under the name that it has', async () => {
    write('a/skill.md')
    write('b/Skill.md')
    write('c/SKILL.MD')
    write('d/sKiLl.Md')
    write('e/SKILL.txt')
    for (const depth of [1, 2]) {
      const { found, diagnostics } = await scan({ depth })
      expect(found.map(({ fileName }) => fileName)).toEqual(['skill.md', 'Skill.md', 'SKILL.MD', 'sKiLl.Md'])
      expect(diagnostics).toEqual([])
      expect(await found[0]!.folder.readManifest()).toHaveLength(16)
    }
  })

  // Where the file system ignores case there is only ever one of them.
  it.runIf(process.platform === 'linux')('[ABUSE-20] reads SKILL.md and reports a spelling beside it', async () => {
    write('a/SKILL.md', 'right')
    write('a/skill.md', 'wrong')
    write('a/SKILL.MD', 'wrong')
    // Alone, any but the usual spelling is only seen where the folder is listed.
    write('b/SKILL.md', 'right')
    write('b/SKILL.MD', 'wrong')
    for (const depth of [1, 2]) {
      const { found, diagnostics } = await scan({ depth })
      expect(found.map(({ path }) => path)).toEqual([join(root, 'a/SKILL.md'), join(root, 'b/SKILL.md')])
      const named = ['a/SKILL.MD', 'a/skill.md', ...(depth === 1 ? [] : ['b/SKILL.MD'])]
      expect(diagnostics).toMatchObject(
        named.map((path) => ({
          code: 'MANIFEST_SPELLINGS',
          severity: 'warning',
          path: join(root, path),
          message: expect.stringContaining('SKILL.md'),
        })),
      )
    }
  })

  it.runIf(process.platform === 'linux')('[ABUSE-20] reads the first of several other spellings', async () => {
    write('a/skill.md')
    write('a/Skill.md')
    const seen = await scan()
    expect(seen.paths).toEqual(['a/Skill.md'])
    expect(seen.diagnostics).toMatchObject([{ code: 'MANIFEST_SPELLINGS', path: join(root, 'a/skill.md') }])
  })
})

// Where the file system ignores case there is only ever one of them.
describe.runIf(process.platform === 'linux')('spellings, for a visitor that takes them later', () => {
  async function scanLater(options: Partial<DirectorySourceOptions> = {}): Promise<Seen & { later: () => unknown[] }> {
    const found: FoundSkill[] = []
    const diagnostics: Diagnostic[] = []
    const searches: (() => readonly Diagnostic[])[] = []
    const visitor: SkillVisitor = {
      skill: () => expect.unreachable(),
      diagnostic: (diagnostic) => diagnostics.push(diagnostic),
    }
    offerFastVisit(visitor, { skill: (skill) => found.push(skill), later: (search) => searches.push(search) })
    await directorySource({ root, layer: 'personal', ...options }).scan(visitor)
    const later = (): unknown[] =>
      searches.flatMap((search) => search().map(({ code, path }) => [code, relative(root, path)]))
    return { found, paths: found.map(({ path }) => relative(root, path)), diagnostics, later }
  }

  it('[ABUSE-20] leaves it for later what lies beside SKILL.md, and says then what the scan would have said', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/SKILL.md`)
    write('b/skill.md')
    write('b/SKILL.MD')
    const seen = await scanLater()
    expect(seen.paths).toEqual(['a/SKILL.md', 'b/SKILL.md', 'c/SKILL.md'])
    expect(seen.diagnostics).toEqual([])
    const spellings = ['b/SKILL.MD', 'b/skill.md'].map((path) => ['MANIFEST_SPELLINGS', path])
    expect(seen.later()).toEqual(spellings)
    expect((await scan()).diagnostics.map(({ code, path }) => [code, relative(root, path)])).toEqual(spellings)
  })

  it('[ABUSE-15, ABUSE-20] also where SKILL.md itself is refused', async () => {
    write('a/SKILL.md')
    write('b/skill.md')
    symlinkSync('skill.md', join(root, 'b/SKILL.md'))
    const seen = await scanLater()
    expect(codes(seen)).toEqual(['MANIFEST_LINKED'])
    expect(seen.later()).toEqual([['MANIFEST_SPELLINGS', 'b/skill.md']])
  })

  it('[ABUSE-20] looks at once in the first folder, so that a file system that ignores case is noticed', async () => {
    write('a/SKILL.md')
    write('a/skill.md')
    const seen = await scanLater()
    expect(codes(seen)).toEqual(['MANIFEST_SPELLINGS'])
    expect(seen.later()).toEqual([])
  })

  it('finds another spelling at once where there is no SKILL.md', async () => {
    write('a/SKILL.md')
    write('b/skill.md')
    write('c/Skill.md')
    const seen = await scanLater()
    expect(seen.found.map(({ fileName }) => fileName)).toEqual(['SKILL.md', 'skill.md', 'Skill.md'])
    expect(seen.later()).toEqual([])
  })

  it('says nothing of what is gone by then', async () => {
    for (const name of ['a', 'b', 'c']) write(`${name}/SKILL.md`)
    for (const name of ['b', 'c']) write(`${name}/skill.md`)
    const seen = await scanLater()
    rmSync(join(root, 'b'), { recursive: true })
    rmSync(join(root, 'c/SKILL.md'))
    expect(seen.later()).toEqual([])
  })

  it('[ABUSE-20] is among the diagnostics of a catalog, which are found once', async () => {
    for (const name of ['a', 'b']) write(`${name}/SKILL.md`, `---\nname: ${name}\ndescription: A skill.\n---\n`)
    const other = write('b/skill.md')
    const { catalog } = await openRepertoire({ sources: [directorySource({ root, layer: 'personal' })] })
    expect(catalog.list().map(({ name }) => name)).toEqual(['a', 'b'])
    const { diagnostics } = catalog
    expect(diagnostics).toMatchObject([{ code: 'MANIFEST_SPELLINGS', path: other }])
    rmSync(other)
    expect(catalog.diagnostics).toBe(diagnostics)
  })
})

describe('bounds', () => {
  it('[DISC-10, ABUSE-17] ends at the depth it is given in a tree of 1,000 levels, and names where', async () => {
    const deep = Array.from({ length: 1000 }, () => 'd').join('/')
    mkdirSync(join(root, deep), { recursive: true })
    write('d/d/SKILL.md')
    const seen = await scan({ depth: 64 })
    expect(seen.paths).toEqual(['d/d/SKILL.md'])
    // Below a skill the depth is the skill's own business.
    expect(seen.diagnostics).toEqual([])
    rmSync(join(root, 'd/d/SKILL.md'))
    expect((await scan({ depth: 64 })).diagnostics).toMatchObject([
      { code: 'SCAN_DEPTH_REACHED', severity: 'warning', path: join(root, ...Array<string>(64).fill('d')) },
    ])
  }, 60_000)

  it('[DISC-10] says once which folders are too deep, and says nothing at the default depth', async () => {
    for (const name of ['a', 'b', 'c']) write(`group/${name}/deep/SKILL.md`)
    write('skill/SKILL.md')
    write('skill/scripts/run.sh')
    expect((await scan()).diagnostics).toEqual([])
    expect((await scan({ depth: 2 })).diagnostics).toMatchObject([
      { code: 'SCAN_DEPTH_REACHED', path: join(root, 'group/a'), message: expect.stringContaining('and 2 more') },
    ])
    expect((await scan({ depth: 3 })).diagnostics).toEqual([])
  })

  it('[DISC-10, ABUSE-17] looks into as many folders as it may of 5,000, the same every time, and says so', async () => {
    for (let index = 0; index < 5000; index++) {
      const folder = join(root, String(index).padStart(4, '0'))
      mkdirSync(folder)
      writeFileSync(join(folder, 'SKILL.md'), '')
    }
    expect(await scan()).toMatchObject({ found: { length: 5000 }, diagnostics: [] })
    expect(await scan({ maxFolders: 5000 })).toMatchObject({ found: { length: 5000 }, diagnostics: [] })
    const [once, again] = [await scan({ maxFolders: 1000 }), await scan({ maxFolders: 1000 })]
    expect(once.paths).toHaveLength(1000)
    expect(once.paths).toEqual(again.paths)
    expect(once.diagnostics).toMatchObject([
      {
        code: 'SCAN_FOLDERS_REACHED',
        severity: 'warning',
        path: join(root, '1000'),
        message: expect.stringContaining('and 3999 more'),
      },
    ])
  }, 60_000)

  it('[DISC-10, ABUSE-17] counts links as folders, so that a flood of them is bounded as well', async () => {
    for (let index = 0; index < 50; index++) symlinkSync(base, join(root, `link-${index}`))
    const { diagnostics } = await scan({ maxFolders: 10 })
    expect(diagnostics.map(({ code }) => code)).toEqual([
      ...Array(10).fill('SKILL_FOLDER_LINKED'),
      'SCAN_FOLDERS_REACHED',
    ])
  })

  it('[DISC-10] counts folders and links in the order of their names', async () => {
    write('a/SKILL.md')
    symlinkSync(base, join(root, 'b'))
    write('c/SKILL.md')
    const seen = await scan({ maxFolders: 2 })
    expect(seen.paths).toEqual(['a/SKILL.md'])
    expect(seen.diagnostics).toMatchObject([
      { code: 'SKILL_FOLDER_LINKED', path: join(root, 'b') },
      { code: 'SCAN_FOLDERS_REACHED', path: join(root, 'c') },
    ])
  })

  it('[DISC-6, ABUSE-16] looks into all that one link led to before it follows the next', async () => {
    for (const path of ['x/deep', 'y']) {
      mkdirSync(join(base, 'elsewhere', path), { recursive: true })
      writeFileSync(join(base, 'elsewhere', path, 'SKILL.md'), '')
    }
    symlinkSync(join(base, 'elsewhere/x'), join(root, 'a'))
    symlinkSync(join(base, 'elsewhere/y'), join(root, 'b'))
    write('c/SKILL.md')
    const { paths, found } = await scan({ depth: 2, followLinks: true })
    expect(paths).toEqual(['c/SKILL.md', 'a/deep/SKILL.md', 'b/SKILL.md'])
    expect(found.map(({ folder }) => folder.location)).toEqual([
      join(root, 'c'),
      join(base, 'elsewhere/x/deep'),
      join(base, 'elsewhere/y'),
    ])
  })

  it('[DISC-10, ABUSE-29] shows the beginning of a manifest of a terabyte, and keeps no memory for the rest', async () => {
    truncateSync(write('a/SKILL.md', '---\nname: a\n---\n'), 2 ** 40)
    const { found, diagnostics } = await scan({}, (shown) => {
      expect(shown.size).toBe(2 ** 40)
      expect(new TextDecoder().decode(shown.head(16))).toBe('---\nname: a\n---\n')
      expect(shown.head(32 * 1024)).toHaveLength(32 * 1024)
      expect(shown.head(32 * 1024).buffer.byteLength).toBe(32 * 1024)
    })
    expect(diagnostics).toEqual([])
    await expect(found[0]!.folder.readManifest()).rejects.toMatchObject({ code: 'RESOURCE_TOO_LARGE' })
    const { catalog } = await openRepertoire({ sources: [directorySource({ root, layer: 'project' })] })
    expect(catalog.diagnostics).toMatchObject([{ code: 'MANIFEST_TOO_LARGE', severity: 'error' }])
  })

  it('[CAT-1] gives no bytes of the next manifest to who kept the last one', async () => {
    write('a/SKILL.md', 'first')
    write('b/SKILL.md', 'second')
    const kept: FoundSkill[] = []
    await scan({}, (shown) => {
      for (const earlier of kept) expect(() => earlier.head(10)).toThrow(TypeError)
      kept.push(shown)
      expect({ ...shown }.head(100)).toEqual(shown.head(100))
    })
    expect(kept).toHaveLength(2)
  })

  it('[DISC-10] sees a folder’s neighbours though it holds more than may be looked into', async () => {
    for (let index = 0; index < 50; index++) write(`aaa/${index}/SKILL.md`)
    write('zzz/SKILL.md')
    expect((await scan({ depth: 2, maxFolders: 10 })).paths).toContain('zzz/SKILL.md')
  })

  it('[DISC-3, ABUSE-21] loads 49 of 50 when one is broken', async () => {
    for (let index = 0; index < 49; index++) write(`skill-${index}/SKILL.md`)
    mkdirSync(join(root, 'broken/SKILL.md'), { recursive: true })
    const { found, diagnostics } = await scan()
    expect(found).toHaveLength(49)
    expect(diagnostics).toHaveLength(1)
  })

  it.runIf(process.platform === 'linux')('[DISC-3] reports a folder whose name is no UTF-8', async () => {
    mkdirSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]))
    write('good/SKILL.md')
    const seen = await scan()
    expect(seen.paths).toEqual(['good/SKILL.md'])
    expect(codes(seen)).toEqual(['FOLDER_UNREADABLE'])
  })
})

describe('diagnostics', () => {
  it('[DISC-3] every code has its sentence', () => {
    for (const [code, sentence] of Object.entries(SOURCE_CODES)) {
      expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)+$/)
      expect(sentence).toMatch(/^[A-Z].*\.$/)
    }
  })
})

describe('a skill on a disk', () => {
  it('[GATE-4] has its scripts kept from read tools by either spelling of a root that is a link', async () => {
    write('pdf/SKILL.md', '---\nname: pdf\ndescription: A skill.\n---\n')
    write('pdf/scripts/.fill', '')
    chmodSync(join(root, 'pdf/scripts/.fill'), 0o755)
    symlinkSync(root, join(base, 'link'))
    const repertoire = await openRepertoire({
      sources: [directorySource({ root: join(base, 'link'), layer: 'personal' })],
    })
    const session = repertoire.openSession({ hostTools: ['Read'], consent: () => true })
    await session.call({ id: '1', tool: 'activate_skill', input: { name: 'pdf' } }, () => undefined)
    expect(session.state.active).toMatchObject([{ location: join(base, 'link/pdf'), alias: join(root, 'pdf') }])
    for (const folder of [join(base, 'link/pdf'), join(root, 'pdf')]) {
      const read = { id: '2', tool: 'Read', input: { file_path: join(folder, 'scripts/.fill') } }
      expect(await session.call(read, () => 'ran')).toMatchObject({ refusal: { code: 'SCRIPT_READ_BLOCKED' } })
    }
  })

  it('[ASK-2, ABUSE-92] is asked about again after a change of a hidden file, and not after one of .git', async () => {
    write('pdf/SKILL.md', '---\nname: pdf\ndescription: A skill.\n---\n')
    write('pdf/scripts/.lib.sh', 'a')
    write('pdf/.git/index', 'a')
    const repertoire = await openRepertoire({ sources: [directorySource({ root, layer: 'personal' })] })
    const asked: string[] = []
    const session = repertoire.openSession({ consent: ({ digest }) => asked.push(digest) > 0 })
    const activate = async (id: string): Promise<void> => {
      await session.call({ id, tool: 'activate_skill', input: { name: 'pdf' } }, () => undefined)
      await session.call({ id: `${id}-left`, tool: 'deactivate_skill', input: {} }, () => undefined)
    }
    await activate('1')
    write('pdf/.git/index', 'b')
    await activate('2')
    expect(asked).toHaveLength(1)
    write('pdf/scripts/.lib.sh', 'b')
    await activate('3')
    expect(asked).toHaveLength(2)
    expect(asked[0]).not.toBe(asked[1])
    write('pdf/node_modules/x.js')
    await activate('4')
    await activate('5')
    expect(asked).toHaveLength(4)
  })
})
