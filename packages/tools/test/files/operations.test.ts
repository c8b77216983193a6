import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type FunctionTool, memorySource, openRepertoire } from '@repertoire/core'
import { privateMounts } from '@repertoire/core/node'
import { describe, expect, it } from 'vitest'
import {
  type FileOperationsToolOptions,
  fileOperationsTool,
  type FolderEntries,
  type ReadFile,
  type WrittenFile,
} from '../../src/index.ts'
import { codeOf, errorOf, resultOf } from '../run.ts'
import { base, outside, root, useTemporaryFolder, write } from '../temporary-folder.ts'

useTemporaryFolder()

const open = (options: FileOperationsToolOptions = {}): FunctionTool =>
  fileOperationsTool({ roots: [root], ...options })
const read = (path: string): Promise<ReadFile> => resultOf<ReadFile>(open(), { operation: 'read', path })
const content = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Every operation on one path. */
const EVERY = (
  path: string,
): readonly { readonly operation: string; readonly path: string; readonly [more: string]: unknown }[] => [
  { operation: 'read', path },
  { operation: 'list', path },
  { operation: 'write', path, content: 'x' },
  { operation: 'edit', path, find: 'a', replace: 'b' },
  { operation: 'rename', path, destination: 'free' },
  { operation: 'rename', path: 'kept', destination: path },
  { operation: 'delete', path },
]

describe('a private copy of a skill', () => {
  it('[ACT-5, TOOL-3] is read and listed by its private path, and never changed', async () => {
    const skills = {
      pdf: {
        'SKILL.md': '---\nname: pdf\ndescription: d\n---\n\nBody.\n',
        'references/guide.md': 'one',
        'scripts/a.sh': '',
      },
    }
    const source = memorySource({ layer: 'project', skills })
    const repertoire = await openRepertoire({ sources: [source], mounts: privateMounts({ root: base }) })
    const tool = fileOperationsTool({ roots: [root, base], protect: [base] })
    const session = repertoire.openSession({ consent: () => true, cwd: root })
    await session.activate('pdf')
    const use = async (operation: string, path: string, more = {}) =>
      session.call({ id: operation, tool: tool.name, input: { operation, path, ...more } }, ({ id, input }) =>
        tool.execute(input, { callId: id }),
      )
    const guide = 'private:/.skills/pdf/references/guide.md'
    expect(await use('read', guide)).toMatchObject({ value: { success: true, result: { content: 'one' } } })
    expect(await use('list', 'private:/.skills/pdf')).toMatchObject({
      value: {
        success: true,
        result: { entries: [{ path: 'SKILL.md' }, { path: 'references' }, { path: 'scripts' }] },
      },
    })
    expect(await use('write', guide, { content: 'x' })).toMatchObject({ value: { error: { code: 'NOT_ALLOWED' } } })
    expect(await use('read', 'private:/.skills/pdf/scripts/a.sh')).toMatchObject({
      refusal: { code: 'SCRIPT_READ_BLOCKED' },
    })
    expect(await use('read', 'private:/.skills/other/a.md')).toMatchObject({ value: { success: false } })
    await session.end()
    await repertoire.close()
  })
})

