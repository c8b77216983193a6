import { describe, expect, it } from 'vitest'
import { mutatedPaths } from '../../src/protect/mutated-paths.ts'
import { toolset } from '../toolset.ts'
import type { ToolArgument } from '../../src/internal.ts'
import { readCall } from '../../src/judge.ts'

function mutated(tool: string, input: unknown, argument?: ToolArgument): readonly string[] {
  const tools = toolset(argument === undefined ? {} : { [tool]: argument })
  return mutatedPaths(readCall({ tool, input }, { tools })).map(({ path }) => path)
}

describe('the paths that a tool takes away', () => {
  it.each([
    'move',
    'mv',
    'rename',
    'ren',
    'delete',
    'del',
    'remove',
    'rm',
    'rmdir',
    'unlink',
    'trash',
    'erase',
    'purge',
    'wipe',
    'copy',
    'cp',
    'MOVE',
    'moveFile',
    'fileMove',
    'move_file',
    'mcp__fs__moveFile',
    'fs.delete-tree',
    'v2Remove',
    'remove2',
    'movefile',
    'deletefolder',
    'treeremove',
    'FSMove',
    'RMTree',
    'destroy_directory',
  ])('[ABUSE-97] are every text of the tool %s, once each', (tool) => {
    expect(mutated(tool, { from: 'a/b', list: [{ to: 'c' }, 'a/b'], blank: ' ', none: '', n: 7, x: null })).toEqual([
      'a/b',
      'c',
    ])
  })

  it.each([
    'removed',
    'mover',
    'farm',
    'copyright',
    'recpt',
    'Read',
    'Write',
    'scp2',
    '',
    'remOve',
    'destroy',
    'clean_file',
    'removables',
  ])('[ABUSE-97] are none of the tool %j', (tool) => {
    expect(mutated(tool, { from: 'a/b' })).toEqual([])
  })

  it('[ABUSE-97] are the words of a list apart and together, and names of properties are none', () => {
    expect(mutated('move', { words: ['a', 'b c'] })).toEqual(['a', 'b c', 'a b c'])
    expect(mutated('move', ['a', 7])).toEqual(['a'])
    expect(mutated('move', 'a')).toEqual(['a'])
    expect(mutated('move', undefined)).toEqual([])
    expect(mutated('move', { 'a/b': true })).toEqual([])
  })

  it.each([
    [
      'delete_thing',
      { id: 'a', where: 'b/c', dest_dir: 'd', sourceFile: 'e', TargetPath: 'f', paths: ['g'], to: 'h' },
      'b/c d e f g g h',
    ],
    ['delete_thing', { id: ['a', 'b\\c'], options: { folder: { x: 'd' } }, none: null }, 'b\\c d'],
    ['delete_labels', { label: 'a/b', to: 'c', from: 'd', file: 'e', directory: 'f' }, 'e f'],
    ['delete_label_file', { label: 'a', to: 'c' }, 'a c'],
    ['rename', { old: 'a', new: 'b' }, 'a b'],
    ['fs_rename', { old: 'a', new: 'b' }, 'a b'],
    ['HTTPDelete', { p: 'a' }, ''],
  ])(
    '[ABUSE-97] are those that the names of the tool and of its properties say, or a separator: %s %j',
    (tool, input, paths) => {
      expect(mutated(tool, input).join(' ')).toBe([...new Set(paths.split(' '))].join(' '))
    },
  )

  it('[ABUSE-97] are none where the host says that its arguments are not paths', () => {
    const input = { from: 'a' }
    expect(mutated('move', input, { kind: 'path', argument: 'from' })).toEqual(['a'])
    expect(mutated('move', input, { kind: 'url', argument: 'from' })).toEqual([])
    expect(mutated('move', input, { kind: 'text', argument: 'from' })).toEqual([])
  })

  it('[ABUSE-97] begin with those that the host has declared', () => {
    expect(mutated('move', { other: 'b', from: ' ', to: 'a' }, { kind: 'path', argument: ['from', 'to'] })).toEqual([
      ' ',
      'a',
      'b',
    ])
  })
})

describe('the paths that a shell takes away', () => {
  const SHELL: ToolArgument = { kind: 'shell', argument: 'command' }

  it('[ABUSE-97] are those of its command, and of no other text', () => {
    expect(mutated('Bash', { command: 'rm -r a && rm b', note: 'rm d' }, SHELL)).toEqual(['a', 'b'])
    expect(mutated('rm', { command: 'ls a' }, SHELL)).toEqual([])
  })

  it('[ABUSE-97] are those of every text where nothing is where the command should be', () => {
    expect(mutated('Bash', { script: 'rm -r a', list: ['rm', 'b'] }, SHELL)).toEqual(['a', 'b'])
    expect(mutated('Bash', undefined, SHELL)).toEqual([])
  })

  it('[ABUSE-97] are those of a command in words too', () => {
    expect(mutated('Bash', { command: ['rm', '-r', 'a'] }, SHELL)).toEqual(['a'])
  })
})
