import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { base, codes, root, scan, useScannedRoot, write } from './scanned-root.ts'

useScannedRoot()

describe('a directory source with links', () => {
  it('[ABUSE-15] does not load a manifest that is a link, and reports it', async () => {
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
    expect(codes(seen)).toEqual(['MANIFEST_LINKED'])
  })

  it('[ABUSE-16] does not load a folder that is a link, and reports it', async () => {
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

  it('[ABUSE-16] ignores links inside a skill’s folder', async () => {
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

  it('[ABUSE-16] keeps reading the folder that a link led to when it was found', async () => {
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

  it('[DISC-10, ABUSE-17] ends in a loop of links, and visits every folder once, under its own name first', async () => {
    write('real/SKILL.md')
    symlinkSync(root, join(root, 'loop'))
    symlinkSync('real', join(root, 'alias'))
    mkdirSync(join(base, 'outside'))
    symlinkSync(root, join(base, 'outside/back'))
    symlinkSync(join(base, 'outside'), join(root, 'out'))
    const seen = await scan({ followLinks: true, depth: 64 })
    expect(seen.paths).toEqual(['real/SKILL.md'])
    expect(seen.diagnostics).toEqual([])
  })

  it('[ABUSE-16] searches a root that is a link', async () => {
    write('a/SKILL.md')
    symlinkSync(root, join(base, 'link'))
    const { found, diagnostics } = await scan({ root: join(base, 'link') })
    expect(diagnostics).toEqual([])
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

describe('a directory source with special files', () => {
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

  it('[ABUSE-18] refuses a link to a device', async () => {
    mkdirSync(join(root, 'a'))
    symlinkSync('/dev/zero', join(root, 'a/SKILL.md'))
    expect(codes(await scan())).toEqual(['MANIFEST_LINKED'])
  })

  it('[DISC-10] says what loads where a mount or a package manager makes links: the whole folder as one, and not its SKILL.md', async () => {
    write('..data/pdf/SKILL.md', 'of a mount')
    write('own/SKILL.md', 'own')
    mkdirSync(join(root, 'xlsx'))
    symlinkSync('../..data/pdf/SKILL.md', join(root, 'xlsx/SKILL.md'))
    const { diagnostics } = await scan({ followLinks: true })
    expect(diagnostics).toMatchObject([
      { code: 'MANIFEST_LINKED', hint: expect.stringContaining('or link the whole folder and set followLinks') },
    ])
    rmSync(join(root, 'xlsx'), { recursive: true })
    symlinkSync('..data/pdf', join(root, 'xlsx'))
    const followed = await scan({ followLinks: true })
    expect(followed.diagnostics).toEqual([])
    expect(followed.paths).toEqual(['own/SKILL.md', 'xlsx/SKILL.md'])
  })

  it('[DISC-10] loads a manifest that is a hard link into a package manager’s store', async () => {
    linkSync(write('a/SKILL.md', 'hard'), join(base, 'store.md'))
    const { found, diagnostics } = await scan()
    expect(diagnostics).toEqual([])
    expect(new TextDecoder().decode(await found[0]!.folder.readManifest())).toBe('hard')
  })
})
