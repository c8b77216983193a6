import { describe, expect, test } from 'vitest'
import { openGate } from '../../src/index.ts'
import { type HostToolsOptions, openToolTable } from '../../src/internal.ts'
import { WELL_KNOWN_TOOLS } from '../../src/internal/options.ts'
import { toolset } from '../toolset.ts'

const open = (tools: unknown) => openToolTable({ toolMap: tools } as HostToolsOptions)

describe('what is known of a tool', () => {
  test('[GATE-3] common tools are known without being told', () => {
    const tools = toolset()
    expect(tools.find('Bash').argument?.kind).toBe('shell')
    expect(tools.find('Read').argument).toMatchObject({ kind: 'path', reads: true })
    expect(tools.find('Edit').argument!.reads).toBeUndefined()
    expect(tools.find('WebFetch').argument).toEqual({ argument: 'url', kind: 'url' })
    expect(tools.find('apply_patch').argument).toBeUndefined()
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])('[GATE-3] nothing of %j', (name) => {
    expect(toolset().find(name)).toMatchObject({ maybe: [], argument: undefined })
    expect(toolset().find(name).as).toBeUndefined()
    expect(toolset().ruleTool(name)).toEqual({ as: undefined, maybe: [] })
  })

  test('[NFR-6] tools of the same names are one object, which does not follow a list that is changed', () => {
    const table = open({ run: 'Bash' })
    const names = ['run', 'Read']
    const tools = table.of(names)
    expect([table.of(names), table.of([...names])]).toEqual([tools, tools])
    expect(table.of([...names])).toBe(tools)
    expect(table.of(['run']) === tools || table.of(['run,Read']) === tools).toBe(false)
    expect(open({}).of(names)).not.toBe(tools)
    names.push('Evil')
    expect(tools.names).toEqual(['run', 'Read'])
  })

  test('[GATE-9] every name means one thing in the table, and what it stands for is in it too', () => {
    const named = new Map<string, unknown>()
    for (const { names, ...rest } of WELL_KNOWN_TOOLS) {
      for (const name of names.map((each) => each.toLowerCase().replaceAll('_', ''))) {
        expect(named.get(name) ?? rest).toEqual(rest)
        named.set(name, rest)
      }
    }
    const uses = WELL_KNOWN_TOOLS.flatMap(({ as = [], maybe = [], uses: by = {} }) => [
      ...[as].flat(),
      ...maybe,
      ...Object.values(by),
    ])
    expect(uses.filter((use) => toolset().find(use).as !== use)).toEqual([])
  })

  test('[GATE-9] a property that is named replaces those that are known, and the rest is taken over', () => {
    expect(toolset({ bash: { argument: 'script' } }).find('Bash')).toMatchObject({
      as: 'Bash',
      argument: { argument: 'script', kind: 'shell' },
    })
    const tools = toolset({
      runCommand: { as: 'Bash', argument: 'cmd' },
      search: 'WebSearch',
      find_in: { as: 'Grep', argument: ['dir', 'file'] },
      peek: { as: 'Read', reads: 'below' },
      look: { as: 'NotebookRead', reads: false },
    })
    expect(tools.find('runCommand').argument).toEqual({ argument: 'cmd', kind: 'shell' })
    expect(tools.find('search').argument).toEqual({ argument: 'query', kind: 'text' })
    expect(tools.find('FIND_IN').argument).toEqual({ argument: ['dir', 'file'], kind: 'path', reads: 'below' })
    expect(tools.find('peek').argument?.reads).toBe('below')
    expect(tools.find('look').argument?.reads).toBe(false)
  })

  test.each([
    [undefined, undefined],
    [false, false],
    [true, true],
    ['below', 'below'],
  ] as const)('[GATE-3, GATE-4] "reads" as %j is kept as %j', (given, kept) => {
    const tools = toolset({ Peek: { argument: 'at', kind: 'path', reads: given } })
    expect(tools.find('peek').argument).toEqual({
      argument: 'at',
      kind: 'path',
      reads: kept,
    })
  })

  test('[GATE-9] a table of a session extends that of the repertoire', () => {
    const base = open({ run: 'Bash', look: 'Read' })
    const own = openToolTable({ toolMap: { look: false, put: 'Write' } }, base).of(undefined)
    expect(own.find('run').as).toBe('Bash')
    expect(own.find('look').as).toBeUndefined()
    expect(own.find('put').as).toBe('Write')
  })
})