describe('files', () => {
  it('[TOOL-3] says of a file that it cannot be listed, and not that it is missing', async () => {
    write('notes.txt', 'x')
    for (const path of ['notes.txt', 'notes.txt/below']) {
      expect(await errorOf(open(), { operation: 'list', path })).toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining('is a file, or below one'),
      })
    }
    expect(await codeOf(open(), { operation: 'list', path: 'missing' })).toBe('NOT_FOUND')
  })

  it('[TOOL-3] are read, listed, written, edited, renamed and deleted', async () => {
    const tool = open()
    const written = await resultOf<WrittenFile>(tool, { operation: 'write', path: 'a/b.txt', content: 'one two' })
    expect(written).toMatchObject({ path: join(root, 'a/b.txt'), bytes: 7, created: true })
    expect(await read('a/b.txt')).toEqual({
      path: join(root, 'a/b.txt'),
      content: 'one two',
      encoding: 'utf8',
      version: written.version,
      bytes: 7,
    })
    const edit = { operation: 'edit', path: 'a/b.txt', find: 'two', replace: '$& three', version: written.version }
    expect(await resultOf(tool, edit)).toMatchObject({ replacements: 1, created: false })
    expect(content('a/b.txt')).toBe('one $& three')
    await resultOf(tool, { operation: 'rename', path: 'a/b.txt', destination: 'e/d.txt' })
    expect(await resultOf(tool, { operation: 'list', path: '.', recursive: true })).toEqual({
      path: root,
      entries: [
        { path: 'a', type: 'folder' },
        { path: 'e', type: 'folder' },
        { path: 'e/d.txt', type: 'file', size: 12 },
      ],
      truncated: false,
    })
    await resultOf(tool, { operation: 'delete', path: 'e/d.txt' })
    await resultOf(tool, { operation: 'delete', path: 'e' })
    expect(readdirSync(root)).toEqual(['a'])
  })

  it('[TOOL-3] are read as base64 if they are not text, and are not edited', async () => {
    const bytes = Buffer.from([0, 255, 1])
    write('x', bytes)
    expect(await read('x')).toMatchObject({ content: bytes.toString('base64'), encoding: 'base64' })
    expect(await codeOf(open(), { operation: 'edit', path: 'x', find: 'a', replace: 'b' })).toBe('INPUT_INVALID')
  })

  it('[TOOL-3] keep a byte order mark, line ends and permissions when they are edited', async () => {
    const path = write('x.sh', '\uFEFFone\r\ntwo\r\n')
    execFileSync('chmod', ['0750', path])
    await resultOf(open(), { operation: 'edit', path: 'x.sh', find: 'two', replace: 'three' })
    expect(content('x.sh')).toBe('\uFEFFone\r\nthree\r\n')
    expect(statSync(path).mode & 0o777).toBe(0o750)
  })

  it.each(['..', '../outside/secret', '/etc/passwd', 'a/../../outside/secret', '/', 'link/secret'])(
    '[TOOL-3, ABUSE-86] are only those inside of the folders: %s',
    async (path) => {
      write('kept', 'kept')
      symlinkSync(outside, join(root, 'link'))
      for (const input of EVERY(path)) {
        expect([input, await codeOf(open(), input)]).toEqual([input, 'NOT_ALLOWED'])
      }
      expect(readdirSync(outside)).toEqual(['secret'])
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret')
      expect(content('kept')).toBe('kept')
    },
  )

  it('[TOOL-3] lead nowhere else if they are links, and a link is deleted for itself', async () => {
    symlinkSync(join(outside, 'secret'), join(root, 'link'))
    symlinkSync(join(outside, 'none'), join(root, 'dangling'))
    for (const path of ['link', 'dangling']) {
      expect(await codeOf(open(), { operation: 'write', path, content: 'x' })).toBe('NOT_ALLOWED')
      expect(await codeOf(open(), { operation: 'read', path })).toBe('NOT_ALLOWED')
    }
    expect(await codeOf(open(), { operation: 'rename', path: 'link', destination: 'x' })).toBe('NOT_ALLOWED')
    expect(await codeOf(open(), { operation: 'list', path: 'link' })).toBe('NOT_ALLOWED')
    await resultOf(open(), { operation: 'delete', path: 'link' })
    expect(readdirSync(root)).toEqual(['dangling'])
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  it('[TOOL-3] are those of the folders as they were found: a root that is a link now is refused', async () => {
    const tool = open()
    renameSync(root, join(base, 'parked'))
    symlinkSync(outside, root)
    expect(await codeOf(tool, { operation: 'read', path: 'secret' })).not.toBe('INPUT_INVALID')
    expect(await codeOf(tool, { operation: 'write', path: 'new', content: 'x' })).toMatch(/^(?:NOT_ALLOWED|CONFLICT)$/)
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  it('[TOOL-3, ABUSE-86] are never the folders themselves, .git, or what the host protects', async () => {
    write('.git/config', 'x')
    write('kept/deep/file', 'x')
    write('free/file', 'x')
    const tool = open({ protect: ['kept/deep'] })
    const refused = [
      { operation: 'delete', path: '.' },
      { operation: 'rename', path: '.', destination: 'x' },
      { operation: 'write', path: '.git/hooks/pre-commit', content: 'x' },
      { operation: 'write', path: '.git./hooks/pre-commit', content: 'x' },
      { operation: 'write', path: 'sub/.GIT /config', content: 'x' },
      { operation: 'write', path: 'GIT~1/config', content: 'x' },
      { operation: 'write', path: '.git::$INDEX_ALLOCATION/config', content: 'x' },
      { operation: 'write', path: '.g\u200Cit/config', content: 'x' },
      { operation: 'write', path: 'sub/.GIT/config', content: 'x' },
      { operation: 'rename', path: 'free/file', destination: '.git/x' },
      { operation: 'delete', path: '.git' },
      { operation: 'write', path: 'kept/deep/new', content: 'x' },
      { operation: 'edit', path: 'kept/deep/file', find: 'x', replace: 'y' },
      { operation: 'delete', path: 'kept/deep/file' },
      { operation: 'rename', path: 'free/file', destination: 'kept/deep/file2' },
    ]
    for (const input of refused) expect([input, await codeOf(tool, input)]).toEqual([input, 'NOT_ALLOWED'])
    expect(content('kept/deep/file')).toBe('x')
    expect(await resultOf(tool, { operation: 'read', path: 'kept/deep/file' })).toMatchObject({ content: 'x' })
    await resultOf(tool, { operation: 'write', path: 'kept/other', content: 'x' })
  })

  it('[TOOL-3, ABUSE-87] are written over only by who has read them as they are', async () => {
    write('x', 'first')
    const { version } = await read('x')
    expect(await codeOf(open(), { operation: 'write', path: 'x', content: 'mine' })).toBe('CONFLICT')
    write('x', 'somebody else’s')
    for (const input of [
      { operation: 'write', path: 'x', content: 'mine', version },
      { operation: 'edit', path: 'x', find: 'else', replace: 'mine', version },
      { operation: 'delete', path: 'x', version },
      { operation: 'write', path: 'none', content: 'mine', version },
    ]) {
      expect([input, await codeOf(open(), input)]).toEqual([input, 'CONFLICT'])
    }
    expect(content('x')).toBe('somebody else’s')
    expect(existsSync(join(root, 'none'))).toBe(false)
    const { version: now } = await read('x')
    expect(await resultOf(open(), { operation: 'write', path: 'x', content: 'mine', version: now })).toMatchObject({
      created: false,
    })
    expect(content('x')).toBe('mine')
    expect(readdirSync(root)).toEqual(['x'])
  })

  it('[TOOL-3, ABUSE-87] keep the first of two changes that were made at once', async () => {
    write('x', 'a')
    const { version } = await read('x')
    const tool = open()
    const codes = await Promise.all(
      ['first', 'second'].map((text) =>
        codeOf(tool, { operation: 'write', path: 'x', content: text, version }).catch(() => 'written'),
      ),
    )
    expect(codes).toEqual(['written', 'CONFLICT'])
    expect(content('x')).toBe('first')
  })

  it('[TOOL-3] are edited where the text is there exactly once, or everywhere if that is asked', async () => {
    write('x', 'a b a')
    expect(await codeOf(open(), { operation: 'edit', path: 'x', find: 'a', replace: 'c' })).toBe('CONFLICT')
    expect(await codeOf(open(), { operation: 'edit', path: 'x', find: 'z', replace: 'c' })).toBe('NOT_FOUND')
    expect(await resultOf(open(), { operation: 'edit', path: 'x', find: 'a', replace: 'c', all: true })).toMatchObject({
      replacements: 2,
    })
    expect(content('x')).toBe('c b c')
  })

  it('[TOOL-3] are never replaced by renaming, and folders are neither moved nor deleted with what they hold', async () => {
    write('a/x', '1')
    write('b', '2')
    expect(await codeOf(open(), { operation: 'rename', path: 'b', destination: 'a/x' })).toBe('CONFLICT')
    expect(await codeOf(open(), { operation: 'rename', path: 'b', destination: 'a' })).toBe('CONFLICT')
    expect(await codeOf(open(), { operation: 'rename', path: 'a', destination: 'c' })).toBe('INPUT_INVALID')
    expect(await codeOf(open(), { operation: 'rename', path: 'none', destination: 'c/d' })).toBe('NOT_FOUND')
    expect(await errorOf(open(), { operation: 'delete', path: 'a' })).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Delete what is in it first'),
    })
    expect(await codeOf(open(), { operation: 'delete', path: 'a', recursive: true })).toBe('INPUT_INVALID')
    expect([readdirSync(root), content('a/x'), content('b')]).toEqual([['a', 'b'], '1', '2'])
  })

  it('[TOOL-3] are neither sockets nor pipes nor devices: the list names these, and everything else refuses them', async () => {
    write('kept', 'a')
    execFileSync('mkfifo', [join(root, 'fifo')])
    const server = createServer().listen(join(root, 'socket'))
    await once(server, 'listening')
    try {
      const { entries } = await resultOf<FolderEntries>(open(), { operation: 'list', path: '.' })
      expect(entries.map(({ path, type }) => [path, type])).toEqual([
        ['fifo', 'pipe'],
        ['kept', 'file'],
        ['socket', 'socket'],
      ])
      for (const path of ['fifo', 'socket']) {
        for (const input of EVERY(path).filter(
          ({ operation, destination }) => operation !== 'list' && destination !== path,
        )) {
          expect([input, await errorOf(open(), input)]).toEqual([
            input,
            { code: 'NOT_ALLOWED', message: expect.stringContaining(`${path}" is a device, a pipe or a socket`) },
          ])
        }
      }
      const devices = fileOperationsTool({ roots: ['/dev'] })
      for (const operation of ['read', 'delete'])
        expect(await codeOf(devices, { operation, path: 'null' })).toBe('NOT_ALLOWED')
      const listed = await resultOf<FolderEntries>(devices, { operation: 'list', path: '.' })
      expect(listed.entries).toContainEqual({ path: 'null', type: 'device' })
    } finally {
      server.close()
    }
  })

  it('[TOOL-3] are refused where they are too large, folders or not there', async () => {
    write('big', 'x'.repeat(11))
    mkdirSync(join(root, 'folder'))
    const tool = open({ maxBytes: 10 })
    expect(await codeOf(tool, { operation: 'read', path: 'big' })).toBe('TOO_LARGE')
    expect(await codeOf(tool, { operation: 'write', path: 'new', content: 'x'.repeat(11) })).toBe('TOO_LARGE')
    expect(await codeOf(tool, { operation: 'read', path: 'folder' })).toBe('INPUT_INVALID')
    expect(await codeOf(tool, { operation: 'write', path: 'folder', content: 'x' })).toBe('INPUT_INVALID')
    expect(await codeOf(tool, { operation: 'read', path: 'none' })).toBe('NOT_FOUND')
    expect(await codeOf(tool, { operation: 'list', path: 'none' })).toBe('NOT_FOUND')
    expect(await codeOf(tool, { operation: 'delete', path: 'none' })).toBe('NOT_FOUND')
  })

  it('[TOOL-3] are listed up to a number, without following links or going into .git', async () => {
    for (const name of ['a', 'b', 'c']) write(name, '')
    write('.git/config', 'x')
    symlinkSync(outside, join(root, 'link'))
    const all = await resultOf<FolderEntries>(open(), { operation: 'list', path: '', recursive: true })
    expect(all.entries.map(({ path, type }) => `${path} ${type}`)).toEqual([
      '.git folder',
      'a file',
      'b file',
      'c file',
      'link link',
    ])
    const two = await resultOf<FolderEntries>(open({ maxEntries: 2 }), { operation: 'list', path: '' })
    expect([two.entries.length, two.truncated]).toEqual([2, true])
  })

  it('[TOOL-3] are worked on with what the operation takes, and nothing else', async () => {
    for (const input of [
      { operation: 'write', path: 'x' },
      { operation: 'edit', path: 'x', find: 'a' },
      { operation: 'edit', path: 'x', find: '', replace: 'a' },
      { operation: 'rename', path: 'x' },
      { operation: 'read', path: 'x', content: 'y' },
      { operation: 'read', path: 'a\0b' },
      { operation: 'read' },
      { operation: 'chmod', path: 'x' },
    ]) {
      expect([input, await codeOf(open(), input)]).toEqual([input, 'INPUT_INVALID'])
    }
    write('x', 'x')
    const reading = open({ operations: ['read', 'list'] })
    expect(reading.risk).toBe('safe')
    expect(await codeOf(reading, { operation: 'delete', path: 'x' })).toBe('INPUT_INVALID')
    expect(content('x')).toBe('x')
  })

  it('[TOOL-3] are in several folders, which a host may name by a link', async () => {
    symlinkSync(outside, join(base, 'named'))
    const tool = open({ roots: [root, join(base, 'named')] })
    for (const path of [join(base, 'named/secret'), join(outside, 'secret')]) {
      expect(await resultOf(tool, { operation: 'read', path })).toMatchObject({ content: 'secret' })
    }
  })

  it('[TOOL-3] refuses options of another shape when it is made', () => {
    for (const [options, message] of [
      [{ roots: [] }, '`roots` is a list of folders'],
      [{ operations: [] }, '`operations` is a list of read, list, write, edit, rename, delete'],
      [{ operations: ['chmod'] }, '`operations[0]` is "chmod"'],
      [{ protect: ['..'] }, '".." in `protect` is outside of the roots'],
      [{ maxBytes: 0 }, '`maxBytes` is 0'],
      [{ maxEntries: 0.5 }, '`maxEntries` is 0.5'],
    ] as const) {
      expect(() => open(options as unknown as FileOperationsToolOptions)).toThrow(message)
    }
  })
})
