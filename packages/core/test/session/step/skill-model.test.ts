import { describe, expect, it } from 'vitest'
import {
  type AdapterSession,
  type AdapterSessionOptions,
  type StepOptions,
  adapterSession,
  openAdapterSession,
} from '../../../src/adapter.ts'
import { type SavedSession, type SessionProblem, memorySource } from '../../../src/index.ts'
import { activate, HOST, open, skillText } from '../session-world.ts'
import { savedOf } from '../state/saved-world.ts'

const sources = [
  memorySource({
    layer: 'project',
    skills: {
      bright: { 'SKILL.md': skillText('bright', 'model: strong\n') },
      quick: { 'SKILL.md': skillText('quick', 'model: weak\n') },
      modest: { 'SKILL.md': skillText('modest', 'model: inherit\n') },
      plain: { 'SKILL.md': skillText('plain') },
      apart: { 'SKILL.md': skillText('apart', 'context: fork\n') },
    },
  }),
]
/** Returns the model that a step is made with. */
async function modelOf(session: AdapterSession, resolveModel: StepOptions<string>['resolveModel']) {
  return (await session.step({ tools: HOST, resolveModel })).model
}
const echo = (name: string): string => `model ${name}`

async function world(options: AdapterSessionOptions = {}) {
  const problems: SessionProblem[] = []
  const onProblem = (problem: SessionProblem) => void problems.push(problem)
  const opened = await open({ onProblem, ...options }, { sources })
  return { ...opened, problems, onProblem }
}

describe('the model that active skills ask for', () => {
  it('[ACT-16] is what the host finds for the one that was activated last, of those that name one', async () => {
    const { session, problems } = await world()
    const now = () => modelOf(session, echo)
    expect(await now()).toBeUndefined()
    await session.activate('bright')
    expect(await now()).toBe('model strong')
    for (const name of ['quick', 'plain', 'modest']) await session.activate(name)
    expect(await now()).toBe('model weak')
    const leave = (id: string) => session.call({ id, tool: 'deactivate_skill', input: {} })
    for (const name of ['modest', 'plain', 'quick']) await leave(name)
    expect(await now()).toBe('model strong')
    await leave('bright')
    expect(await now()).toBeUndefined()
    expect(problems.filter(({ code }) => code === 'MODEL_NOT_USED')).toEqual([])
  })

  it('[ACT-16] is the same in a saved session', async () => {
    const { session, repertoire } = await world()
    await modelOf(session, echo)
    await activate(session, 'bright')
    expect(await modelOf(openAdapterSession(repertoire, { saved: session.save() }), echo)).toBe('model strong')
  })

  it('[ACT-16] is not that of the session above, in a fork, which has its own', async () => {
    const { session } = await world()
    await modelOf(session, echo)
    await activate(session, 'bright')
    let inFork: unknown = 'not run'
    await session.step({ tools: HOST })
    await session.call({ id: 'f', tool: 'activate_skill', input: { name: 'apart' } }, () => '', {
      fork: async (request) => {
        inFork = await modelOf(adapterSession(request.session), echo)
        return 'done'
      },
    })
    expect(inFork).toBeUndefined()
  })

  it.each([
    ['the host finds none of that name', () => undefined, /no `resolveModel` of the host finds one/],
    ['the host has nothing that finds models', undefined, /no `resolveModel` of the host finds one/],
  ])('[ACT-16] is reported once where %s', async (_, resolve, why) => {
    const { session, repertoire, problems, onProblem } = await world()
    await modelOf(session, resolve)
    await activate(session, 'bright')
    expect(await modelOf(session, resolve)).toBeUndefined()
    await modelOf(session, resolve)
    await modelOf(openAdapterSession(repertoire, { saved: session.save(), onProblem }), resolve)
    expect(problems).toMatchObject([{ code: 'MODEL_NOT_USED', skill: 'bright' }])
    expect(problems[0]!.message).toMatch(why)
  })

  it('[ACT-16] is not found where the host’s function throws, which its caller sees', async () => {
    const { session } = await world()
    await activate(session, 'bright')
    const broken = (): never => {
      throw new Error('no key')
    }
    await expect(modelOf(session, broken)).rejects.toThrow('no key')
  })
})

describe('reports of models that are not used', () => {
  it('[ACT-16] are made once for each of the last 10,000 sessions', async () => {
    const { session, repertoire, problems, onProblem } = await world()
    await activate(session, 'bright')
    const skill = session.state.active[0]!
    const report = async (id: string) => {
      const saved = savedOf({ id, active: [skill] })
      problems.length = 0
      await openAdapterSession(repertoire, { saved, onProblem }).step({ tools: [] })
      return problems.length
    }
    expect([await report('first'), await report('first')]).toEqual([1, 0])
    for (let n = 0; n < 10_000; n++) await report(`${n}`)
    expect([await report('9999'), await report('first')]).toEqual([0, 1])
  })
})

describe('calls of one message in their own sessions', () => {
  it('[ACT-6] return the instructions once for the same arguments', async () => {
    const { repertoire } = await open({}, { sources })
    const saved = openAdapterSession(repertoire, { id: 'task' }).save()
    const call = (id: string, args: string, message: string | undefined) =>
      openAdapterSession(repertoire, { saved, consent: () => true, hostTools: HOST }).call(
        { id, tool: 'activate_skill', input: { name: 'plain', args } },
        () => '',
        { message },
      )
    const texts: (string | undefined)[] = []
    for (const [id, args, message] of [
      ['a', 'x', 'm1'],
      ['b', 'x', 'm1'],
      ['c', 'y', 'm1'],
      ['a', 'x', 'm1'],
      ['d', 'x', 'm2'],
      ['e', 'x', undefined],
    ] as const) {
      texts.push((await call(id, args, message)).text?.split('\n')[0])
    }
    const whole = expect.stringContaining('<skill_content') as string
    const note = expect.stringContaining('is already active. Follow its instructions') as string
    expect(texts).toEqual([whole, note, whole, whole, whole, whole])
  })

  it('[ACT-6] change the state so that it is the same in whichever order they are merged', async () => {
    const { repertoire } = await open({}, { sources })
    const saved = openAdapterSession(repertoire, { id: 'task' }).save()
    const sides: SavedSession[] = []
    for (const [id, args] of [
      ['a', 'x'],
      ['b', 'y'],
    ]) {
      const session = openAdapterSession(repertoire, { saved, consent: () => true, hostTools: HOST })
      const input = { name: 'plain', args }
      await session.call({ id: id!, tool: 'activate_skill', input }, () => '', { message: 'm' })
      sides.push(session.save())
    }
    for (const [one, other] of [sides, sides.toReversed()]) {
      const { state } = repertoire.mergeSaved(saved, one, other!)
      expect(state.active).toMatchObject([{ name: 'plain', args: 'x' }])
    }
  })
})
