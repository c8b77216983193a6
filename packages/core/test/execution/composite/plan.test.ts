import { describe, expect, it } from 'vitest'
import { createSkillExecutor, type ExecutionRequest, type PlanStep } from '../../../src/index.ts'

type Parameters = ExecutionRequest['parameters']

/** The plan of a composite skill, or what is wrong with it. */
async function planOf(
  steps: unknown,
  parameters: Parameters,
  input: Record<string, unknown>,
): Promise<readonly PlanStep[] | string> {
  const definition = { type: 'composite', steps } as ExecutionRequest['definition']
  const outcome = await createSkillExecutor().execute({ name: 'plan', definition, parameters, input })
  if (!outcome.ok) return outcome.reason
  return outcome.value.type === 'composite' ? outcome.value.plan : expect.unreachable()
}

const SCHEMA = { properties: { file: { type: 'string' }, lines: { type: 'integer' }, tags: { type: 'array' } } }
const planned = async (parameters: unknown, values: Record<string, unknown>): Promise<unknown> => {
  const plan = await planOf([{ tool: 'Read', parameters }], SCHEMA, values)
  return typeof plan === 'string' ? plan : plan[0]?.parameters
}

describe('the plan of a composite skill', () => {
  it('[RUN-2] lists each step with its number from 1, its tool and its parameters', async () => {
    const steps = [
      { tool: 'Read', parameters: { path: 'a' }, description: 'First.' },
      { tool: 'Bash', parameters: {} },
    ]
    expect(await planOf(steps, undefined, {})).toEqual([
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
    expect(await planOf(steps, undefined, {})).toMatch(new RegExp(`cannot be used.*${problem}$`))
  })

  it('[RUN-2] fills in parameters: alone as values, within a text as text, and leaves out absent ones', async () => {
    expect(
      await planned({ a: '{{ lines }}', b: 'x{{file}}y', c: ['{{ tags }}', 1] }, { lines: 3, file: 'f', tags: ['t'] }),
    ).toEqual({
      a: 3,
      b: 'xfy',
      c: [['t'], 1],
    })
    expect(await planned({ a: '{{ lines }}', b: 'x{{ file }}y' }, {})).toEqual({ b: 'xy' })
  })

  it('[ABUSE-58] does not expand inserted values again', async () => {
    for (const value of ['{{ lines }}', '$&', '$1', '{{file}}']) {
      expect(await planned({ a: '{{ file }}', b: '<{{ file }}>' }, { file: value, lines: 3 })).toEqual({
        a: value,
        b: `<${value}>`,
      })
    }
  })

  it('[ABUSE-57] fails on an unknown parameter', async () => {
    for (const name of ['nope', 'constructor', 'toString', '__proto__']) {
      expect(await planned({ a: `{{ ${name} }}` }, {})).toContain(
        `Step 1 uses the parameter "${name}", which the skill does not have.`,
      )
    }
  })

  it('[RUN-2] is left as written if the skill has no parameters', async () => {
    expect(await planOf([{ tool: 'Write', parameters: { text: '{{ a }}' } }], undefined, { a: 1 })).toHaveProperty(
      '0.parameters.text',
      '{{ a }}',
    )
  })

  it('[ABUSE-60] is at most a megabyte long', async () => {
    expect(await planned({ a: '{{ file }}{{ file }}{{ file }}' }, { file: 'x'.repeat(400_000) })).toMatch(
      /Step 1 makes the plan longer/,
    )
  })
})
