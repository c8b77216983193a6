import { describe, expect, test } from 'vitest'
import type { ToolArgument } from '../../src/ports/tool.ts'
import { argumentValues, DEFAULT_TOOL_ARGUMENTS, mergeToolArguments, toolArgument } from '../../src/gate/arguments.ts'

const PATH: ToolArgument = { argument: ['path', 'file'], kind: 'path' }

describe('mergeToolArguments', () => {
  test('[GATE-3] knows common tools without being told', () => {
    const table = mergeToolArguments()
    expect(toolArgument(table, 'Bash')?.kind).toBe('shell')
    expect(toolArgument(table, 'run_shell_command')?.kind).toBe('shell')
    expect(toolArgument(table, 'Read')).toMatchObject({ kind: 'path', reads: true })
    expect(toolArgument(table, 'Edit')?.reads).toBeUndefined()
    expect(toolArgument(table, 'WebFetch')).toEqual({ argument: ['url'], kind: 'url' })
    expect(toolArgument(table, 'apply_patch')).toBeUndefined()
  })

  test('[GATE-3] lets a host say it of its own tools and of the common ones, in any case', () => {
    const host = { Deploy: { argument: 'target', kind: 'text' }, bash: { argument: 'script', kind: 'shell' } } as const
    const table = mergeToolArguments(host)
    expect(toolArgument(table, 'deploy')).toEqual({ argument: ['target'], kind: 'text' })
    expect(toolArgument(table, 'Bash')).toEqual({ argument: ['script'], kind: 'shell' })
    expect(host.Deploy.argument).toBe('target')
    expect(toolArgument(mergeToolArguments(), 'Deploy')).toBeUndefined()
  })

  test('[GATE-3] reads a table that was not merged too', () => {
    expect(toolArgument({ Deploy: PATH }, 'DEPLOY')).toBe(PATH)
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    '[GATE-3] knows nothing of a tool called %s',
    (name) => {
      expect(toolArgument(mergeToolArguments(), name)).toBeUndefined()
      expect(toolArgument(DEFAULT_TOOL_ARGUMENTS, name)).toBeUndefined()
      expect(toolArgument({}, name)).toBeUndefined()
    },
  )

  test.each([
    [{ x: { kind: 'path' } }, /"x" needs "argument"/],
    [{ x: { argument: [], kind: 'path' } }, /"x" needs "argument"/],
    [{ x: { argument: ['a', 1], kind: 'path' } }, /"x" needs "argument"/],
    [{ x: { argument: 'a', kind: 'file' } }, /"x" needs "kind": "shell", "path", "url" or "text"/],
    [{ x: { argument: 'a', kind: 'path', reads: 'above' } }, /"x" needs "reads" to be true, false or "below"/],
    [{ x: null }, /"x" needs "argument"/],
    [{ Do: PATH, do: PATH }, /"do" twice, in different case/],
  ])('[GATE-3] refuses the table %j', (host, message) => {
    expect(() => mergeToolArguments(host as unknown as Record<string, ToolArgument>)).toThrow(message)
    expect(() => mergeToolArguments(host as unknown as Record<string, ToolArgument>)).toThrow(TypeError)
  })
})

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
