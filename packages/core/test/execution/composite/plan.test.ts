import { describe, expect, it } from 'vitest'
import { createSkillExecutor, type ExecutionRequest, type PlanStep } from '../../../src/index.ts'

/** The plan of a composite skill, or what is wrong with it. */
async function planOf(steps: unknown, input: Record<string, unknown> = {}): Promise<readonly PlanStep[] | string> {
  const definition = { type: 'composite', steps } as ExecutionRequest['definition']
  const outcome = await createSkillExecutor().execute({ name: 'plan', definition, input })
  if (!outcome.ok) return outcome.reason
  return outcome.value.type === 'composite' ? outcome.value.plan : expect.unreachable()
}

describe('the plan of a composite skill', () => {
  it('[RUN-2] lists each step with its number from 1, its tool and its parameters', async () => {
    const steps = [
      { tool: 'Read', parameters: { path: 'a' }, description: 'First.' },
      { tool: 'Bash', parameters: {} },
    ]
    expect(await planOf(steps)).toEqual([
      { step: 1, tool: 'Read', parameters: { path: 'a' }, description: 'First.' },
      { step: 2, tool: 'Bash', parameters: {} },
    ])
  })

  it.each([
    [undefined, 'It has no `steps`, or they are not a list.'],
    ['Read', 'It has no `steps`, or they are not a list.'],
    [{}, 'It has no `steps`, or they are not a list.'],
    [[], 'It has no step.'],
    [[{ tool: 'Read', parameters: {} }, { parameters: {} }], 'Step 2 names no tool.'],
    [[{ tool: ' ' }], 'Step 1 names no tool.'],
    [[{ tool: 'Read', parameters: [] }], 'Step 1 has parameters that are not a mapping.'],
    [Array.from({ length: 101 }, () => ({ tool: 'Read' })), 'It has 101 steps, of at most 100.'],
    [Array.from({ length: 10_000 }, () => ({ tool: 'Read' })), 'It has 10000 steps, of at most 100.'],
  ])('[RUN-2, ABUSE-61] is refused with what is wrong with its steps: %#', async (steps, problem) => {
    expect(await planOf(steps)).toMatch(new RegExp(`cannot be used.*${problem}$`))
  })

  it('[RUN-2, ABUSE-58] has its parameters as they are written, and takes none', async () => {
    const steps = [{ tool: 'Write', parameters: { text: '{{ a }} $&' } }]
    expect(await planOf(steps, {})).toHaveProperty('0.parameters.text', '{{ a }} $&')
    expect(await planOf(steps, { a: 1 })).toContain('its parameters do not fit: "a" is not a parameter')
  })
})
