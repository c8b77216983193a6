import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FunctionTool, ToolCall } from '../../src/index.ts'
import { runAgent } from './readme-example.ts'

it('[ADPT-4] shows in the README a program that is compiled and runs', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-readme-'))
  try {
    mkdirSync(join(root, 'tidy'))
    writeFileSync(
      join(root, 'tidy/SKILL.md'),
      '---\nname: tidy\ndescription: Tidies.\nallowed-tools: Read\n---\nTidy up.\n',
    )
    const ran: string[] = []
    const tool = (name: string): FunctionTool => ({
      name,
      description: name,
      inputSchema: { type: 'object' },
      execute: () => void ran.push(name),
    })
    const calls: ToolCall[] = [
      { id: '1', tool: 'activate_skill', input: { name: 'tidy' } },
      { id: '2', tool: 'Write', input: {} },
      { id: '3', tool: 'Read', input: {} },
    ]
    const offered: string[][] = []
    const answer = await runAgent(
      root,
      (_, tools, results) => {
        offered.push(tools.map(({ name }) => name))
        return Promise.resolve(calls[results.length] ?? results.join('\n'))
      },
      [tool('Read'), tool('Write')],
      () => true,
    )
    expect(answer).toContain('Tidy up.')
    expect(answer).toContain('TOOL_NOT_ALLOWED')
    expect(ran).toEqual(['Read'])
    expect(offered[0]).toContain('Write')
    expect(offered[1]).not.toContain('Write')
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
