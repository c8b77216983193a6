import { expect, it } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import { type AuditEvent, type GateMode, memorySource, openRepertoire } from '../../../src/index.ts'
import { code } from '../outcome.ts'
import { hooksBy } from '../hook-runner.ts'

const skill = (name: string, fields = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: d\n${fields}---\nBody.\n`,
})
const hooks = (name: string): string => `hooks:\n  post: [${name}.sh]\n`
const source = memorySource({
  layer: 'project',
  skills: {
    lower: { ...skill('lower', `allowed-tools: Read\n${hooks('lower')}`), 'lower.sh': 'true' },
    upper: { ...skill('upper', hooks('upper')), 'upper.sh': 'true' },
    denying: skill('denying', 'disallowed-tools: Write\n'),
    empty: skill('empty', "allowed-tools: ''\n"),
  },
})
const HOST = ['Read', 'Write']
const leave = (id: string, name?: string) => ({
  id,
  tool: 'deactivate_skill',
  input: name === undefined ? {} : { name },
})

/** A session in which these skills are active, and what is recorded of it. */
async function open(names: readonly string[], mode: GateMode = 'restrict') {
  const events: AuditEvent[] = []
  const hooksRun: string[] = []
  const repertoire = await openRepertoire({
    sources: [source],
    scripts: hooksBy(({ script }) => ({ ok: hooksRun.push(script.replace('.sh', '')) > 0 })),
    audit: { write: (event) => void events.push(event) },
  })
  const options = { hostTools: HOST, consent: () => true, enforcement: mode } as const
  const session = openAdapterSession(repertoire, { id: 'task', ...options })
  for (const name of names) {
    await (await session.step({ tools: HOST })).call({ id: name, tool: 'activate_skill', input: { name } })
  }
  const step = await session.step({ tools: HOST })
  const left = () => events.filter(({ type }) => type === 'skill.deactivated').map(({ skill: of }) => of?.name)
  return { repertoire, options, session, step, hooksRun, left }
}

type Call = ReturnType<typeof leave>

/** Carries the calls of one message out: in one session, or each in its own session. */
async function together(world: Awaited<ReturnType<typeof open>>, calls: readonly Call[], isEach: boolean) {
  const { repertoire, session, step, options } = world
  if (!isEach) return Promise.all(calls.map((call) => step.call(call, () => undefined)))
  const saved = session.save()
  return Promise.all(
    calls.map((call) =>
      openAdapterSession(repertoire, { ...options, saved }).call(call, () => undefined, { message: 'm' }),
    ),
  )
}

it.each([[false], [true]])(
  '[ACT-6] one message deactivates two skills from the top down, each once (a session for each call: %s)',
  async (isEach) => {
    const world = await open(['lower', 'upper'])
    const outcomes = await together(world, [leave('1', 'upper'), leave('2', 'lower'), leave('3', 'upper')], isEach)
    expect(outcomes.map(code)).toEqual(['ok', 'ok', 'ok'])
    expect(outcomes[2]!.text).toBe(outcomes[0]!.text)
    expect(world.hooksRun.toSorted()).toEqual(['lower', 'upper'])
    expect(new Set(world.left())).toEqual(new Set(['lower', 'upper']))
    expect(world.left()).toHaveLength(2)
  },
)

it.each([[false], [true]])(
  '[ACT-6] a skill is not deactivated before the one above it (a session for each call: %s)',
  async (isEach) => {
    const world = await open(['lower', 'upper'])
    const outcomes = await together(world, [leave('1', 'lower'), leave('2', 'upper')], isEach)
    expect(outcomes.map(code)).toEqual(['SKILL_NOT_ON_TOP', 'ok'])
    expect(world.hooksRun).toEqual(['upper'])
  },
)

it.each([[false], [true]])(
  '[ACT-6] a skill that a message deactivates and names again is not called active (a session for each call: %s)',
  async (isEach) => {
    const again = { id: '2', tool: 'activate_skill', input: { name: 'lower' } }
    const left = await open(['lower'])
    const outcomes = await together(left, [leave('1'), again, leave('3')], isEach)
    expect(outcomes.map(code)).toEqual(['ok', 'SKILL_NOT_ACTIVE', 'ok'])
    expect(outcomes[1]!.text).toContain('Activate it in your next message.')
    expect(left.hooksRun).toEqual(['lower'])
    const kept = await open(['lower', 'upper'])
    const refused = await together(kept, [leave('1', 'lower'), again], isEach)
    expect(refused.map(code)).toEqual(['SKILL_NOT_ON_TOP', 'ok'])
    const before = await open(['lower'])
    const first = await together(before, [again, leave('1')], isEach)
    expect(first.map(code)).toEqual(['ok', 'ok'])
  },
)

it('[ACT-6, ASK-7] a deactivation says what it changes', async () => {
  const { session } = await open(['lower'])
  const { text } = await session.call(leave('1'), () => undefined)
  expect(text).toBe('The skill "lower" is no longer active: its rules no longer apply.')
})
