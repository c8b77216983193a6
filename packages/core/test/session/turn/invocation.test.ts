import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type ConsentRequest, memorySource, type Outcome, openRepertoire } from '../../../src/index.ts'
import { type AdapterSession, type AdapterSessionOptions, openAdapterSession } from '../../../src/adapter.ts'
import { directorySource } from '../../../src/node/index.ts'
import { code, activeNames } from '../outcome.ts'

const skill = (name: string, fields = ''): { 'SKILL.md': string } => ({
  'SKILL.md': `---\nname: ${name}\ndescription: d\n${fields}---\nBody of ${name}: $ARGUMENTS.\n`,
})

const files = {
  pdf: skill('pdf', 'allowed-tools: Read\n'),
  secret: skill('secret', 'disable-model-invocation: true\n'),
  model: skill('model', 'user-invocable: false\n'),
  theirs: skill('theirs', 'scope:\n  agents: [other]\n'),
  forked: skill('forked', 'context: fork\n'),
}

async function open(options: AdapterSessionOptions = { consent: () => true }): Promise<AdapterSession> {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: files })] })
  return openAdapterSession(repertoire, options)
}
const waitsOf = (outcome: Outcome): ConsentRequest | undefined => (outcome.ok ? undefined : outcome.waits)
const byModel = (session: AdapterSession, name: string, id = 'm') =>
  session.call({ id, tool: 'activate_skill', input: { name } }, () => '')

/** What of any message could be taken for the name of a skill. */
const NAMES = ['pdf', 'code-review', '技能', 'caf\u00E9', 'My_Skill', 'ce:plan', 'usr', 'b', 'df', 'a'.repeat(255)]
const named = await openRepertoire({
  sources: NAMES.map((name, n) => memorySource({ layer: 'project', id: `s${n}`, skills: { [`f${n}`]: skill(name) } })),
})

/** Returns what a message asks consent for. */
async function invokedBy(message: string): Promise<object | undefined> {
  const session = openAdapterSession(named)
  const { waits } = await session.beginTurn(message, { id: 'm', canWait: true })
  expect(session.invokes(message)).toBe(waits !== undefined)
  return waits && { name: waits.skill, args: waits.args }
}

describe('a message as an invocation', () => {
  it.each([
    ['/pdf', { name: 'pdf' }],
    ['/pdf ', { name: 'pdf' }],
    [' /pdf a.pdf  b ', { name: 'pdf', args: 'a.pdf  b' }],
    ['/pdf\nfirst\nsecond\n', { name: 'pdf', args: 'first\nsecond' }],
    ['/pdf\u00A0x', { name: 'pdf', args: 'x' }],
    ['/code-review /x', { name: 'code-review', args: '/x' }],
    ['/技能 go', { name: '技能', args: 'go' }],
    ['/cafe\u0301', { name: 'caf\u00E9' }],
    ['/My_Skill', { name: 'My_Skill' }],
    [`/${'a'.repeat(255)} x`, { name: 'a'.repeat(255), args: 'x' }],
    ['/ce:plan now', { name: 'ce:plan', args: 'now' }],
    ['/pdf \u0000\u001B[2J', { name: 'pdf', args: '\u0000\u001B[2J' }],
  ])('[ACT-12] reads %j', async (message, invocation) => {
    expect(await invokedBy(message)).toEqual(invocation)
  })

  it.each([
    '',
    '/',
    '/ pdf',
    '//pdf',
    'pdf',
    'say /pdf',
    '/usr/bin/env',
    '/pdf/',
    '/-pdf',
    '/pdf,',
    '/pdf?',
    '/"pdf"',
    '/p\u0000df',
    '/pdf\u0000',
    '/pdf\u001B[2J',
    '/p\u200Bdf',
    '/pdf\u202E x',
    '/\u0000pdf',
    '/pdf\u0008\u0008',
    '/<b>',
    `/${'a'.repeat(256)}`,
    '／pdf',
  ])('[ACT-12, ABUSE-93] reads no invocation in %j', async (message) => {
    expect(await invokedBy(message)).toBeUndefined()
  })

  it('[ACT-12] returns any name and arguments as they were written, without the space around them', async () => {
    const name = fc.constantFrom('pdf', 'code-review', 'usr')
    const space = fc.stringMatching(/^[ \t\n]{1,3}$/)
    await fc.assert(
      fc.asyncProperty(
        name,
        space,
        fc.string({ unit: fc.constantFrom(...Array.from('a/$1 \n\t\0\u001B\u200B\uFEFFé技🚀')) }),
        async (written, gap, rest) => {
          const args = rest.trim()
          expect(await invokedBy(`/${written}${gap}${rest}`)).toEqual({ name: written, ...(args !== '' && { args }) })
        },
      ),
    )
  })

  it('[ACT-12] takes a message of a million characters as it takes any other', async () => {
    expect(await invokedBy(`/${'a'.repeat(1_000_000)}`)).toBeUndefined()
    expect(await invokedBy(`/pdf ${' '.repeat(1_000_000)}x`)).toEqual({ name: 'pdf', args: 'x' })
  })
})

