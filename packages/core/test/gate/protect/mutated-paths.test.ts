import { describe, expect, it } from 'vitest'
import { mutatedPaths } from '../../../src/gate/protect/mutated-paths.ts'
import type { ToolArgument } from '../../../src/ports/tool.ts'

const taken = async (tool: string, input: unknown, argument?: ToolArgument): Promise<readonly string[]> =>
  (await mutatedPaths({ id: 'c', tool, input }, argument)).map(({ path }) => path)

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
  ])('[ABUSE-97] are every text of the tool %s, once each', async (tool) => {
    expect(await taken(tool, { from: 'a/b', list: [{ to: 'c' }, 'a/b'], blank: ' ', none: '', n: 7, x: null })).toEqual(
      ['a/b', 'c'],
    )
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
  ])('[ABUSE-97] are none of the tool %j', async (tool) => {
    expect(await taken(tool, { from: 'a/b' })).toEqual([])
  })

  it('[ABUSE-97] are the words of a list apart and together, and names of properties are none', async () => {
    expect(await taken('move', { words: ['a', 'b c'] })).toEqual(['a', 'b c', 'a b c'])
    expect(await taken('move', ['a', 7])).toEqual(['a'])
    expect(await taken('move', 'a')).toEqual(['a'])
    expect(await taken('move', undefined)).toEqual([])
    expect(await taken('move', { 'a/b': true })).toEqual([])
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
    async (tool, input, paths) => {
      expect((await taken(tool, input)).join(' ')).toBe([...new Set(paths.split(' '))].join(' '))
    },
  )

  it('[ABUSE-97] are none where the host says that its arguments are no paths', async () => {
    const input = { from: 'a' }
    expect(await taken('move', input, { kind: 'path', argument: 'from' })).toEqual(['a'])
    expect(await taken('move', input, { kind: 'url', argument: 'from' })).toEqual([])
    expect(await taken('move', input, { kind: 'text', argument: 'from' })).toEqual([])
  })

  it('[ABUSE-97] begin with those that the host has declared', async () => {
    expect(await taken('move', { other: 'b', from: ' ', to: 'a' }, { kind: 'path', argument: ['from', 'to'] })).toEqual(
      [' ', 'a', 'b'],
    )
  })
})

describe('the paths that a shell takes away', () => {
  const SHELL: ToolArgument = { kind: 'shell', argument: 'command' }

  it('[ABUSE-97] are those of its command, and of no other text', async () => {
    expect(await taken('Bash', { command: 'rm -r a && rm b', note: 'rm d' }, SHELL)).toEqual(['a', 'b'])
    expect(await taken('rm', { command: 'ls a' }, SHELL)).toEqual([])
  })

  it('[ABUSE-97] are those of every text where nothing is where the command should be', async () => {
    expect(await taken('Bash', { script: 'rm -r a', list: ['rm', 'b'] }, SHELL)).toEqual(['a', 'b'])
    expect(await taken('Bash', undefined, SHELL)).toEqual([])
  })

  it('[ABUSE-97] are those of a command in words too', async () => {
    expect(await taken('Bash', { command: ['rm', '-r', 'a'] }, SHELL)).toEqual(['a'])
  })
})
