import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRepertoire } from '../../../src/index.ts'
import { type EnsureDefaultsOptions, directorySource, embedSkills, ensureDefaults } from '../../../src/node/index.ts'
import { NODE } from '../../bundled-entries.ts'

const userVariable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME'

let base: string
let home: string
let folder: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-defaults-'))
  home = join(base, 'home')
  folder = join(base, 'skills')
  mkdirSync(home)
})

afterEach(() => {
  chmodSync(home, 0o755)
  rmSync(base, { recursive: true, force: true })
})

const skill = (name: string): Record<string, string> => ({ 'SKILL.md': `---\nname: ${name}\ndescription: d\n---\n` })
const names = ['review-a-skill', 'write-a-skill']

describe('[DISC-7] ensureDefaults', () => {
  it('copies the bundled skills into the user’s folder, byte for byte, so that they load from there', async () => {
    const result = await ensureDefaults({ env: { [userVariable]: home } })
    const written = join(home, '.repertoire/skills')
    expect(result).toEqual({ folder: written, copied: names, kept: [] })
    expect(readdirSync(written)).toEqual(names)
    for (const name of names) {
      const original = resolve(import.meta.dirname, '../../../skills', name)
      const files = (of: string) => readdirSync(of, { recursive: true, encoding: 'utf8' }).toSorted()
      expect(files(join(written, name))).toEqual(files(original))
      for (const path of files(original).filter((each) => each.endsWith('.md')))
        expect(readFileSync(join(written, name, path), 'utf8') === readFileSync(join(original, path), 'utf8')).toBe(
          true,
        )
    }
    const source = directorySource({ root: written, layer: 'personal' })
    const { catalog } = await openRepertoire({ sources: [source], catalog: { profile: 'strict' } })
    expect(catalog.list().map(({ name }) => name)).toEqual(names)
    expect(catalog.diagnostics).toEqual([])
  })

  it('creates a named folder that does not exist', async () => {
    const deep = join(folder, 'deep/er')
    expect((await ensureDefaults({ folder: deep })).copied).toEqual(names)
    expect(existsSync(join(deep, 'write-a-skill/SKILL.md'))).toBe(true)
  })

  it('keeps what already has a skill’s name: a folder, an empty one, a file, a broken link', async () => {
    mkdirSync(join(folder, 'a'), { recursive: true })
    writeFileSync(join(folder, 'a/SKILL.md'), 'mine')
    mkdirSync(join(folder, 'b'))
    writeFileSync(join(folder, 'c'), 'a file')
    symlinkSync(join(base, 'nowhere'), join(folder, 'd'))
    const skills = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, skill(name)]))
    const result = await ensureDefaults({ folder, skills })
    expect(result).toEqual({ folder, copied: ['e'], kept: ['a', 'b', 'c', 'd'].map((name) => join(folder, name)) })
    expect(readFileSync(join(folder, 'a/SKILL.md'), 'utf8')).toBe('mine')
    expect(readdirSync(join(folder, 'b'))).toEqual([])
    expect(readFileSync(join(folder, 'c'), 'utf8')).toBe('a file')
    expect(lstatSync(join(folder, 'd')).isSymbolicLink()).toBe(true)
    expect(existsSync(join(base, 'nowhere'))).toBe(false)
    expect((await ensureDefaults({ folder, skills })).copied).toEqual([])
  })

  it('ignores folders that begin with a dot, and refuses names and paths that lead elsewhere', async () => {
    expect((await ensureDefaults({ folder, skills: { '.x': skill('x'), a: skill('a') } })).copied).toEqual(['a'])
    for (const name of ['b/c', '/b', 'b/../c', 'b\\c', 'b\0', '']) {
      await expect(ensureDefaults({ folder, skills: { [name]: skill('b') } })).rejects.toMatchObject({
        code: 'RESOURCE_PATH_INVALID',
      })
    }
    for (const path of ['../b', '/b', 'x/../../b']) {
      await expect(ensureDefaults({ folder, skills: { b: { [path]: '' } } })).rejects.toMatchObject({
        code: 'RESOURCE_PATH_INVALID',
      })
    }
    await expect(ensureDefaults({ folder, skills: { b: { '.env': '' } } })).rejects.toMatchObject({
      code: 'RESOURCE_REFUSED',
    })
    expect(readdirSync(folder)).toEqual(['a'])
  })

  it('makes only files that begin with #! executable, within the user’s umask', async () => {
    const child = `
      process.umask(0o027)
      const { ensureDefaults } = await import(process.argv[1])
      const files = { 'SKILL.md': 'x', 'scripts/run': '#!/bin/sh\\n', 'scripts/data': '# ! no' }
      await ensureDefaults({ folder: process.argv[2], skills: { a: files } })
    `
    execFileSync(process.execPath, [...RUN, child, NODE, folder])
    const mode = (path: string): number => statSync(join(folder, path)).mode & 0o777
    expect(['a', 'a/SKILL.md', 'a/scripts', 'a/scripts/run', 'a/scripts/data'].map(mode)).toEqual([
      0o750, 0o640, 0o750, 0o750, 0o640,
    ])
  })

  it('accepts whatever `embedSkills` writes: texts, bytes and programs', async () => {
    const from = join(base, 'from')
    const files: Readonly<Record<string, string | Uint8Array>> = {
      'SKILL.md': '---\nname: tool\ndescription: A tool.\n---\n',
      'assets/logo.png': Uint8Array.of(0x89, 0xff, 0),
      'bin/tool': '#!/bin/sh\necho hi\n',
      'bin/binary': Uint8Array.of(0x23, 0x21, 0xff),
    }
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(from, 'tool', path)), { recursive: true })
      writeFileSync(join(from, 'tool', path), content)
    }
    const to = join(base, 'skills.js')
    embedSkills({ from, to })
    const { BUNDLED_SKILLS: skills } = (await import(/* @vite-ignore */ pathToFileURL(to).href)) as {
      readonly BUNDLED_SKILLS: EnsureDefaultsOptions['skills']
    }
    expect(await ensureDefaults({ folder, skills })).toMatchObject({ copied: ['tool'] })
    for (const [path, content] of Object.entries(files)) {
      expect(readFileSync(join(folder, 'tool', path))).toEqual(Buffer.from(content))
      expect([path, (statSync(join(folder, 'tool', path)).mode & 0o100) !== 0]).toEqual([path, path.startsWith('bin/')])
    }
    const plain = { a: { data: { content: 'x', executable: true } } }
    await ensureDefaults({ folder, skills: plain })
    expect(statSync(join(folder, 'a/data')).mode & 0o100).toBe(0o100)
    const wrong = { b: { data: { content: 5, executable: true } } } as unknown as EnsureDefaultsOptions['skills']
    await expect(ensureDefaults({ folder, skills: wrong })).rejects.toThrow('`skills.b.data.content`')
  })

  it('copies each skill once and completely if several processes copy at once', async () => {
    const child = `
      const { ensureDefaults } = await import(process.argv[1])
      const skills = Object.fromEntries(Array.from({ length: 40 }, (_, n) => ['s' + n, { 'SKILL.md': 'x', 'a/b': 'y' }]))
      console.log(JSON.stringify(await ensureDefaults({ folder: process.argv[2], skills })))
    `
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => promisify(execFile)(process.execPath, [...RUN, child, NODE, folder])),
    )
    const results = runs.map(({ stdout }) => JSON.parse(stdout) as { copied: string[]; kept: string[] })
    expect(results.flatMap(({ copied }) => copied).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, n) => `s${n}`).toSorted(),
    )
    expect(results.map(({ copied, kept }) => copied.length + kept.length)).toEqual([40, 40, 40, 40])
    expect(readdirSync(folder)).toHaveLength(40)
    for (const name of readdirSync(folder))
      expect(readdirSync(join(folder, name)).toSorted()).toEqual(['SKILL.md', 'a'])
  })

  it('leaves no partial skill behind when it is killed', () => {
    const child = `
      const { ensureDefaults } = await import(process.argv[1])
      const files = { 'SKILL.md': 'x' }
      let reads = 0
      // Checked as a text, and reached again when the second file is to be written.
      const get = () => (reads++ === 0 ? 'y' : { get content() { process.kill(process.pid, 'SIGKILL') } })
      Object.defineProperty(files, 'z', { enumerable: true, get })
      await ensureDefaults({ folder: process.argv[2], skills: { a: files } })
    `
    expect(() => execFileSync(process.execPath, [...RUN, child, NODE, folder])).toThrow(
      expect.objectContaining({ signal: 'SIGKILL' }),
    )
    const left = readdirSync(folder)
    expect(left.length).toBe(1)
    expect(left[0]).toMatch(/^\.repertoire-/)
    expect(readFileSync(join(folder, left[0]!, 'a/SKILL.md'), 'utf8')).toBe('x')
  })

  it('reports a missing home folder, and creates none', async () => {
    await expect(ensureDefaults({ env: {} })).rejects.toMatchObject({ name: 'SkillError', code: 'FOLDER_NOT_WRITABLE' })
    const missing = join(base, 'nobody')
    await expect(ensureDefaults({ env: { [userVariable]: missing } })).rejects.toMatchObject({
      code: 'FOLDER_NOT_WRITABLE',
      path: missing,
    })
    expect(existsSync(missing)).toBe(false)
  })

  it('reports a folder that cannot be written: a file is there, or a broken link', async () => {
    writeFileSync(folder, '')
    await expect(ensureDefaults({ folder })).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE', path: folder })
    symlinkSync(join(base, 'nowhere/at/all'), join(base, 'link'))
    await expect(ensureDefaults({ folder: join(base, 'link') })).rejects.toMatchObject({ code: 'FOLDER_NOT_WRITABLE' })
  })

  it('reports a read-only home folder, leaves nothing there, and succeeds if nothing is missing', async () => {
    const child = `
      const { ensureDefaults } = await import(process.argv[1])
      if (process.getuid() === 0) {
        process.setgroups([])
        process.setgid(65534)
        process.setuid(65534)
      }
      const result = await ensureDefaults({ env: { HOME: process.argv[2] } }).catch(({ code, message }) => ({ code, message }))
      console.log(JSON.stringify(result))
    `
    chmodSync(base, 0o755)
    chmodSync(home, 0o555)
    const run = (): { code?: string; message?: string; kept?: string[] } =>
      JSON.parse(execFileSync(process.execPath, [...RUN, child, NODE, home], { encoding: 'utf8' })) as {
        code?: string
      }
    const failed = run()
    expect(failed.code).toBe('FOLDER_NOT_WRITABLE')
    expect(failed.message).toContain('(EACCES)')
    expect(readdirSync(home)).toEqual([])
    chmodSync(home, 0o755)
    await ensureDefaults({ env: { [userVariable]: home } })
    chmodSync(join(home, '.repertoire/skills'), 0o555)
    expect(run().kept).toEqual(names.map((name) => join(home, '.repertoire/skills', name)))
    chmodSync(join(home, '.repertoire/skills'), 0o755)
  })
})

const RUN = ['--conditions=@repertoire/source', '--input-type=module', '--eval']
