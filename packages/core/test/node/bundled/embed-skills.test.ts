import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { openAdapterSession } from '../../../src/adapter.ts'
import { memorySource, openRepertoire } from '../../../src/index.ts'
import { embedSkills } from '../../../src/node/index.ts'

type Skills = Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>>

let base: string
let from: string
let count = 0

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'repertoire-embed-'))
  from = join(base, 'skills')
  mkdirSync(from)
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function put(path: string, content: string | Uint8Array = ''): void {
  mkdirSync(dirname(join(from, path)), { recursive: true })
  writeFileSync(join(from, path), content)
}

/** The text of the module for the skills of a folder. */
function moduleOf(folder: string): string {
  const to = join(base, `module-${count++}.ts`)
  embedSkills({ from: folder, to })
  return readFileSync(to, 'utf8')
}

/** What the module says, read by running it. */
async function embedded(): Promise<Skills> {
  const to = join(base, `module-${count++}.ts`)
  embedSkills({ from, to })
  const module = (await import(/* @vite-ignore */ pathToFileURL(to).href)) as { BUNDLED_SKILLS: Skills }
  return module.BUNDLED_SKILLS
}

const bytes = (content: string | Uint8Array | undefined): number[] =>
  typeof content === 'string' ? [...new TextEncoder().encode(content)] : [...(content ?? [])]

