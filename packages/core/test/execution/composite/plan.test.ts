import { describe, expect, it } from 'vitest'
import { MAX_STEPS, planOf, planText } from '../../../src/execution/composite/plan.ts'

const SCHEMA = { properties: { file: { type: 'string' }, lines: { type: 'integer' }, tags: { type: 'array' } } }
const planned = (parameters: unknown, values: Record<string, unknown>) => {
  const found = planOf([{ tool: 'Read', parameters }], SCHEMA, values)
  return 'plan' in found ? found.plan[0]?.parameters : found.problem
}

describe('planOf', () => {
  it('[RUN-2] is each step with its number from 1, its tool and its parameters', () => {
    const steps = [
      { tool: 'Read', parameters: { path: 'a' }, description: 'First.' },
      { tool: 'Bash', parameters: {} },
    ]
    expect(planOf(steps, undefined, {})).toHaveProperty('plan', [
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
    [Array.from({ length: MAX_STEPS + 1 }, () => ({ tool: 'Read' })), 'It has 101 steps, of at most 100.'],
    [Array.from({ length: 10_000 }, () => ({ tool: 'Read' })), 'It has 10000 steps, of at most 100.'],
  ])('[RUN-2, ABUSE-61] says what is wrong with steps: %#', (steps, problem) => {
    expect(planOf(steps, undefined, {})).toEqual({ problem })
  })

  it('[RUN-2] fills in parameters: alone as they are, in a text as text, and leaves out what is absent', () => {
    expect(
      planned({ a: '{{ lines }}', b: 'x{{file}}y', c: ['{{ tags }}', 1] }, { lines: 3, file: 'f', tags: ['t'] }),
    ).toEqual({
      a: 3,
      b: 'xfy',
      c: [['t'], 1],
    })
    expect(planned({ a: '{{ lines }}', b: 'x{{ file }}y' }, {})).toEqual({ b: 'xy' })
  })

  it('[ABUSE-58] does not read again what was filled in', () => {
    for (const value of ['{{ lines }}', '$&', '$1', '{{file}}']) {
      expect(planned({ a: '{{ file }}', b: '<{{ file }}>' }, { file: value, lines: 3 })).toEqual({
        a: value,
        b: `<${value}>`,
      })
    }
  })

  it('[ABUSE-57] takes an unknown parameter for an error', () => {
    for (const name of ['nope', 'constructor', 'toString', '__proto__']) {
      expect(planned({ a: `{{ ${name} }}` }, {})).toBe(
        `Step 1 uses the parameter "${name}", which the skill does not have.`,
      )
    }
  })

  it('[RUN-2] leaves everything as it is written in a skill without parameters', () => {
    expect(planOf([{ tool: 'Write', parameters: { text: '{{ a }}' } }], undefined, { a: 1 })).toHaveProperty(
      'plan.0.parameters.text',
      '{{ a }}',
    )
  })

  it('[ABUSE-60] does not become longer than a megabyte', () => {
    expect(planned({ a: '{{ file }}{{ file }}{{ file }}' }, { file: 'x'.repeat(400_000) })).toMatch(
      /^Step 1 makes the plan longer/,
    )
  })

  it('[RUN-2] is shown as numbered calls', () => {
    const found = planOf([{ tool: 'Read', parameters: { a: 1 }, description: 'Look\nat it.' }], undefined, {})
    expect('plan' in found && planText(found.plan)).toContain('1. `Read` {"a":1}\n   Look at it.')
  })
})
