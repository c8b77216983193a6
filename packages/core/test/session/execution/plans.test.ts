import { describe, expect, it } from 'vitest'
import { keeping } from '../../audit/world.ts'
import type { ToolCall } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { activeOf, call, openExecution, SKILLS, typed } from './execution-world.ts'

const plan = (name: string, steps: readonly object[], fields = '') =>
  typed(name, 'composite', JSON.stringify({ steps }), fields, 'json')

/** Opens a session that carries plans out; `ran` is what ran. */
async function openPlans(skills: Record<string, Record<string, string>>, options = {}, repertoire = {}) {
  const ran: string[] = []
  const runStep = ({ tool, input }: ToolCall) => {
    ran.push(`${tool} ${Object.values(input as object).join(' ')}`)
    return `${tool} ran`
  }
  const { session } = await openExecution(skills, { runStep, ...options }, repertoire)
  return { session, ran }
}

interface Step {
  readonly step: number
  readonly ok: boolean
  readonly error?: { readonly code?: string; readonly message: string }
}

const results = (outcome: { ok: boolean; value?: unknown }): readonly Step[] =>
  (outcome.value as { run: { results: readonly Step[] } }).run.results

describe('a composite skill', () => {
  it('[RUN-2] is a plan for the model, active and restricting, where nothing here carries it out', async () => {
    const { session } = await openExecution()
    const outcome = await call(session, 'release')
    expect(outcome.text).toContain(
      '1. `Read` {"file_path":"notes.md"}\n   Look at it.\n2. `Bash` {"command":"git tag v2"}',
    )
    expect(activeOf(session)).toEqual(['release'])
    const other = await session.call({ id: 'x', tool: 'Write', input: { file_path: 'a' } }, () => 'ran')
    expect(code(other)).toBe('TOOL_NOT_ALLOWED')
  })

  it('[RUN-2] takes no parameters', async () => {
    const { session } = await openExecution()
    const outcome = await call(session, 'release', { version: '1.0' })
    expect(code(outcome)).toBe('INPUT_INVALID')
    expect(outcome.text).toContain('"version\\" is not a parameter')
  })

  it('[RUN-2] that declares parameters is refused with what to do, and its twin without them runs', async () => {
    const steps = [{ tool: 'Read', parameters: { file_path: 'a' } }]
    const skills = { p: plan('p', steps, 'parameters: { version: string }\n'), q: plan('q', steps) }
    const { session, ran } = await openPlans(skills)
    const outcome = await call(session, 'p', { version: '1.0' })
    expect(code(outcome)).toBe('SKILL_BROKEN')
    expect(outcome.text).toContain('A plan takes no parameters: write the values into its steps.')
    expect(code(await call(session, 'p'))).toBe('SKILL_BROKEN')
    expect(ran).toEqual([])
    await call(session, 'q')
    expect(ran).toEqual(['Read a'])
  })

  it('[RUN-2] is carried out through the gate by option, and is not active afterwards', async () => {
    const { session, ran } = await openPlans(SKILLS)
    const outcome = await call(session, 'release')
    expect(ran).toEqual(['Read notes.md', 'Bash git tag v2'])
    expect(results(outcome)).toMatchObject([
      { step: 1, ok: true, value: 'Read ran' },
      { step: 2, ok: true },
    ])
    expect(outcome.text).toContain('All steps are done: 2 of 2.')
    expect(activeOf(session)).toEqual([])
  })

  it('[RUN-2, ABUSE-63, ABUSE-152] stops at a step that is refused, that throws or that says it failed', async () => {
    const steps = [
      { tool: 'Read', parameters: { file_path: 'a' } },
      { tool: 'Bash', parameters: { command: 'rm x' } },
      { tool: 'Read' },
    ]
    const refused = await openPlans({ p: plan('p', steps, 'allowed-tools: Read\n') })
    const outcome = await call(refused.session, 'p')
    expect(refused.ran).toEqual(['Read a'])
    expect(results(outcome)).toMatchObject([{ ok: true }, { ok: false, error: { code: 'TOOL_NOT_ALLOWED' } }])
    expect(outcome.text).toContain('Step 2 of 3 failed, and none after it was begun: TOOL_NOT_ALLOWED')
    expect(outcome.text).toContain('failed="true"')

    const thrown = { throws: new Error('No such file.') }
    for (const [returned, isFailure] of [
      [thrown, true],
      [{ exitCode: 1, stderr: 'No such file.' }, true],
      [{ isError: true, content: 'No such file.' }, true],
      [{ success: false, error: 'No such file.', duration_ms: 1 }, true],
      [{ success: true, result: { exitCode: 1, stderr: 'No such file.' }, duration_ms: 1 }, true],
      [{ success: true, result: { exitCode: 0, stderr: 'No such file.' }, duration_ms: 1 }, false],
      [{ result: 'No such file.' }, false],
    ] as const) {
      const sink = keeping()
      const runStep = ({ tool }: ToolCall) => {
        if (tool !== 'Bash') return 'ok'
        if (returned === thrown) throw thrown.throws
        return returned
      }
      const { session } = await openExecution({ p: plan('p', steps) }, { runStep }, { audit: { sink } })
      const ended = await call(session, 'p')
      expect(results(ended).map(({ ok }) => ok)).toEqual(isFailure ? [true, false] : [true, true, true])
      expect(ended.text).toContain('No such file.')
      const audited = sink.events.find(({ type, tool }) => type === 'tool.finished' && tool === 'Bash')
      expect(audited?.outcome).toBe(isFailure ? 'failed' : 'succeeded')
    }
  })

  it('[RUN-2] has no tool that the host has not', async () => {
    const { session } = await openPlans({ p: plan('p', [{ tool: 'Nope' }]) })
    expect(results(await call(session, 'p'))).toMatchObject([{ ok: false, error: { code: 'TOOL_UNKNOWN' } }])
  })

  it('[ABUSE-62] gives a child no right that its parent has not, and asks for the child', async () => {
    const asked: string[] = []
    const { session, ran } = await openPlans(
      {
        parent: plan(
          'parent',
          [{ tool: 'Read', parameters: { file_path: 'a' } }, { tool: 'skill_child' }],
          'allowed-tools: Read\n',
        ),
        child: plan('child', [{ tool: 'Bash', parameters: { command: 'ls' } }], 'allowed-tools: Bash Read Write\n'),
      },
      {
        consent({ skill }: { skill: string }) {
          asked.push(skill)
          return true
        },
      },
    )
    const outcome = await call(session, 'parent')
    expect(asked).toEqual(['parent', 'child'])
    expect(ran).toEqual(['Read a'])
    expect(outcome.text).toContain('TOOL_NOT_ALLOWED')
  })

  it('[ABUSE-62] carries out nothing of a child that nobody agreed to', async () => {
    const { session, ran } = await openPlans(
      { parent: plan('parent', [{ tool: 'skill_child' }]), child: plan('child', [{ tool: 'Read' }]) },
      { consent: ({ skill }: { skill: string }) => skill === 'parent' },
    )
    expect(results(await call(session, 'parent'))).toMatchObject([{ ok: false, error: { code: 'CONSENT_DENIED' } }])
    expect(ran).toEqual([])
  })

  it('[RUN-2] calls child skills of every type, by their own tools or by the activation tool', async () => {
    const { session } = await openPlans({
      ...SKILLS,
      parent: plan('parent', [
        { tool: 'skill_greet', parameters: { name: 'Ann' } },
        { tool: 'activate_skill', parameters: { name: 'plain', args: 'this' } },
        { tool: 'skill_release' },
        { tool: 'skill_hello' },
      ]),
    })
    const outcome = await call(session, 'parent')
    expect(results(outcome)).toMatchObject([
      { ok: true, value: { type: 'template', text: 'Dear Ann,\nBye' } },
      { ok: true, value: { type: 'instruction', content: 'Do it for this.\n' } },
      { ok: true, value: { type: 'composite', run: { ok: true } } },
      { ok: false, error: { code: 'SCRIPT_UNAVAILABLE' } },
    ])
    expect(activeOf(session)).toEqual([])
  })

  it('[ABUSE-61] tells a circle with its path', async () => {
    const { session } = await openPlans({
      a: plan('a', [{ tool: 'skill_b' }]),
      b: plan('b', [{ tool: 'skill_c' }]),
      c: plan('c', [{ tool: 'skill_a' }]),
    })
    const outcome = await call(session, 'a')
    expect(outcome.text).toContain('PLAN_CYCLE')
    expect(JSON.stringify(outcome.ok && outcome.value)).toContain(JSON.stringify('"a" → "b" → "c" → "a"').slice(1, -1))
  })

  it('[ABUSE-61] tells a depth of fifty with its path, and runs nothing below', async () => {
    const deep = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => {
        const name = `level-${index}`
        return [name, plan(name, [{ tool: index === 49 ? 'Read' : `skill_level-${index + 1}` }])]
      }),
    )
    const { session, ran } = await openPlans(deep)
    const outcome = await call(session, 'level-0')
    expect(outcome.text).toContain('PLAN_TOO_LARGE')
    expect(outcome.text).toContain('skills nest at most 8 deep')
    expect(ran).toEqual([])
  })

  it('[ABUSE-61] carries out at most 1,000 steps in one call', async () => {
    const all = (tool: string) => Array.from({ length: 100 }, () => ({ tool }))
    const { session, ran } = await openPlans({
      a: plan('a', all('skill_b')),
      b: plan('b', all('Read')),
    })
    const outcome = await call(session, 'a')
    expect(outcome.text).toContain('PLAN_TOO_LARGE')
    expect(ran.length).toBeLessThan(1_000)
    expect(ran.length).toBeGreaterThan(900)
  })

  it('[RUN-2, OBS-1] records the skill and each step, and what failed', async () => {
    const sink = keeping()
    const { session } = await openPlans(SKILLS, {}, { audit: { sink } })
    await call(session, 'release')
    await session.end()
    expect(sink.events.map(({ type, tool, outcome }) => [type, tool, outcome])).toEqual([
      ['skill.activating', 'activate_skill', 'started'],
      ['execution.started', 'activate_skill', 'started'],
      ['tool.started', 'Read', 'started'],
      ['tool.finished', 'Read', 'succeeded'],
      ['tool.started', 'Bash', 'started'],
      ['tool.finished', 'Bash', 'succeeded'],
      ['execution.finished', 'activate_skill', 'succeeded'],
    ])
    expect(sink.events[2]?.skills.map(({ name }) => name)).toEqual(['release'])
  })

  it('[RUN-2] is stopped by the signal of its call', async () => {
    const controller = new AbortController()
    const { session } = await openExecution(
      { p: plan('p', [{ tool: 'Read' }]) },
      {
        runStep: () => {
          controller.abort(new Error('stopped'))
          return new Promise(() => {})
        },
      },
    )
    await expect(call(session, 'p', undefined, controller.signal)).rejects.toThrow('stopped')
  })
})