describe('[DISC-7] embedSkills', () => {
  it('creates an empty module for a folder with only a .placeholder', async () => {
    put('.placeholder')
    const to = join(base, 'out/skills.ts')
    const script = resolve(import.meta.dirname, '../../../scripts/embed-skills.ts')
    execFileSync(process.execPath, [
      '--conditions=@repertoire/source',
      '--experimental-strip-types',
      '--no-warnings',
      script,
      from,
      to,
    ])
    const compiler = resolve(import.meta.dirname, '../../../../../node_modules/typescript/bin/tsc')
    const strict = [
      '--noEmit',
      '--strict',
      '--isolatedModules',
      '--erasableSyntaxOnly',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--types',
      '',
    ]
    execFileSync(process.execPath, [compiler, '--ignoreConfig', ...strict, to], { cwd: base })
    expect(await embedded()).toEqual({})
  })

  it('type-checks with text and binary files, however long', () => {
    put('a/SKILL.md', 'line\n'.repeat(20_000))
    put('a/picture.png', Uint8Array.from([0x89, 0x50, 0xff, 0x00]))
    const to = join(base, 'out.ts')
    embedSkills({ from, to })
    const compiler = resolve(import.meta.dirname, '../../../../../node_modules/typescript/bin/tsc')
    execFileSync(
      process.execPath,
      [compiler, '--ignoreConfig', '--noEmit', '--strict', '--target', 'es2023', '--types', '', to],
      { cwd: base },
    )
  })

  it('ships another skill once its folder is added', async () => {
    put('b/SKILL.md', 'b')
    expect(Object.keys(await embedded())).toEqual(['b'])
    put('a/SKILL.md', 'a')
    put('a/references/more.md', 'more')
    expect(await embedded()).toEqual({ a: { 'SKILL.md': 'a', 'references/more.md': 'more' }, b: { 'SKILL.md': 'b' } })
  })

  it('ignores names that begin with a dot, node_modules, and files next to the folders', async () => {
    for (const path of ['.git/SKILL.md', '.draft/SKILL.md', '.placeholder', 'README.md', 'node_modules/x/SKILL.md'])
      put(path)
    for (const path of ['a/SKILL.md', 'a/.env', 'a/.cache/x', 'a/node_modules/x']) put(path)
    expect(await embedded()).toEqual({ a: { 'SKILL.md': '' } })
  })

  it('returns every file byte for byte, whatever it holds', async () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.string({ unit: anyCharacter, maxLength: 64 }).map((text) => new TextEncoder().encode(text)),
      fc
        .constantFrom('\uFEFFa\r\nb\rc', '\u2028\u2029`${x}\\', '</script>\n\n', '\'"\0')
        .map((text) => new TextEncoder().encode(text)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 8 }), async (contents) => {
        rmSync(join(from, 'a'), { recursive: true, force: true })
        put('a/SKILL.md')
        for (const [index, file] of contents.entries()) put(`a/${index}`, file)
        const files = (await embedded())['a']!
        for (const [index, file] of contents.entries()) expect(bytes(files[`${index}`])).toEqual([...file])
      }),
      { numRuns: 40 },
    )
  })

  it('supports a skill named `__proto__`', async () => {
    put('__proto__/SKILL.md', 'a')
    put('__proto__/__proto__', 'b')
    const skills = await embedded()
    expect(Object.keys(skills)).toEqual(['__proto__'])
    expect(Object.entries(Object.entries(skills)[0]![1])).toEqual([
      ['SKILL.md', 'a'],
      ['__proto__', 'b'],
    ])
  })

  it('writes the same module on every machine, and does not rewrite an identical one', () => {
    put('b/SKILL.md', 'b')
    put('a/SKILL.md', 'a')
    put('B/SKILL.md', 'capital')
    put('a/z/y', '1')
    put('a/z-y', '2')
    const first = moduleOf(from)
    const other = join(base, 'other')
    mkdirSync(other)
    for (const path of ['a/z-y', 'a/z/y', 'B/SKILL.md', 'a/SKILL.md', 'b/SKILL.md']) {
      mkdirSync(dirname(join(other, path)), { recursive: true })
      writeFileSync(join(other, path), readFileSync(join(from, path)))
    }
    chmodSync(join(other, 'a/z-y'), 0o755)
    expect(moduleOf(other)).toBe(first)
    const to = join(base, 'module.ts')
    expect(embedSkills({ from, to })).toEqual(['B', 'a', 'b'])
    const long = new Date(1_000_000_000_000)
    utimesSync(to, long, long)
    embedSkills({ from, to })
    expect(statSync(to).mtime).toEqual(long)
  })

  it('refuses links, folders without a SKILL.md, a missing folder, and an invalid export name', () => {
    put('a/SKILL.md')
    symlinkSync(join(from, 'a'), join(from, 'linked'))
    expect(() => moduleOf(from)).toThrow('linked is not a folder')
    rmSync(join(from, 'linked'))
    symlinkSync(join(from, 'a/SKILL.md'), join(from, 'a/linked.md'))
    expect(() => moduleOf(from)).toThrow('linked.md is a link')
    rmSync(join(from, 'a/linked.md'))
    put('b/README.md')
    expect(() => moduleOf(from)).toThrow('b contains no SKILL.md')
    for (const missing of ['nothing', 'from/a/SKILL.md']) {
      const named = join(base, missing)
      expect(() => moduleOf(named)).toThrow(TypeError)
      expect(() => moduleOf(named)).toThrow(`\`from\` is no folder: ${named}.`)
    }
    expect(() => embedSkills({ from, to: join(base, 'none.ts'), exportName: 'a b' })).toThrow(
      '"a b" is not a valid name for a constant',
    )
  })
})

it('[DISC-7, RUN-12] embedded files that begin with #! stay executable, so that a program without an ending stays a script', async () => {
  put('tool/SKILL.md', '---\nname: tool\ndescription: A tool.\n---\nRun it.\n')
  put('tool/bin/tool', '#!/bin/sh\necho hi\n')
  put('tool/bin/data', 'data')
  const skills = await embedded()
  await using repertoire = await openRepertoire({ sources: [memorySource({ layer: 'bundled', skills })] })
  const { files } = await repertoire.catalog.get('tool').folder.list()
  expect(files.filter(({ executable }) => executable).map(({ path }) => path)).toEqual(['bin/tool'])
  await using session = openAdapterSession(repertoire, { consent: () => true })
  await session.step({ tools: [] })
  const call = (tool: string, input: object) => session.call({ id: tool, tool, input }, () => undefined)
  await call('activate_skill', { name: 'tool' })
  const read = await call('read_skill_resource', { path: 'bin/tool' })
  expect(read).toMatchObject({ ok: false, refusal: { code: 'SCRIPT_READ_BLOCKED' } })
  expect(await call('read_skill_resource', { path: 'bin/data' })).toMatchObject({ ok: true })
})
