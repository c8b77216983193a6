import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { skillFolder } from '../../../src/node/index.ts'
import { codeOf, skill, text, useTemporarySkill, write } from './temporary-skill.ts'

useTemporarySkill()

describe('the listing of a skill’s folder', () => {
  it('[RES-1] lists every file in the order of paths, with size and run bit', async () => {
    write('scripts/run.sh', 'abc')
    chmodSync(join(skill, 'scripts/run.sh'), 0o755)
    write('scripts-old/x')
    write('scripts.md')
    write('references/b/c.md')
    write('references/a.md')
    mkdirSync(join(skill, 'empty'))
    const { files, truncated, refused } = await skillFolder(skill).list()
    expect(files.map(({ path }) => path)).toEqual([
      'SKILL.md',
      'references/a.md',
      'references/b/c.md',
      'scripts-old/x',
      'scripts.md',
      'scripts/run.sh',
    ])
    expect(files.at(-1)).toEqual({ path: 'scripts/run.sh', size: 3, executable: true })
    expect(files[0]).toEqual({ path: 'SKILL.md', size: 8, executable: false })
    expect({ truncated, refused }).toEqual({ truncated: false, refused: [] })
  })

  it('[RES-1, ABUSE-31] leaves out hidden files and node_modules, and names refused files', async () => {
    for (const path of ['.env', '.git/config', 'a/.env', 'node_modules/x/y.js', 'a/ok']) write(path)
    execFileSync('mkfifo', [join(skill, 'fifo')])
    symlinkSync('/etc', join(skill, 'a/link'))
    symlinkSync('a', join(skill, '.hidden-link'))
    write('b\\c')
    const { files, refused } = await skillFolder(skill).list()
    expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'a/ok'])
    expect(refused).toEqual([
      { path: 'a/link', reason: 'a link' },
      { path: 'b\\c', reason: 'a name that cannot be passed as a path' },
      { path: 'fifo', reason: 'a device, a pipe or a socket' },
    ])
  })

  it('[ASK-2, ABUSE-31] lists withheld files separately for the digest: all but .git', async () => {
    for (const path of [
      '.env',
      '.git/config',
      'a/.git',
      'a/.env',
      '.h/b/ok',
      '.h/node_modules/x',
      'node_modules/x/y.js',
    ])
      write(path)
    write('scripts/.run')
    chmodSync(join(skill, 'scripts/.run'), 0o755)
    symlinkSync('a', join(skill, '.link'))
    const folder = skillFolder(skill)
    const { files, refused, withheld } = await folder.list()
    expect({ files: files.map(({ path }) => path), refused }).toEqual({ files: ['SKILL.md'], refused: [] })
    expect(withheld).toMatchObject({
      files: [{ path: '.env' }, { path: '.h/b/ok' }, { path: 'a/.env' }, { path: 'scripts/.run', executable: true }],
      truncated: false,
      refused: [
        { path: '.h/node_modules', reason: 'not searched' },
        { path: '.link', reason: 'a link' },
        { path: 'node_modules', reason: 'not searched' },
      ],
    })
    for (const { path } of withheld.files) {
      expect(await codeOf(folder.read(path))).toBe('RESOURCE_REFUSED')
      expect(await text(folder.read(path, { withheld: true }))).not.toBe('')
    }
    for (const path of ['.git/config', 'node_modules/x/y.js', '.h/node_modules/x', '.link/.env']) {
      expect(await codeOf(folder.read(path, { withheld: true }))).toBe('RESOURCE_REFUSED')
    }
  })

  it('[RES-1, ASK-2] lists every visible file, however many hidden files are cut', async () => {
    for (let index = 0; index < 1_001; index++) write(`.cache/${index}`, '')
    write('z/last')
    const { files, truncated, withheld } = await skillFolder(skill).list()
    expect({ files: files.map(({ path }) => path), truncated }).toEqual({
      files: ['SKILL.md', 'z/last'],
      truncated: false,
    })
    expect(withheld).toMatchObject({ files: { length: 1_000 }, truncated: true })
  })

  it('[RES-1, DISC-10] has limits for folders and refusals', async () => {
    for (let index = 0; index < 1_001; index++) symlinkSync('x', join(skill, `a-${index}`))
    const links = await skillFolder(skill).list()
    expect(links).toMatchObject({ truncated: true, refused: { length: 1_000 } })
    for (let index = 0; index < 1_001; index++) rmSync(join(skill, `a-${index}`))
    for (let index = 0; index < 1_000; index++) mkdirSync(join(skill, `folder-${index}`))
    expect((await skillFolder(skill).list()).truncated).toBe(false)
    mkdirSync(join(skill, 'one-more'))
    expect((await skillFolder(skill).list()).truncated).toBe(true)
  })

  it('[RES-1, DISC-10, ABUSE-17] ends at 16 folders below the skill, and reports it', async () => {
    write(`${'d/'.repeat(16)}here`)
    expect(await skillFolder(skill).list()).toMatchObject({ files: { length: 2 }, truncated: false })
    mkdirSync(join(skill, 'd/'.repeat(1000)), { recursive: true })
    write(`${'d/'.repeat(17)}deeper`)
    expect(await skillFolder(skill).list()).toMatchObject({ files: { length: 2 }, truncated: true })
  })

  it('[RES-1] lists 1,000 files by default', async () => {
    for (let index = 0; index < 999; index++) write(`f/${index}`, '')
    expect(await skillFolder(skill).list()).toMatchObject({ files: { length: 1000 }, truncated: false })
    write('f/x')
    expect(await skillFolder(skill).list()).toMatchObject({ files: { length: 1000 }, truncated: true })
  })

  it('[RES-1] distinguishes a missing folder from an empty one', async () => {
    const folder = skillFolder(skill)
    rmSync(join(skill, 'SKILL.md'))
    const nothing = { files: [], truncated: false, refused: [] }
    expect(await folder.list()).toEqual({ ...nothing, withheld: nothing })
    rmSync(skill, { recursive: true })
    expect(await codeOf(folder.list())).toBe('RESOURCE_NOT_FOUND')
    writeFileSync(skill, 'a file now')
    expect(await codeOf(folder.list())).toBe('RESOURCE_NOT_FOUND')
  })

  it('[RES-1, RES-3] every listed file can be read, and its size is what is read', async () => {
    const name = fc.constantFrom(
      'a',
      'B',
      'ü',
      '.h',
      'x y',
      'a%2e',
      'a:b',
      'node_modules',
      'SKILL.md',
      'c\\d',
      '-',
      '~',
    )
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
    await fc.assert(
      fc.asyncProperty(fc.array(path, { maxLength: 8 }), async (paths) => {
        rmSync(skill, { recursive: true })
        mkdirSync(skill)
        for (const each of paths) {
          try {
            write(each, each)
          } catch {
            // A file where this path wants a folder, or the other way round.
          }
        }
        const folder = skillFolder(skill)
        const { files } = await folder.list()
        const listed = files.map((file) => file.path)
        expect(listed).toEqual(listed.toSorted())
        for (const file of files) expect(await folder.read(file.path)).toHaveLength(file.size)
      }),
      { numRuns: 60 },
    )
  })
})
