import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type AdapterSessionOptions, openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import {
  type AuditEvent,
  type ForkRunner,
  type Outcome,
  type RepertoireOptions,
  type SkillMounts,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'
import { code } from './outcome.ts'

const skill = (name: string, fields = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}.\n${fields}---\nBody of ${name}.\n`,
})
const SKILLS = {
  lister: skill('lister', 'allowed-tools: Read Bash activate_skill\n'),
  other: skill('other'),
  apart: skill('apart', 'context: fork\n'),
}
/** Nobody is asked in the call itself: for frameworks that suspend. */
const ASKING: AdapterSessionOptions = { consent: undefined }

async function open(
  session: AdapterSessionOptions = {},
  options: Partial<RepertoireOptions> = {},
): Promise<AdapterSession> {
  const sources = [memorySource({ layer: 'project', skills: SKILLS })]
  const repertoire = await openRepertoire({ sources, ...options })
  return openAdapterSession(repertoire, { id: 'task', consent: () => true, ...session })
}
let calls = 0
const call = (tool: string, input: unknown = {}) => ({ id: `c${calls++}`, tool, input })
const activate = (session: AdapterSession, name: string, fork?: ForkRunner): Promise<Outcome> =>
  session.call(call('activate_skill', { name }), () => undefined, { fork })

describe('what needs no approval', () => {
  it('[GATE-8] applies to what the active skill lists, in any case of its name, and to no skill tool', async () => {
    const session = await open({ enforcement: 'preapprove' })
    await activate(session, 'lister')
    const preapproved = async (tool: string, input: unknown = {}) =>
      session.preview(call(tool, input)).then((inspected) => inspected.preapproved)
    expect(await preapproved('Read', { file_path: 'a' })).toBe(true)
    expect(await preapproved('Write', { file_path: 'a' })).toBe(false)
    expect(await preapproved('activate_skill', { name: 'other' })).toBe(false)
    expect(await preapproved('ACTIVATE_SKILL', { name: 'other' })).toBe(false)
    const ring: Record<string, unknown> = {}
    ring['self'] = ring
    expect(await preapproved('Read', ring)).toBe(false)
    await session.step({ tools: ['Read'] })
    expect(await preapproved('READ', { file_path: 'a' })).toBe(true)
    expect(await preapproved('Gone')).toBe(false)
  })

  it('[GATE-8, ACT-7] applies to nothing once the session has ended', async () => {
    const session = await open({ enforcement: 'preapprove', hostTools: ['Read'] })
    await activate(session, 'lister')
    await session.step({ tools: ['Read'] })
    expect((await session.preview(call('Read', { file_path: 'a' }))).preapproved).toBe(true)
    await session.end()
    expect((await session.preview(call('Read', { file_path: 'a' }))).preapproved).toBe(false)
  })
})

describe('the name of a tool', () => {
  it('[GATE-2] stays as it was called where the host has not named its tools', async () => {
    const session = await open()
    expect(['anything', 'READ', 'Activate_Skill'].map((name) => session.toolName(name))).toEqual([
      'anything',
      'READ',
      'activate_skill',
    ])
    await session.step({ tools: ['Read'] })
    expect(['anything', 'READ', 'Activate_Skill'].map((name) => session.toolName(name))).toEqual([
      undefined,
      'Read',
      'activate_skill',
    ])
  })
})

describe('the end of a session', () => {
  it('[OBS-1, ACT-7] is recorded as the reason of a deactivation', async () => {
    const events: AuditEvent[] = []
    const session = await open({}, { audit: { write: (event) => void events.push(event) } })
    await activate(session, 'lister')
    await session.end()
    expect(events.at(-1)).toMatchObject({
      type: 'skill.deactivated',
      outcome: 'succeeded',
      reason: 'The task ended.',
      skill: { name: 'lister' },
      skills: [{ name: 'lister' }],
    })
  })

  it('[ACT-7] happens once, however often it is called, and later steps show nothing', async () => {
    const session = await open()
    await activate(session, 'lister')
    await Promise.all([session.end(), session.end()])
    expect(session.state).toMatchObject({ active: [], ended: true })
    expect(await session.step({ tools: ['Read'] })).toMatchObject({ tools: [], instructions: '' })
    expect(session.toolName('Read')).toBe('Read')
    expect(code(await activate(session, 'other'))).toBe('SESSION_ENDED')
    expect(code(await session.call(call('Read'), () => 'ran'))).toBe('SESSION_ENDED')
    const refusal = (await session.preview(call('Read'))).refusal
    expect(refusal?.refusal).toEqual({
      code: 'SESSION_ENDED',
      reason: 'This task has ended, and nothing can be called in it. Finish with a text.',
    })
  })
})

describe('a skill that was not mounted', () => {
  it('[ACT-5, ACT-15] is deactivated without a call of the mounts that the session has by then', async () => {
    const first = await open()
    await activate(first, 'lister')
    const asked: unknown[] = []
    const mounts: SkillMounts = {
      mount: ({ skill: name }) => Promise.resolve({ path: `private:/${name}`, location: `/${name}` }),
      unmount: async (...what) => void asked.push(what),
    }
    const session = await open({ saved: first.save() }, { mounts })
    await activate(session, 'other')
    for (const name of ['other', 'lister']) {
      await session.step({ tools: [] })
      expect(code(await session.call(call('deactivate_skill', { name }), () => ''))).toBe('ok')
    }
    expect(asked).toEqual([['task', 'other']])
    await session.end()
    expect(asked.slice(1)).toEqual([['task', undefined]])
  })
})

describe('a fork whose run is over before it begins', () => {
  /** A sink that does something where an activation is put on record, which is after all that waits for somebody. */
  function opened(act: () => void) {
    const events: string[] = []
    const write = ({ type }: AuditEvent): void => {
      events.push(type)
      if (type === 'skill.activating') act()
    }
    return { events, audit: { sink: { write }, required: true } }
  }
  const ran: string[] = []
  const fork: ForkRunner = async () => String(ran.push('fork'))

  it('[ACT-10] is abandoned where the run is aborted, and the audit records nothing of it', async () => {
    const stop = new AbortController()
    const { events, audit } = opened(() => stop.abort(new Error('stopped')))
    const session = await open({}, { audit })
    const input = { name: 'apart' }
    const run = session.call(call('activate_skill', input), () => '', { fork, signal: stop.signal })
    await expect(run).rejects.toThrow('stopped')
    expect(events).not.toContain('fork.started')
    expect(ran).toEqual([])
  })

  it('[ACT-7, ACT-10] is abandoned where the session ends', async () => {
    let ended: Promise<void> | undefined
    const { events, audit } = opened(() => (ended = session.end()))
    const session = await open({}, { audit })
    expect(code(await activate(session, 'apart', fork))).toBe('SESSION_ENDED')
    await ended
    expect(events).not.toContain('fork.started')
    expect(ran).toEqual([])
  })
})

describe('what a fork used', () => {
  it.each([
    ['is not said', { text: 'done' }, {}],
    ['is null', { text: 'done', usage: null }, {}],
    ['is a text', { text: 'done', usage: 'much' }, {}],
    ['is a number', { text: 'done', usage: 7 }, {}],
    ['is nothing', { text: 'done', usage: undefined }, {}],
    ['is said', { text: 'done', usage: { inputTokens: 1 } }, { usage: { inputTokens: 1 } }],
  ])('[ACT-10] is given on where it is said: it %s', async (_, result, given) => {
    const session = await open()
    const outcome = await activate(session, 'apart', () => Promise.resolve(foreign(result)))
    expect(outcome.ok && outcome.value).toEqual({ name: 'apart', forked: true, result: 'done', ...given })
  })
})

describe('the consent request for an activation', () => {
  let base: string
  const write = (path: string, text: string): void => {
    const file = join(base, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  beforeEach(() => {
    base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-question-'))
    for (const name of ['partly', 'seen']) write(`${name}/SKILL.md`, skill(name)['SKILL.md'])
    // Not looked into for a digest: agreement to the skill holds for one activation.
    write('partly/node_modules/a/index.js', 'a')
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))

  const openBase = async (session: AdapterSessionOptions) =>
    open(session, { sources: [directorySource({ root: base, layer: 'project' })] })

  it('[ASK-1, ASK-5] is not made for a skill that is active already, even where its agreement is not kept', async () => {
    const agreed = await openBase({})
    await activate(agreed, 'partly')
    expect(agreed.state.granted).toEqual([])
    const session = await openBase({ ...ASKING, saved: agreed.save() })
    await session.step({ tools: [] })
    expect((await session.preview(call('activate_skill', { name: 'partly' }), { asks: true })).waits).toBeUndefined()
    expect((await session.preview(call('activate_skill', { name: 'seen' }), { asks: true })).waits).toMatchObject({
      skill: 'seen',
    })
    expect(session.state.open).toHaveLength(1)
    expect(await session.call(call('activate_skill', { name: 'partly' }), () => '')).toEqual({
      ok: true,
      value: { name: 'partly', active: true },
      text: 'The skill "partly" is already active. Follow its instructions, which were returned before.',
    })
  })

  it('[ASK-1, ASK-5] is made again where the skill was deactivated and its agreement is not kept', async () => {
    const agreed = await openBase({})
    await activate(agreed, 'partly')
    await agreed.call(call('deactivate_skill'), () => '')
    const session = await openBase({ ...ASKING, saved: agreed.save() })
    expect((await session.preview(call('activate_skill', { name: 'partly' }), { asks: true })).waits).toMatchObject({
      skill: 'partly',
    })
  })

  it('[ASK-1, ASK-5] is not made where a handler answers in the call itself, or the session has ended', async () => {
    const handled = await openBase({})
    expect((await handled.preview(call('activate_skill', { name: 'seen' }), { asks: true })).waits).toBeUndefined()
    const ended = await openBase(ASKING)
    expect((await ended.preview(call('activate_skill', { name: 'seen' }), { asks: true })).waits).toMatchObject({
      skill: 'seen',
    })
    await ended.end()
    expect((await ended.preview(call('activate_skill', { name: 'seen' }), { asks: true })).waits).toBeUndefined()
  })

  it('[ASK-5] is not made for a call of another tool, or one that names no skill', async () => {
    const session = await openBase(ASKING)
    for (const each of [call('Read', { name: 'seen' }), call('activate_skill'), call('deactivate_skill')])
      expect((await session.preview(each, { asks: true })).waits).toBeUndefined()
    expect(session.state.open).toEqual([])
    await session.preview(call('activate_skill', { name: 'seen' }), { asks: true })
    expect(session.state.open).toHaveLength(1)
  })
})
