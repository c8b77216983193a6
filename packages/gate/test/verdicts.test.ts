import { describe, expect, it } from 'vitest'
import { openGate } from '@repertoire/gate'
import { HARD_TEXTS, VERDICTS } from './verdicts.ts'

describe.each(VERDICTS)('[GATE-3] under $policy', ({ policy, permitted, refused }) => {
  const gate = openGate({ policy, cwd: '/project' })
  const isAllowed = async (command: string) => (await gate.judge({ tool: 'Bash', input: { command } })).allowed

  it.each(permitted)('permits %j', async (command) => {
    expect(await isAllowed(command)).toBe(true)
  })

  it.each(refused)('refuses %j', async (command) => {
    expect(await isAllowed(command)).toBe(false)
  })

  it.each(HARD_TEXTS)('[ABUSE-143] gives a verdict on %j', async (command) => {
    expect([true, false]).toContain(await isAllowed(command))
  })
})
