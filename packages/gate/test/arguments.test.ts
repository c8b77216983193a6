import { describe, expect, test } from 'vitest'
import { readArguments, type ToolArgument } from '../src/internal.ts'

const PATH: ToolArgument = { argument: ['path', 'file'], kind: 'path' }

/** The values that rules compare; undefined: there is nothing that could be judged. */
const values = (argument: ToolArgument, input: unknown) => {
  const read = readArguments(argument, input)
  return 'values' in read ? read.values : read.missing ? [] : undefined
}

describe('the arguments that rules speak of', () => {
  test('[GATE-3] are every declared one that is there, and each element of a list of paths', () => {
    expect(values(PATH, { file: 'b', path: 'a', other: 'c' })).toEqual([
      { name: 'path', text: 'a' },
      { name: 'file', text: 'b' },
    ])
    expect(values(PATH, { path: ['a', 1] })).toEqual([{ name: 'path', text: 'a' }, { name: 'path' }])
  })

  test('[GATE-3] of a shell are texts, and the text that a list gives to one', () => {
    const SHELL: ToolArgument = { argument: 'cmd', kind: 'shell' }
    expect(values(SHELL, { cmd: ['git'] })).toEqual([{ name: 'cmd' }])
    expect(values(SHELL, { cmd: ['bash', '-lc', 'git log'] })).toEqual([{ name: 'cmd', text: 'git log' }])
    expect(values(SHELL, { cmd: ['/bin/sh', '-c', 'git log'] })).toEqual([{ name: 'cmd', text: 'git log' }])
    expect(values(SHELL, { cmd: ['bash', '-c', 'git log', 'x'] })).toEqual([{ name: 'cmd' }])
    expect(values(SHELL, { cmd: ['python', '-c', 'git log'] })).toEqual([{ name: 'cmd' }])
  })

  test('[GATE-3] are absent if undefined, and there if null', () => {
    expect(values(PATH, { path: undefined })).toEqual([])
    expect(values(PATH, { path: null })).toEqual([{ name: 'path' }])
  })

  test.each([
    undefined,
    null,
    'path',
    1,
    ['path'],
    new Map([['path', 'a']]),
    new (class Input {
      path = 'a'
    })(),
  ])('[GATE-3] are none in %j, which could not be judged', (input) => {
    expect(values(PATH, input)).toBeUndefined()
  })
})
