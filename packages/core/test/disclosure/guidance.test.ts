import { describe, expect, it } from 'vitest'
import { adapterSession, type GuidanceTools, navigationGuidance } from '../../src/adapter.ts'
import { bundledSource, DEFAULT_TOOL_NAMES, estimateTokens, openRepertoire } from '../../src/index.ts'

const names = { activate: 'use_skill', deactivate: 'leave_skill', readResource: 'open_file' }
const lines = (tools: GuidanceTools): readonly string[] => navigationGuidance(tools).split('\n')
const line = (tools: GuidanceTools, part: string): string => {
  const found = lines(tools).filter((each) => each.includes(part))
  expect(found).toHaveLength(1)
  return found[0]!
}

describe('navigationGuidance', () => {
  it("[SHOW-6] names the host's real tools", () => {
    const text = navigationGuidance({ ...names, shell: { name: 'terminal' } })
    for (const name of ['use_skill', 'leave_skill', 'open_file', 'terminal']) expect(text).toContain(`\`${name}\``)
  })

  it('[SHOW-6] explains what paths are relative to, and that scripts are run, not read', () => {
    const text = navigationGuidance(names)
    expect(text).toContain("relative to that skill's folder, not to the working folder")
    expect(text).toContain('Absolute paths and URLs stay as they are')
    expect(text).toContain('run, never read')
    expect(text).toContain('There is no tool here that runs them')
  })

  it('[SHOW-9] explains when to activate a skill, and which', () => {
    for (const tools of [names, { deactivate: 'leave_skill', readResource: 'open_file' }]) {
      const text = navigationGuidance(tools)
      expect(text).toMatch(/When a task fits .* at once, before anything else/)
      expect(text).toContain('Never only announce that you will use a skill: call it.')
      expect(text).toContain('Use none that you were not shown, and do not activate one that is active.')
    }
  })

  it('[SHOW-9] shows example calls of an activation without and with arguments', () => {
    expect(line(names, 'To begin')).toBe(
      '- To begin: `use_skill` {"name":"example"}. With arguments: `use_skill` {"name":"example","args":"report.csv"}.',
    )
    expect(line({ deactivate: 'd', readResource: 'r' }, 'To begin')).toBe(
      '- To begin: `skill_example` {}. With arguments: `skill_example` {"args":"report.csv"}.',
    )
  })

  it('[SHOW-9] shows the whole path of a reference, of a nested file and of a script', () => {
    const tools = { ...names, shell: { name: 'runCommand', argument: 'cmd' } }
    expect(line(tools, '`references/style.md`')).toBe(
      '- `references/style.md` in its instructions is `/path/to/example/references/style.md`. To read it: `open_file` {"path":"references/style.md"}.',
    )
    expect(line(tools, 'tables/eu.csv')).toBe(
      '- `assets/tables/eu.csv` is `/path/to/example/assets/tables/eu.csv`, wherever it is named: `open_file` {"path":"assets/tables/eu.csv"}.',
    )
    expect(line(tools, 'sum.py')).toBe(
      '- `scripts/sum.py` is `/path/to/example/scripts/sum.py`. Right: `runCommand` {"cmd":"python3 /path/to/example/scripts/sum.py report.csv"}. Wrong: `open_file` {"path":"scripts/sum.py"}, which is refused, and would take thousands of tokens.',
    )
    expect(line(names, 'sum.py')).toContain('Wrong: `open_file` {"path":"scripts/sum.py"}.')
  })

  it('[SHOW-6, SHOW-9] shows the command alone if the property of the input is unknown', () => {
    expect(line({ ...names, shell: { name: 'run' } }, 'sum.py')).toContain(
      'Right: `run` with the command `python3 /path/to/example/scripts/sum.py report.csv`. Wrong:',
    )
  })

  it('[SHOW-6, SHOW-9] shows a program and its arguments for a tool that takes them', () => {
    const tools = { ...names, shell: { name: 'execute_command', program: { name: 'program', args: 'args' } } }
    expect(line(tools, 'sum.py')).toContain(
      'Right: `execute_command` {"program":"python3","args":["/path/to/example/scripts/sum.py","report.csv"]}. Wrong:',
    )
    expect(navigationGuidance(tools)).toContain('by their interpreter and their absolute paths, if the rules permit it')
    expect(navigationGuidance(tools)).not.toContain('"command"')
  })

  it('[SHOW-9] takes no more than 500 tokens, as its documentation says', () => {
    const widest = navigationGuidance({
      ...DEFAULT_TOOL_NAMES,
      shell: { name: 'mastra_workspace_execute_command', argument: 'command' },
    })
    expect(estimateTokens(widest)).toBeLessThanOrEqual(500)
    expect(estimateTokens(widest)).toBeGreaterThan(350)
  })

  it('[SHOW-9] says before an activation only when to activate, unless the host asks for all of it', async () => {
    const instructions = async (guidance?: 'short' | 'full'): Promise<string> => {
      const { openSession } = await openRepertoire({
        sources: [bundledSource()],
        listing: { style: 'tool', guidance },
      })
      return (await adapterSession(openSession()).step({ tools: [] })).instructions
    }
    expect(await instructions()).toBe('When a task fits a skill, call activate_skill before anything else.')
    expect(await instructions('short')).toBe(await instructions())
    const { activate, deactivate, readResource } = DEFAULT_TOOL_NAMES
    expect(await instructions('full')).toBe(navigationGuidance({ activate, deactivate, readResource }))
  })
})
