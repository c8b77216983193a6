import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  adapterSession,
  type AdapterSessionOptions,
  openAdapterSession,
  type AdapterSession,
} from '../../src/adapter.ts'
import type { Session, SessionOptions } from '../../src/index.ts'
import { HOST, open } from './session-world.ts'

/** Opens one session after the other, as frameworks do for their hooks. */
async function opener(): Promise<(options: AdapterSessionOptions) => AdapterSession> {
  const { repertoire } = await open({}, { sessionSecret: 'the key of the host' })
  return (options) => openAdapterSession(repertoire, options)
}

const ALL = ['editor', 'free', 'historian', 'mute']

async function sees(session: AdapterSession): Promise<readonly string[]> {
  const { instructions } = await session.step({ tools: HOST })
  return ALL.filter((name) => instructions.includes(`The skill ${name}.`))
}

describe('sessions that are opened one after the other', () => {
  it('[NFR-6, CAT-5] see what their own options say, also where all but the allowlist is the same', async () => {
    const next = await opener()
    const skills = ['free']
    expect(await sees(next({}))).toEqual(ALL)
    expect(await sees(next({ skills: [] }))).toEqual([])
    expect(await sees(next({}))).toEqual(ALL)
    expect(await sees(next({ skills }))).toEqual(['free'])
    skills.push('mute')
    expect(await sees(next({ skills }))).toEqual(['free', 'mute'])
    expect(await sees(next({ skills: ['mute', 'free'] }))).toEqual(['free', 'mute'])
    expect(await sees(next({ agent: 'other' }))).toEqual(ALL)
  })

  it('[NFR-6, CAT-5] share nothing with one whose options are not properties of its own', async () => {
    const { repertoire } = await open({}, { sessionSecret: 'the key of the host' })
    const next = (options: SessionOptions) => adapterSession(repertoire.openSession(options))
    class Options {
      get skills(): readonly string[] {
        return ['free']
      }
    }
    let read = 0
    const changing = {
      get skills(): readonly string[] {
        return read++ % 2 === 0 ? ['mute'] : []
      },
    }
    const inherited = Object.create({ skills: ['free'] }) as SessionOptions
    const hidden = Object.defineProperty({}, 'skills', { value: ['free'] }) as SessionOptions
    for (const options of [new Options(), inherited, hidden]) {
      expect(await sees(next(options))).toEqual(['free'])
      expect(await sees(next({}))).toEqual(ALL)
    }
    next(changing)
    expect(await sees(next({ skills: ['mute'] }))).toEqual(['mute'])
    next(changing)
    expect(await sees(next({ skills: [] }))).toEqual([])
  })

  it('[NFR-6] follow options that their caller changes in place', async () => {
    const next = await opener()
    const asked: string[] = []
    const options: { consent: AdapterSessionOptions['consent']; policy?: { deny: string[] } } = {
      consent: () => asked.push('first') > 0,
    }
    const activate = async (): Promise<unknown> => {
      const session = next(options)
      return (await session.step({ tools: HOST })).call({ id: '1', tool: 'activate_skill', input: { name: 'free' } })
    }
    await activate()
    options.consent = () => asked.push('second') > 0
    await activate()
    expect(asked).toEqual(['first', 'second'])

    const refusal = () =>
      next({ ...options, hostTools: HOST })
        .preview({ id: '2', tool: 'Write', input: {} }, { asks: true })
        .then((inspected) => inspected.refusal)
    expect(await refusal()).toBeUndefined()
    options.policy = { deny: ['Read'] }
    expect(await refusal()).toBeUndefined()
    options.policy.deny.push('Write')
    expect(await refusal()).toMatchObject({ ok: false, refusal: { code: 'TOOL_NOT_ALLOWED' } })
    delete options.policy
    expect(await refusal()).toBeUndefined()
  })

  it('[NFR-6] are checked each, whatever the one before had', async () => {
    const next = await opener()
    next({ consent: () => true })
    expect(() => next({ consent: 'yes' as never })).toThrow('`consent` is "yes"')
    expect(() => next({ skills: 'free' as never })).toThrow('`skills` is "free"')
    expect(() => next({ hostTools: 'Read' as never })).toThrow('`hostTools` is "Read"')
    expect(() => next({ until: {} as never })).toThrow('`until` has no `addEventListener`')
    expect(() => next({ consent: { timeout: 0 } })).toThrow('`consent.timeout` is 0')
  })

  it('[NFR-6] keep what they do apart', async () => {
    const next = await opener()
    const options = { consent: () => true }
    const [one, other] = [next(options), next(options)]
    await (await one.step({ tools: HOST })).call({ id: '1', tool: 'activate_skill', input: { name: 'free' } })
    expect(one.activeSkills).toEqual(['free'])
    expect(other.state.active).toEqual([])
    await one.end()
    expect(other.state.ended).toBe(false)
    expect(one.id).not.toBe(other.id)
  })
})

