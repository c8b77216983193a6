import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { FunctionTool } from '@repertoire/core'
import { describe, expect, it } from 'vitest'
import { type CommandResult, executeCommandTool, type ExecuteCommandToolOptions } from '../../src/index.ts'
import { codeOf, errorOf, resultOf, run } from '../run.ts'
import { base, outside, root, useTemporaryFolder, write } from '../temporary-folder.ts'

useTemporaryFolder()

const PROGRAMS = ['sh', 'pwd', 'env', 'printf', 'cat', 'true']

function open(options: Partial<ExecuteCommandToolOptions> = {}): FunctionTool {
  return executeCommandTool({ programs: PROGRAMS, roots: [root], ...options })
}

const script = (text: string, options: Partial<ExecuteCommandToolOptions> = {}): Promise<CommandResult> =>
  resultOf<CommandResult>(open(options), { program: 'sh', args: ['-c', text] })

/** The processes whose command line holds a text. */
function running(text: string): readonly string[] {
  return globSync('/proc/[0-9]*/cmdline').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}

describe('a command', () => {
  it('[TOOL-2] returns exit code and output, whatever the code is', async () => {
    expect(await run(open(), { program: 'sh', args: ['-c', 'echo out; echo err >&2; exit 3'] })).toEqual({
      success: true,
      result: { exitCode: 3, stdout: 'out\n', stderr: 'err\n', truncated: false },
      durationMs: expect.any(Number),
    })
    expect(await script('kill -SEGV $$')).toMatchObject({ signalName: 'SIGSEGV' })
    expect(await resultOf(open(), { program: 'true' })).toMatchObject({ exitCode: 0, stdout: '' })
  })

  it('[TOOL-2, ABUSE-49] hands on no descriptor that the host was started with', () => {
    const program = `import { executeCommandTool } from '@repertoire/tools'
      const tool = executeCommandTool({ programs: ['sh'], roots: [process.argv[1]] })
      const args = ['-c', 'for fd in /proc/self/fd/*; do readlink $fd; done; head -c 4 <&99; true']
      console.log(JSON.stringify(await tool.execute({ program: 'sh', args }, {})))`
    const node = [process.execPath, '--conditions=@repertoire/source', '--input-type=module', '--eval', program, root]
    const { stdout, stderr } = spawnSync('bash', ['-c', 'exec 99</etc/passwd; exec "$@"', 'bash', ...node], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
    expect([stdout, stderr]).toEqual([expect.stringContaining('/dev/null'), expect.anything()])
    expect(stdout).not.toMatch(/passwd|root:/)
  })

  it('[TOOL-2] passes arguments literally: no shell reads them', async () => {
    const args = [';id', '$(id)', '`id`', '*', 'a b', "'", '"', '\\', '|', '> x', '\n', '', '漢', '--', '$HOME']
    const { stdout } = await resultOf<CommandResult>(open(), { program: 'printf', args: ['%s\\0', ...args] })
    expect(stdout.split('\0').slice(0, -1)).toEqual(args)
  })

  it('[TOOL-2, ABUSE-51] says which arguments no program can be given', async () => {
    const tool = executeCommandTool({ programs: ['true'], roots: [root] })
    for (const args of [
      ['a'.repeat(128 * 1024)],
      Array<string>(40).fill('a'.repeat(100_000)),
      ['\u20AC'.repeat(44_000)],
    ]) {
      expect(await codeOf(tool, { program: 'true', args })).toBe('TOO_LARGE')
    }
    for (const args of [['a\0b'], ['\uD800']]) {
      expect(await codeOf(tool, { program: 'true', args })).toBe('INPUT_INVALID')
    }
    const most = Array<string>(8).fill('a'.repeat(128 * 1024 - 1))
    expect(await resultOf(tool, { program: 'true', args: most })).toMatchObject({ exitCode: 0 })
  })

  it('[TOOL-2, ABUSE-84] runs programs of the list alone, by their names, and says which there are', async () => {
    write('git', '#!/bin/sh\necho wrong\n')
    chmodSync(join(root, 'git'), 0o755)
    for (const program of ['git', './git', 'sh -c id', '/bin/sh', '../sh', 'SH', ' sh', '', 'constructor']) {
      expect([program, await codeOf(open(), { program })]).toEqual([program, 'NOT_ALLOWED'])
    }
    expect((await errorOf(open(), { program: 'rm -rf /' })).message).toContain(PROGRAMS.join(', '))
    expect(await codeOf(open(), { command: 'sh -c id' })).toBe('INPUT_INVALID')
    expect(await codeOf(open(), { program: 'sh', args: '-c id' })).toBe('INPUT_INVALID')
  })

  it('[TOOL-2, ABUSE-84] takes programs from the paths of the host, and not from PATH', async () => {
    const program = write('bin/tool', '#!/bin/sh\necho mine "$@"\n')
    chmodSync(program, 0o755)
    const tool = open({ programs: [program] })
    expect(await resultOf(tool, { program: 'tool', args: ['x'] })).toMatchObject({ stdout: 'mine x\n' })
    const before = process.env['PATH']
    process.env['PATH'] = join(root, 'bin')
    try {
      expect(() => open({ programs: ['tool'] })).toThrow(/"tool"/)
    } finally {
      process.env['PATH'] = before
    }
  })

  it('[TOOL-2] has the environment of the host that it is given, and nothing else', async () => {
    process.env['REPERTOIRE_SECRET'] = 'secret'
    try {
      const variables = async (options = {}): Promise<string[]> => {
        const { stdout } = await resultOf<CommandResult>(open(options), { program: 'env' })
        return stdout.trim().split('\n').toSorted()
      }
      expect(await variables()).toEqual(['LANG=C.UTF-8', 'PATH=/usr/local/bin:/usr/bin:/bin'])
      expect(await variables({ env: { ONLY: 'this' } })).toEqual(['ONLY=this'])
    } finally {
      delete process.env['REPERTOIRE_SECRET']
    }
  })

  it('[TOOL-2] works in a folder of the roots, and in the first one by default', async () => {
    mkdirSync(join(root, 'a/b'), { recursive: true })
    const tool = open({ roots: [root, outside] })
    const folderOf = async (cwd?: string): Promise<string> =>
      (await resultOf<CommandResult>(tool, { program: 'pwd', args: ['-P'], cwd })).stdout.trim()
    expect(await folderOf()).toBe(root)
    expect(await folderOf('a/b')).toBe(join(root, 'a/b'))
    expect(await folderOf('a/../a')).toBe(join(root, 'a'))
    expect(await folderOf(outside)).toBe(outside)
  })

  it('[TOOL-2, ABUSE-85] refuses a working folder outside, by any spelling or link', async () => {
    symlinkSync(outside, join(root, 'link'))
    write('file', '')
    for (const cwd of ['..', outside, '/', 'a/../../outside', `${root}x`, 'link', 'link/..//link']) {
      expect([cwd, await codeOf(open(), { program: 'pwd', cwd })]).toEqual([cwd, 'NOT_ALLOWED'])
    }
    for (const cwd of ['none', 'file', 'file/x']) {
      expect([cwd, await codeOf(open(), { program: 'pwd', cwd })]).toEqual([cwd, 'NOT_FOUND'])
    }
    expect(await codeOf(open(), { program: 'pwd', cwd: 'a\0b' })).toBe('INPUT_INVALID')
  })

  it('[TOOL-2, ABUSE-85] refuses a root that is reached through a link now', async () => {
    const tool = open()
    renameSync(root, join(base, 'parked'))
    symlinkSync(outside, root)
    expect(await codeOf(tool, { program: 'pwd' })).toBe('NOT_ALLOWED')
  })

  it('[TOOL-2] is ended at the limit with its group, also where it ignores signals, and shows what it wrote', async () => {
    const mark = '31.8471'
    const tool = open({ timeout: 3_000 })
    const text = `trap "" TERM INT HUP; echo begun; sleep ${mark} & sh -c 'trap "" TERM; sleep ${mark}' & sleep ${mark}; sleep ${mark}`
    expect(await run(tool, { program: 'sh', args: ['-c', text] })).toMatchObject({
      success: false,
      error: { code: 'TIMED_OUT', message: 'sh ran for 3000 ms, and was ended.' },
      result: { stdout: 'begun\n', truncated: false },
    })
    await expect.poll(() => running(mark)).toEqual([])
    expect(await codeOf(open(), { program: 'sh', args: ['-c', 'sleep 9'], timeoutMs: 50 })).toBe('TIMED_OUT')
    expect(await codeOf(tool, { program: 'true', timeoutMs: 3_001 })).toBe('INPUT_INVALID')
  })

  it('[TOOL-2] ends with the program, though something in the background holds its output', async () => {
    const mark = '32.8472'
    expect(await script(`sleep ${mark} & echo done`)).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    await expect.poll(() => running(mark)).toEqual([])
  })

  it('[TOOL-2] returns by limit and grace where a process has left the group', async () => {
    const mark = '33.8473'
    try {
      const { stdout } = await script(`setsid sleep ${mark} & echo done`)
      expect(stdout).toBe('done\n')
    } finally {
      // What escapes is said in the documentation; the test removes it.
      for (const file of running(mark)) process.kill(Number(file.split('/')[2]), 'SIGKILL')
    }
  })

  it('[TOOL-2] ends with the signal, and throws its reason', async () => {
    const mark = '34.8474'
    const abort = new AbortController()
    const begun = join(root, 'begun')
    const call = run(open(), { program: 'sh', args: ['-c', `touch ${begun}; sleep ${mark}`] }, abort.signal)
    while (!existsSync(begun)) await new Promise((resolve) => setImmediate(resolve))
    abort.abort(new Error('not wanted'))
    await expect(call).rejects.toThrow('not wanted')
    await expect.poll(() => running(mark)).toEqual([])
  })

  it('[TOOL-2] keeps a number of bytes of both streams together, reads the rest, and cuts no character', async () => {
    const flood = await script('head -c 5000000 /dev/zero; head -c 5000000 /dev/zero >&2; exit 7', {
      maxOutputBytes: 1000,
    })
    expect(flood).toMatchObject({ exitCode: 7, truncated: true })
    expect(flood.stdout.length + flood.stderr.length).toBe(1000)
    expect(await script('printf 漢漢', { maxOutputBytes: 5 })).toMatchObject({ stdout: '漢', truncated: true })
    expect(await script('printf 漢漢', { maxOutputBytes: 6 })).toMatchObject({ stdout: '漢漢', truncated: false })
  })

  it('[TOOL-2] says what cannot be started, and runs nothing', async () => {
    const program = write('broken', '#!/no/such/interpreter\n')
    chmodSync(program, 0o755)
    const tool = open({ programs: [program, '/bin/true'] })
    expect(await errorOf(tool, { program: 'broken' })).toMatchObject({
      code: 'FAILED',
      message: expect.stringContaining('ENOENT'),
    })
  })

  it('[TOOL-2] leaves nobody behind where the host ends meanwhile', async () => {
    const mark = '35.8475'
    const source = new URL('../../src/index.ts', import.meta.url).href
    const host = join(base, 'host.mjs')
    writeFileSync(
      host,
      `import { existsSync } from 'node:fs'
       import { executeCommandTool } from ${JSON.stringify(source)}
       const tool = executeCommandTool({ programs: ['sh'], roots: [${JSON.stringify(root)}] })
       void tool.execute({ program: 'sh', args: ['-c', 'touch begun; sleep ${mark}'] }, { callId: '1' })
       setInterval(() => existsSync(${JSON.stringify(join(root, 'begun'))}) && process.exit(5), 5)`,
    )
    const { status, stderr } = spawnSync(process.execPath, ['--conditions=@repertoire/source', host], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([5, ''])
    await expect.poll(() => running(mark)).toEqual([])
  })

  it('[TOOL-2] refuses options of another shape when it is made', () => {
    write('file', '')
    const wrong = [
      [{ programs: [] }, '`programs` has no program'],
      [{ programs: ['no-such-program'] }, '"no-such-program" in `programs` is not the name or the absolute path'],
      [{ programs: ['./sh'] }, '"./sh" in `programs` is not the name or the absolute path'],
      [{ programs: ['../bin/sh'] }, '"../bin/sh" in `programs` is not the name or the absolute path'],
      [{ programs: ['sh -c'] }, '"sh -c" in `programs` is not the name or the absolute path'],
      [{ programs: [join(root, 'file')] }, 'file" in `programs` is not the name or the absolute path'],
      [{ programs: [root] }, 'root" in `programs` is not the name or the absolute path'],
      [{ roots: [] }, '`roots` is a list of folders'],
      [{ roots: [join(root, 'none')] }, 'none" in `roots` is not a folder'],
      [{ roots: [join(root, 'file')] }, 'file" in `roots` is not a folder'],
      [{ timeoutMs: 0 }, 'Did you mean `timeout`?'],
      [{ maxOutputBytes: -1 }, '`maxOutputBytes` is -1'],
    ] as const
    for (const [options, message] of wrong)
      expect(() => open(options as Partial<ExecuteCommandToolOptions>)).toThrow(message)
  })
})