describe("a person's invocation", () => {
  it('[ACT-12] gives what an activation by the model gives, byte for byte', async () => {
    const [person, model] = [await open(), await open()]
    const outcome = await person.activate('pdf', { args: ' a.pdf ' })
    const call = { id: 'm', tool: 'activate_skill', input: { name: 'pdf', args: 'a.pdf' } }
    expect(outcome).toEqual(await model.call(call, () => ''))
    expect(outcome.text).toContain('Body of pdf: a.pdf.')
    expect(person.state.active).toEqual(model.state.active)
  })

  it('[ACT-12] activates what no model may, which stays hidden from the model all the same', async () => {
    const session = await open()
    expect(code(await byModel(session, 'secret'))).toBe('SKILL_NOT_FOUND')
    expect(code(await session.activate('secret'))).toBe('ok')
    expect(JSON.stringify((await session.step({ tools: [] })).tools)).not.toContain('secret')
    expect(code(await byModel(session, 'secret'))).toBe('SKILL_NOT_FOUND')
    expect(code(await session.call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => ''))).toBe('ok')
    await session.step({ tools: [] })
    expect(code(await byModel(session, 'secret'))).toBe('SKILL_NOT_FOUND')
  })

  it('[ACT-12] refuses skills that persons may not activate, and does not name them for an unknown name', async () => {
    const session = await open()
    expect(await session.activate('model')).toMatchObject({
      refusal: {
        code: 'SKILL_NOT_INVOCABLE',
        reason:
          'The skill "model" was not activated: only a model may activate it, since it says "user-invocable: false".',
      },
    })
    expect(code(await byModel(session, 'model'))).toBe('ok')
    const unknown = await session.activate('mode')
    expect(code(unknown)).toBe('SKILL_NOT_FOUND')
    expect(unknown.text).toContain('The skills are: forked, pdf, secret.')
  })

  it("[ABUSE-94] is another consent request than that of a model's call, also where a skill has its own tool", async () => {
    const repertoire = await openRepertoire({
      sources: [memorySource({ layer: 'project', skills: files })],
      listing: { style: 'tools' },
    })
    const session = openAdapterSession(repertoire)
    const asked = waitsOf(await session.activate('pdf', { id: 'same', args: 'x', canWait: true }))
    session.answer({ requestId: asked!.id, approved: true })
    const invocation = { skill: 'pdf', args: 'x' }
    for (const forged of [{ invocation }, [{ invocation }]]) {
      const call = { id: 'same', tool: 'skill_pdf', input: forged }
      expect(await session.call(call, () => '')).toMatchObject({ ok: false })
    }
    expect(code(await session.activate('pdf', { id: 'same', args: 'x' }))).toBe('ok')
  })

  it('[ACT-2, ACT-12] knows nothing of skills that the session may not see', async () => {
    const session = await open({ consent: () => true, skills: ['pdf', 'theirs', 'model'] })
    for (const name of ['theirs', 'secret', 'constructor', '__proto__']) {
      const outcome = await session.activate(name)
      expect(code(outcome)).toBe('SKILL_NOT_FOUND')
      expect(outcome.text).toContain('The skills are: pdf.')
    }
  })

  it.each([[['']], [[7]], [[{}]], [[]], [['pdf', { args: 7 }]]])(
    '[ACT-12] refuses to activate a skill with the arguments %j',
    async ([name, options]: readonly unknown[]) => {
      const session = await open()
      await expect(session.activate(foreign(name), foreign(options))).rejects.toThrow(/^activate: `(skill|args)` is/)
    },
  )

  it('[ACT-12, ASK-1] asks like any other activation, and repeating it does not', async () => {
    const asked: ConsentRequest[] = []
    const session = await open({ consent: (request) => asked.push(request) > 0 })
    expect(code(await session.activate('pdf', { id: 'i', args: 'x' }))).toBe('ok')
    expect(code(await session.activate('pdf'))).toBe('ok')
    expect(asked).toMatchObject([{ callId: 'i', skill: 'pdf', args: 'x' }])
    const denying = await open({ consent: () => false })
    expect(code(await denying.activate('pdf'))).toBe('CONSENT_DENIED')
    expect(activeNames(denying)).toEqual([])
  })

  it('[ACT-12, ASK-5] in two phases: the consent request first, then the answer, then the invocation', async () => {
    const session = await open({})
    const activate = () => session.activate('secret', { id: 'i', args: 'now', canWait: true })
    const request = waitsOf(await activate())
    expect(request).toMatchObject({ callId: 'i', skill: 'secret', args: 'now' })
    session.answer({ requestId: request!.id, approved: true })
    expect(code(await activate())).toBe('ok')
    expect(waitsOf(await activate())).toBeUndefined()
    for (const name of ['model', 'theirs', 'nothing']) {
      expect(waitsOf(await session.activate(name, { id: 'j', canWait: true }))).toBeUndefined()
    }
  })

  it('[ASK-5, ABUSE-94] an answer to a person does not serve a call of the model with the same id, nor the other way round', async () => {
    const session = await open({})
    const call = { id: 'i', tool: 'activate_skill', input: { name: 'pdf' } }
    const ofPerson = waitsOf(await session.activate('pdf', { id: 'i', canWait: true }))
    session.answer({ requestId: ofPerson!.id, approved: true })
    expect(code(await session.call(call, () => ''))).toBe('CONSENT_DENIED')
    const other = await open({})
    const ofModel = (await other.preview(call, { asks: true })).waits
    other.answer({ requestId: ofModel!.id, approved: true })
    expect(code(await other.activate('pdf', { id: 'i' }))).toBe('CONSENT_DENIED')
    expect(ofModel!.id).not.toBe(ofPerson!.id)
  })

  it('[ACT-10, ACT-12] runs a skill with `context: fork`, whose result it gives', async () => {
    const session = await open()
    expect(await session.activate('forked')).toMatchObject({
      refusal: {
        code: 'FORK_UNAVAILABLE',
        reason: 'The skill "forked" was not run: it needs a sub-agent, and nothing here runs one. Go on without it.',
      },
    })
    const fork = ({ prompt }: { readonly prompt: string }) => Promise.resolve(`did ${prompt}`)
    const outcome = await session.activate('forked', { args: 'it', fork })
    expect(outcome).toMatchObject({ value: { forked: true, result: 'did it' } })
  })

  it('[ACT-6, ACT-12] is judged by the skills that are active now, not by those at the last message of the model', async () => {
    const session = await open()
    await session.activate('pdf')
    await (await session.step({ tools: [] })).call({ id: 'd', tool: 'deactivate_skill', input: {} }, () => '')
    expect((await session.activate('pdf')).text).toContain('Body of pdf')
    expect(activeNames(session)).toEqual(['pdf'])
  })

  it('[ACT-7, ACT-12] is refused at the end, and given up where its run is aborted', async () => {
    let asking = Promise.withResolvers<void>()
    const session = await open({
      consent: () => {
        asking.resolve()
        return new Promise<boolean>(() => undefined)
      },
    })
    const abort = new AbortController()
    const aborted = session.activate('pdf', { signal: abort.signal })
    await asking.promise
    abort.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    asking = Promise.withResolvers<void>()
    const waiting = [session.activate('pdf'), session.activate('secret')]
    await asking.promise
    await session.end()
    expect((await Promise.all(waiting)).map(code)).toEqual(['SESSION_ENDED', 'SESSION_ENDED'])
    expect(code(await session.activate('pdf'))).toBe('SESSION_ENDED')
  })

  it('[ACT-12] is judged by the manifest as it is now, which may have changed since it was listed', async () => {
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-invocation-'))
    try {
      const put = (name: string, fields: string): void => {
        mkdirSync(join(root, name), { recursive: true })
        writeFileSync(join(root, name, 'SKILL.md'), skill(name, fields)['SKILL.md'])
      }
      put('pdf', '')
      put('secret', 'disable-model-invocation: true\n')
      const repertoire = await openRepertoire({ sources: [directorySource({ root, layer: 'project' })] })
      const session = openAdapterSession(repertoire, { consent: () => true })
      put('pdf', 'disable-model-invocation: true\n')
      put('secret', 'user-invocable: false\ndisable-model-invocation: true\n')
      expect(await byModel(session, 'pdf')).toMatchObject({
        refusal: {
          code: 'SKILL_BROKEN',
          reason: 'The skill "pdf" was not activated: only a person may activate it. Go on without it.',
        },
      })
      expect(code(await session.activate('pdf'))).toBe('ok')
      expect(code(await session.activate('secret'))).toBe('SKILL_NOT_INVOCABLE')
      const asking = openAdapterSession(repertoire)
      const call = { id: 'q', tool: 'activate_skill', input: { name: 'pdf' } }
      expect((await asking.preview(call, { asks: true })).waits).toBeUndefined()
      expect(waitsOf(await asking.activate('secret', { canWait: true }))).toBeUndefined()
      expect(waitsOf(await asking.activate('pdf', { canWait: true }))?.skill).toBe('pdf')
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('[SHOW-1, ACT-12] a viewer who is a person sees what no model is shown', async () => {
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: files })] })
    const seen = (person: boolean) =>
      repertoire
        .tiers({ viewer: { person } })
        .metadata()
        .map(({ name }) => name)
    expect(seen(true)).toContain('secret')
    expect(seen(false)).not.toContain('secret')
    expect(repertoire.explain('secret', { viewer: { person: true } }).candidates[0]?.fate).toBe('shown')
  })
})
