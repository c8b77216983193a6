import { describe, expect, test } from 'vitest'
import { type ToolArgument, argumentValues } from '../src/internal.ts'

const PATH: ToolArgument = { argument: ['path', 'file'], kind: 'path' }

describe('argumentValues', () => {
  test('[GATE-3] gives every declared argument that is there, and each element of a list of paths', () => {
    expect(argumentValues(PATH, { file: 'b', path: 'a', other: 'c' })).toEqual([
      { name: 'path', value: 'a' },
      { name: 'file', value: 'b' },
    ])
    expect(argumentValues(PATH, { path: ['a', 1] })).toEqual([
      { name: 'path', value: 'a' },
      { name: 'path', value: 1 },
    ])
    expect(argumentValues({ argument: 'cmd', kind: 'shell' }, { cmd: ['git'] })).toEqual([
      { name: 'cmd', value: ['git'] },
    ])
  })

  test('[GATE-3] takes undefined for absent and null for there', () => {
    expect(argumentValues(PATH, { path: undefined })).toEqual([])
    expect(argumentValues(PATH, { path: null })).toEqual([{ name: 'path', value: null }])
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
  ])('[GATE-3] takes %j for no input that could be judged', (input) => {
    expect(argumentValues(PATH, input)).toBeUndefined()
  })

  test('[GATE-3] hands out nothing that could change between the judgement and the call', () => {
    const fickle = {
      get path() {
        return 'docs/a'
      },
    }
    expect(argumentValues(PATH, fickle)).toEqual([{ name: 'path', value: null }])
    const inherited: unknown = Object.create(Object.assign(Object.create(null) as object, { path: 'docs/a' }))
    expect(argumentValues(PATH, inherited)).toEqual([{ name: 'path', value: null }])
  })
})
