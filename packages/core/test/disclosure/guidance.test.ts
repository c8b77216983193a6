import { describe, expect, it } from 'vitest'
import { adapterSession, openAdapterSession } from '../../src/adapter.ts'
import { bundledSource, estimateTokens, openRepertoire, type RepertoireOptions } from '../../src/index.ts'

const NAMES = { activate: 'use_skill', deactivate: 'leave_skill', readResource: 'open_file' }

/** The guidance that a host shows at once, for its tools. */
async function guidance(tools: readonly string[] = [], options: Partial<RepertoireOptions> = {}): Promise<string> {
  const { style = 'tool', guidance: mode = 'full' } = options.listing ?? {}
  const repertoire = await openRepertoire({
    sources: [bundledSource()],
    skillToolNames: NAMES,
    ...options,
    listing: { style, guidance: mode, search: 'never' },
  })
  return (await openAdapterSession(repertoire).step({ tools })).instructions
}

function line(text: string, part: string): string {
  const found = text.split('\n').filter((each) => each.includes(part))
  expect(found).toHaveLength(1)
  return found[0]!
}

describe('the guidance on skills', () => {
  it("[SHOW-6] names the host's real tools", async () => {
    const text = await guidance(['terminal'], { toolMap: { terminal: 'Bash' } })
    for (const name of ['use_skill', 'leave_skill', 'open_file', 'terminal']) expect(text).toContain(`\`${name}\``)
  })

  it('[SHOW-6] explains what paths are relative to, and that scripts are run, not read', async () => {
    const text = await guidance()
    expect(text).toContain("relative to that skill's folder, not to the working folder")
    expect(text).toContain('Absolute paths and URLs stay as they are')
    expect(text).toContain('run, never read')
    expect(text).toContain('There is no tool here that runs them')
  })

  it.each(['tool', 'tools'] as const)('[SHOW-9] explains when to activate a skill, and which: %s', async (style) => {
    const text = await guidance([], { listing: { style } })
    expect(text).toMatch(/When a task fits .* at once, before anything else/)
    expect(text).toContain('Never only announce that you will use a skill: call it.')
    expect(text).toContain('Use none that you were not shown, and do not activate one that is active.')
  })

  it('[SHOW-9] shows example calls of an activation without and with arguments', async () => {
    expect(line(await guidance(), 'To begin')).toBe(
      '- To begin: `use_skill` {"name":"example"}. With arguments: `use_skill` {"name":"example","args":"report.csv"}.',
    )
    expect(line(await guidance([], { listing: { style: 'tools' } }), 'To begin')).toBe(
      '- To begin: `skill_example` {}. With arguments: `skill_example` {"args":"report.csv"}.',
    )
  })

  it('[SHOW-9] shows the whole path of a reference, of a nested file and of a script', async () => {
    const text = await guidance(['run'], { toolMap: { run: { as: 'Bash', argument: 'cmd', kind: 'shell' } } })
    expect(line(text, '`references/style.md`')).toBe(
      '- `references/style.md` in its instructions is `/path/to/example/references/style.md`. To read it: `open_file` {"path":"references/style.md"}.',
    )
    expect(line(text, 'tables/eu.csv')).toBe(
      '- `assets/tables/eu.csv` is `/path/to/example/assets/tables/eu.csv`, wherever it is named: `open_file` {"path":"assets/tables/eu.csv"}.',
    )
    expect(line(text, 'sum.py')).toBe(
      '- `scripts/sum.py` is `/path/to/example/scripts/sum.py`. Right: `run` {"cmd":"python3 /path/to/example/scripts/sum.py report.csv"}. Wrong: `open_file` {"path":"scripts/sum.py"}, which is refused, and would take thousands of tokens.',
    )
    expect(line(await guidance(), 'sum.py')).toContain('Wrong: `open_file` {"path":"scripts/sum.py"}.')
  })

  it('[SHOW-6, SHOW-9] shows the command alone if the property of the input is unknown', async () => {
    expect(line(await guidance(['shell']), 'sum.py')).toContain(
      'Right: `shell` with the command `python3 /path/to/example/scripts/sum.py report.csv`. Wrong:',
    )
  })

  it('[SHOW-6, SHOW-9] shows a program and its arguments for a tool that takes them', async () => {
    const text = await guidance(['execute_command'])
    expect(line(text, 'sum.py')).toContain(
      'Right: `execute_command` {"program":"python3","args":["/path/to/example/scripts/sum.py","report.csv"]}. Wrong:',
    )
    expect(text).toContain('by their interpreter and their absolute paths, if the rules permit it')
    expect(text).not.toContain('"command"')
  })

  it('[SHOW-9] takes no more than 500 tokens, as its documentation says', async () => {
    const tools = ['mastra_workspace_execute_command']
    const widest = await guidance(tools, { skillToolNames: {} })
    expect(widest).toContain(tools[0])
    expect(estimateTokens(widest)).toBeLessThanOrEqual(500)
    expect(estimateTokens(widest)).toBeGreaterThan(350)
  })

  it('[SHOW-9] says before an activation only when to activate, unless the host asks for all of it', async () => {
    expect(await guidance([], { listing: { guidance: 'short' } })).toBe(
      'When a task fits a skill, call use_skill before anything else.',
    )
    const { openSession } = await openRepertoire({
      sources: [bundledSource()],
      skillToolNames: NAMES,
      listing: { style: 'tool' },
    })
    expect((await adapterSession(openSession()).step({ tools: [] })).instructions).toBe(
      await guidance([], { listing: { guidance: 'short' } }),
    )
  })
})
