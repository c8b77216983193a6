import { describe, expect, it } from 'vitest'
import type { Step } from '../../../src/adapter.ts'
import { HOST, open, activate } from '../session-world.ts'
import { code } from '../outcome.ts'

describe('what a step shows', () => {
  it('[SHOW-1] shows nothing at all where no skill is visible', async () => {
    const { session } = await open({ skills: [] })
    const view = await session.step({ tools: HOST })
    expect(view.tools).toEqual([])
    expect(view.instructions).toBe('')
    expect(view.system(undefined)).toBeUndefined()
    expect(view.system('Mine.')).toBe('Mine.')
    expect(code(await activate(session, 'editor'))).toBe('TOOL_UNKNOWN')
  })

  it('[SHOW-3] lists the skills in the description of the activation tool where that style is asked for', async () => {
    const { session } = await open({}, { listing: { style: 'tool' } })
    const view = await session.step({ tools: HOST })
    expect(view.tools[0]?.description).toContain('\n- editor: The skill editor.\n')
    expect(view.instructions).not.toContain('The skill editor.')
  })

  it('[GATE-1] hides the tools that no call could be allowed of', async () => {
    const { session } = await open()
    const hidden = (view: Step) => HOST.filter((name) => view.isHidden(name))
    expect(hidden(await session.step({ tools: HOST }))).toEqual([])
    await activate(session, 'editor')
    expect(hidden(await session.step({ tools: HOST }))).toEqual(['Bash'])
  })
})
