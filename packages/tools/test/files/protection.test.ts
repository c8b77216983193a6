import { chownSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { FunctionTool } from '@repertoire/core'
import { describe, expect, it } from 'vitest'
import { type FileOperationsToolOptions, fileOperationsTool } from '../../src/index.ts'
import { codeOf, resultOf } from '../run.ts'
import { root, useTemporaryFolder, write } from '../temporary-folder.ts'

useTemporaryFolder()

const open = (options: FileOperationsToolOptions = {}): FunctionTool =>
  fileOperationsTool({ roots: [root], ...options })

/** All of these are refused, and nothing changes. */
async function expectRefused(tool: FunctionTool, inputs: readonly object[]): Promise<void> {
  for (const input of inputs) expect([input, await codeOf(tool, input)]).toEqual([input, 'NOT_ALLOWED'])
}

describe('files that are protected', () => {
  it('[TOOL-3, ABUSE-86] stay where links that stand for them lead to', async () => {
    write('real/settings.json', 'x')
    symlinkSync('real/settings.json', join(root, 'settings.json'))
    symlinkSync('real', join(root, 'link'))
    const tool = open({ protect: ['settings.json', 'link/new/policy.json'] })
    await expectRefused(tool, [
      { operation: 'edit', path: 'real/settings.json', find: 'x', replace: 'y' },
      { operation: 'delete', path: 'settings.json' },
      { operation: 'delete', path: 'link' },
      { operation: 'write', path: 'real/new/policy.json', content: 'x' },
    ])
    // Also a link that has come since.
    const later = open({ protect: ['later'] })
    symlinkSync('real', join(root, 'later'))
    await expectRefused(later, [{ operation: 'write', path: 'real/x', content: 'x' }])
    await resultOf(open(), { operation: 'write', path: 'real/x', content: 'x' })
  })

  it('[TOOL-3, ABUSE-86] are also the folders that are worked in, by the path in another one', async () => {
    mkdirSync(join(root, 'inner'))
    await expectRefused(open({ roots: [root, join(root, 'inner')] }), [
      { operation: 'delete', path: 'inner' },
      { operation: 'rename', path: 'inner', destination: 'moved' },
    ])
    await resultOf(open(), { operation: 'delete', path: 'inner' })
  })

  it('[TOOL-3, ABUSE-86] stay in any spelling that a file system may take for theirs', async () => {
    await expectRefused(open({ protect: ['Policy.json', 'r\u00E9sum\u00E9'] }), [
      { operation: 'write', path: 'policy.JSON', content: 'x' },
      { operation: 'write', path: 're\u0301sume\u0301/x', content: 'x' },
    ])
  })
})

describe('files that are written', () => {
  it('[TOOL-3] stay with their owner', async () => {
    const owner = process.getuid?.() === 0 ? 1234 : (process.getuid?.() ?? 0)
    const group = process.getuid?.() === 0 ? 1234 : (process.getgid?.() ?? 0)
    write('theirs', 'x')
    if (owner === 1234) chownSync(join(root, 'theirs'), owner, group)
    await resultOf(open(), { operation: 'edit', path: 'theirs', find: 'x', replace: 'y' })
    const { uid, gid } = statSync(join(root, 'theirs'))
    expect([readFileSync(join(root, 'theirs'), 'utf8'), uid, gid]).toEqual(['y', owner, group])
  })

  it('[TOOL-3, ABUSE-91] are not made before their size is known', async () => {
    write('many', 'a'.repeat(10_000))
    const edit = { operation: 'edit', path: 'many', find: 'a', replace: 'b'.repeat(500_000), all: true }
    expect(await codeOf(open(), edit)).toBe('TOO_LARGE')
    const shorter = { operation: 'edit', path: 'many', find: 'aa', replace: '\u20AC', all: true }
    expect(await resultOf(open({ maxBytes: 15_000 }), shorter)).toMatchObject({ bytes: 15_000, replacements: 5_000 })
  })

  it('[TOOL-3, ABUSE-51] hold what was passed: half of a character is refused, in a path too', async () => {
    mkdirSync(join(root, 'folder'))
    for (const input of [
      { operation: 'write', path: 'folder/x\uD800', content: 'x' },
      { operation: 'write', path: 'folder/x', content: '\uDC00' },
    ]) {
      expect(await codeOf(open(), input)).toBe('INPUT_INVALID')
    }
    await resultOf(open(), { operation: 'delete', path: 'folder' })
  })
})
