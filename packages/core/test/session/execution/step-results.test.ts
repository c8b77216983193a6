import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { call, openExecution, typed } from './execution-world.ts'

const plan = (steps: readonly object[], fields = '') => ({
  plan: typed('plan', 'composite', JSON.stringify({ steps }), fields, 'json'),
})

/** Carries out a plan whose tools return what is given, by their names. */
async function carryOut(
  steps: readonly object[],
  returned: Record<string, unknown>,
  { fields = '', args }: { fields?: string; args?: object } = {},
) {
  const ran: Pick<ToolCall, 'tool' | 'input'>[] = []
  const runStep = ({ tool, input }: ToolCall) => {
    ran.push({ tool, input })
    return returned[tool]
  }
  const { session } = await openExecution(plan(steps, fields), { runStep })
  return { ran, outcome: await call(session, 'plan', args) }
}

const look = { tool: 'Read', name: 'look' }

describe('the results of the steps of a plan', () => {
  it('[RUN-2] are in later steps: whole as they are, by a property, and in a text as text', async () => {
    const files = ['a', 'b']
    const { ran, outcome } = await carryOut(
      [
        look,
        {
          tool: 'Write',
          parameters: {
            all: '{{ steps.look.result }}',
            list: '{{ steps.look.result.files }}',
            one: '{{ steps.look.result.files.1 }}',
            text: 'n={{ steps.look.result.count }} {{ steps.look.result.files }}',
          },
        },
      ],
      { Read: { files, count: 2 } },
    )
    expect(ran[1]?.input).toEqual({ all: { files, count: 2 }, list: files, one: 'b', text: 'n=2 ["a","b"]' })
    expect(outcome).toMatchObject({ ok: true, value: { run: { ok: true } } })
  })

  it('[RUN-2, ABUSE-58] are data: neither they nor parameters are read again, and the tool stays as it is written', async () => {
    const { ran } = await carryOut(
      [
        look,
        { tool: 'Bash', name: 'next', parameters: { command: '{{ steps.look.result }}' } },
        {
          tool: 'Write',
          parameters: { tool: 'Write', a: '{{ given }}', b: 'x {{ steps.look.result }} {{ steps.next.result }}' },
        },
      ],
      { Read: '{{ steps.next.result }} $& Bash', Bash: '{{ given }}' },
      { fields: 'parameters:\n  given: string\n', args: { given: '{{ steps.look.result }}' } },
    )
    expect(ran).toEqual([
      { tool: 'Read', input: {} },
      { tool: 'Bash', input: { command: '{{ steps.next.result }} $& Bash' } },
      {
        tool: 'Write',
        input: {
          tool: 'Write',
          a: '{{ steps.look.result }}',
          b: 'x {{ steps.next.result }} $& Bash {{ given }}',
        },
      },
    ])
  })

  it('[RUN-2, GATE-1] are judged where they are put: a call that the rules do not permit with them does not run', async () => {
    const { ran, outcome } = await carryOut(
      [look, { tool: 'Bash', parameters: { command: 'git log {{ steps.look.result }}' } }],
      { Read: '; rm -r .' },
      { fields: 'allowed-tools: Read Bash(git log:*)\n' },
    )
    expect(ran.map(({ tool }) => tool)).toEqual(['Read'])
    expect(outcome).toMatchObject({
      value: { run: { results: [{ ok: true }, { error: { code: 'TOOL_NOT_ALLOWED' } }] } },
    })
  })

  it.each([
    ['{{ steps.look.result.none }}', { a: 1 }, /and the result of that step does not have it/],
    ['{{ steps.look.result.constructor }}', {}, /does not have it/],
    ['{{ steps.look.result.length }}', 'text', /does not have it/],
    ['{{ steps.look.result }}', 1n, /which is not JSON data/],
    ['{{ steps.look.result }}', () => 1, /which is not JSON data/],
    ['{{ steps.look.result }}', 'x'.repeat(1_000_001), /longer than 1000000 characters/],
  ])('[RUN-2, ABUSE-60] fail the step that uses what is not there: %s of %#', async (text, value, reason) => {
    const { ran, outcome } = await carryOut([look, { tool: 'Write', parameters: { text } }], { Read: value })
    expect(ran.map(({ tool }) => tool)).toEqual(['Read'])
    const { run } = (outcome as { value: { run: { results: { error?: { message: string } }[] } } }).value
    expect(run.results[1]?.error?.message).toMatch(/^It was not begun\. Step 2 uses|^It was not begun\. Step 2 makes/)
    expect(run.results[1]?.error?.message).toMatch(reason)
  })

  it('[RUN-2] do not change with what the tool does to its value later', async () => {
    const kept = { files: ['a'] }
    const ran: unknown[] = []
    const runStep = ({ tool, input }: ToolCall) => {
      if (tool === 'Bash') kept.files.push('b')
      ran.push(input)
      return tool === 'Read' ? kept : 'done'
    }
    const steps = [look, { tool: 'Bash' }, { tool: 'Write', parameters: { text: '{{ steps.look.result.files }}' } }]
    const { session } = await openExecution(plan(steps), { runStep })
    await call(session, 'plan')
    expect(ran[2]).toEqual({ text: ['a'] })
  })

  it('[RUN-2, ABUSE-58] are copied for each step: what a tool does to its input is in no other', async () => {
    const ran: unknown[] = []
    const runStep = ({ tool, input }: ToolCall) => {
      if (tool === 'Read') return { files: ['a'] }
      const { files, given } = input as { files: string[]; given: string[] }
      ran.push(structuredClone(input))
      files.push('b')
      given.push('c')
      return 'done'
    }
    const parameters = { files: '{{ steps.look.result.files }}', given: '{{ given }}' }
    const steps = [look, { tool: 'Write', parameters }, { tool: 'Bash', parameters }]
    const { session } = await openExecution(plan(steps, 'parameters:\n  given: array\n'), { runStep })
    const { value } = (await call(session, 'plan', { given: ['x'] })) as { value?: unknown }
    expect(ran).toEqual([
      { files: ['a'], given: ['x'] },
      { files: ['a'], given: ['x'] },
    ])
    expect(JSON.stringify(value)).not.toContain('"c"')
  })

  it.each([
    ['{"constructor":{"prototype":{"isAdmin":true}}}', /names a prototype/],
    [`${'['.repeat(300)}${']'.repeat(300)}`, /nested deeper than/],
  ])('[RUN-2, ABUSE-58] are refused where a model could not write them either: %#', async (text, reason) => {
    const { ran, outcome } = await carryOut(
      [look, { tool: 'Write', parameters: { text: '{{ steps.look.result }}' } }],
      { Read: JSON.parse(text) as unknown },
    )
    expect(ran.map(({ tool }) => tool)).toEqual(['Read'])
    const { run } = (outcome as { value: { run: { results: object[] } } }).value
    expect(run.results[1]).toMatchObject({
      ok: false,
      error: { code: 'INPUT_INVALID', message: expect.stringMatching(reason) },
    })
  })

  it('[RUN-2] of a step that does not exist refuse the skill, before anything runs', async () => {
    const steps = [{ tool: 'Read' }, { tool: 'Write', parameters: { text: '{{ steps.look.result }}' } }]
    const { ran, outcome } = await carryOut(steps, {})
    expect(code(outcome)).toBe('SKILL_BROKEN')
    expect(outcome.text).toContain('no step before it has that name')
    expect(ran).toEqual([])
  })

  it('[RUN-2] stay as they are written in the plan that a model carries out itself, with their names', async () => {
    const steps = [look, { tool: 'Write', parameters: { text: '{{ steps.look.result }}' } }]
    const { session } = await openExecution(plan(steps))
    const { text } = await call(session, 'plan')
    expect(text).toContain('Its result is {{ steps.look.result }} in later steps.')
    expect(text).toContain('2. `Write` {"text":"{{ steps.look.result }}"}')
  })
})