describe('sessions of two tenants with one id', () => {
  const activation = { id: '1', tool: 'activate_skill', input: { name: 'free' } }

  it('[ACT-8, ACT-15, ABUSE-146] share no activation, also by calls with one id in messages with one', async () => {
    const next = await opener()
    const message = 'message'
    for (const [tenant, answer] of [
      ['one', true],
      ['other', false],
      [undefined, false],
    ] as const) {
      const session = next({ id: 'task', tenant, consent: () => answer })
      for (const id of ['1', '2']) await session.call({ ...activation, id }, undefined, { message })
      expect(session.activeSkills).toEqual(answer ? ['free'] : [])
    }
  })

  it('[ACT-8, ASK-8, ABUSE-121] do not wait for each other, and are each told of their own problems', async () => {
    const next = await opener()
    const stop = new AbortController()
    const hanging = next({ id: 'task', tenant: 'one', consent: () => new Promise<boolean>(() => undefined) })
    const waiting = hanging.call(activation, undefined, { signal: stop.signal })
    const told: (string | undefined)[] = []
    for (const tenant of ['one', 'other']) {
      const session = next({ id: 'task', tenant, onProblem: ({ code }) => told.push(tenant, code) })
      await session.call(activation)
      await session.call({ ...activation, id: '2' })
    }
    expect(told).toEqual(['one', 'CONSENT_UNATTENDED', 'other', 'CONSENT_UNATTENDED'])
    const other = next({ id: 'task', tenant: 'other', consent: () => true })
    expect(await other.call(activation)).toMatchObject({ ok: true })
    stop.abort('stopped')
    await expect(waiting).rejects.toBe('stopped')
  })
})

describe('a session as an object', () => {
  it('[OBS-4] shows none of its options when it is printed', async () => {
    const next = await opener()
    const session = next({ tenant: 'acme' })
    const { id } = session
    const printed = inspect(session, { depth: 10, showHidden: true })
    expect(printed).toContain(id)
    expect(printed).not.toContain('the key of the host')
    expect(printed).not.toContain('acme')
    expect(inspect(session, { depth: 12, showHidden: true, getters: true })).not.toContain('the key of the host')
    expect(everythingIn(session)).not.toContain('the key of the host')
    expect(JSON.stringify(session)).not.toContain('the key of the host')
  })

  it('[ASK-1] rejects what is not a call, and throws nothing', async () => {
    const session = (await opener())({})
    for (const call of [undefined, null, 7]) {
      await expect(session.preview(call as never)).rejects.toThrow('preview: `tool` is missing')
    }
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(session.preview({ id: '1', tool: 'Read', input: {} }, { signal })).rejects.toThrow('enough')
    expect((await session.preview({ id: '1', tool: 'Read', input: {} }, { asks: true })).waits).toBeUndefined()
  })

  it('[NFR-6] can be wrapped, in a proxy and in an object of its kind', async () => {
    const next = await opener()
    const session = next({ id: 'task' })
    const proxy = new Proxy(session, {})
    const derived = Object.assign(Object.create(session) as AdapterSession, { toolName: () => 'own' })
    for (const wrapped of [proxy, derived]) {
      expect(wrapped.id).toBe('task')
      expect(wrapped.state).toBe(session.state)
      expect((await wrapped.step({ tools: HOST })).tools.length).toBeGreaterThan(0)
      expect((await wrapped.preview({ id: '1', tool: 'Read', input: {} })).refusal).toBeUndefined()
    }
    expect(derived.toolName('Read')).toBe('own')
  })

  it('[NFR-6] can be wrapped with all that is in it, as reactive frameworks do', async () => {
    const deep = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(owner, key, receiver) {
          const value: unknown = Reflect.get(owner, key, receiver)
          return (typeof value === 'object' && value !== null) || typeof value === 'function' ? deep(value) : value
        },
      })
    const next = await opener()
    const session = deep({ session: next({ id: 'task' }) }).session
    expect(session.id).toBe('task')
    expect((await session.step({ tools: HOST })).tools.length).toBeGreaterThan(0)
    expect((await session.preview({ id: '1', tool: 'Read', input: {} })).refusal).toBeUndefined()
    await session.end()
  })

  it('[CFG-1] can be taken apart and copied', async () => {
    const opened = (await opener())({ consent: () => true })
    const { call, step, save, end, id } = opened
    const copy: Session = { ...(opened as Session) }
    await step({ tools: HOST })
    expect(await call({ id: '1', tool: 'activate_skill', input: { name: 'free' } }, () => undefined)).toMatchObject({
      ok: true,
    })
    expect(await copy.call({ id: '2', tool: 'Read', input: { file_path: 'a' } }, () => 'ran')).toMatchObject({
      ok: true,
    })
    expect(opened.activeSkills).toEqual(['free'])
    expect(copy.save()).toEqual(save())
    expect(opened.id).toBe(id)
    await end()
    expect(opened.state.ended).toBe(true)
  })

  it('[CFG-1, ADPT-4] says so where something else than a session is given to an adapter', async () => {
    const opened = (await opener())({})
    expect(adapterSession(opened)).toBe(opened)
    expect(() => adapterSession(undefined as never)).toThrow('`session` is missing')
  })

  it('[CFG-1] has its own id, that is the same everywhere', async () => {
    const next = await opener()
    const [one, other] = [next({}), next({})]
    expect(one.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/)
    expect(one.id).not.toBe(other.id)
    expect([one.state.id, one.hasChanged()]).toEqual([one.id, false])
    expect(next({ saved: one.save() }).id).toBe(one.id)
  })
})

/** The texts that anybody finds who follows the properties of an object and of its prototypes. */
function everythingIn(start: object): readonly unknown[] {
  const seen = new Set<unknown>([start])
  for (const each of seen) {
    if (typeof each !== 'object' || each === null) continue
    for (let owner: object | null = each; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
      for (const key of Reflect.ownKeys(owner)) {
        const property = Object.getOwnPropertyDescriptor(owner, key)!
        if ('value' in property) seen.add(property.value)
        else {
          try {
            seen.add(Reflect.get(owner, key, each))
          } catch {
            // Not of this object.
          }
        }
      }
    }
  }
  return [...seen]
}