const PATH = { argument: ['path', 'file'], kind: 'path' }

describe('a table that is not one', () => {
  test.each([
    [{ x: 'Bash(git:*)' }, /"x" needs "as" to be the name of a tool such as "Read", without a pattern/],
    [{ x: 'mcp__git__*' }, /"x" needs "as"/],
    [{ x: { as: ['Read'] } as never }, /"x" needs "as"/],
    [{ x: { as: { view: 'Read' } } }, /"x" needs "as"/],
    [{ x: { as: 'Read', by: 'command' } }, /"x" needs with "by"/],
    [{ x: { as: {}, by: 'command' } }, /"x" needs with "by"/],
    [{ x: { kind: 'path' } }, /"x" needs "argument"/],
    [{ x: { argument: [], kind: 'path' } }, /"x" needs "argument"/],
    [{ x: { argument: 'a' } }, /"x" needs "argument", .* and "kind": "shell", "path", "url", "sql" or "text"/],
    [{ Do: PATH, do: PATH }, /"do" needs to be named once/],
  ])('[GATE-9] refuses %j', (tools, message) => {
    expect(() => open(tools)).toThrow(message)
    expect(() => open(tools)).toThrow(TypeError)
  })

  test.each([
    [[], 'openGate: `toolMap` is a list'],
    [null, 'openGate: `toolMap` is null'],
    [{ x: null }, 'openGate: `toolMap.x` is null'],
    [{ x: true }, 'openGate: `toolMap.x` is true'],
    [{ x: '' }, 'openGate: `toolMap.x` is empty'],
    [{ x: { as: { view: 1 }, by: 'command' } }, 'openGate: `toolMap.x.as.view` is 1'],
    [{ x: { argument: ['a', 1], kind: 'path' } }, 'openGate: `toolMap.x.argument[1]` is 1'],
    [{ x: { argument: 'a', kind: 'file' } }, 'openGate: `toolMap.x.kind` is "file"'],
    [{ x: { argument: 'a', kind: 'path', reads: 'above' } }, 'openGate: `toolMap.x.reads` is "above"'],
    [{ x: { argument: 'a', kind: 'path', reads: null } }, 'openGate: `toolMap.x.reads` is null'],
    [{ x: { argument: 'a', kind: 'shell', program: { name: 'a' } } }, 'openGate: `toolMap.x.program.args` is missing'],
  ])('[GATE-9] the option `toolMap` of a gate refuses %j', (tools, message) => {
    expect(() => openGate({ toolMap: tools } as object)).toThrow(message)
  })

  test('[GATE-9] two tools may stand for one', () => {
    const tools = open({ a: 'Read', b: 'Read' }).of(['a', 'b', 'read_file'])
    expect(['a', 'b', 'read_file'].map((name) => tools.find(name).as)).toEqual(['Read', 'Read', 'Read'])
  })

  test.each([
    [{ activate_skill: 'Bash' }],
    [{ run: 'Activate_Skill' }],
    [{ x: { as: { a: 'activate_skill' }, by: 'y' } }],
  ])('[GATE-9] speaks of no skill tool: %j', (tools) => {
    const isSkillTool = (name: string): boolean => name.toLowerCase() === 'activate_skill'
    expect(() => openToolTable({ toolMap: tools }, undefined, isSkillTool)).toThrow(
      /speaks of "activate_skill", which is a skill tool/i,
    )
  })
})
