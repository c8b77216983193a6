import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  type ConsentHandler,
  type ConsentRequest,
  type Outcome,
  type ToolCall,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { HOST, skillText, open, step, activate } from '../session-world.ts'
import { code, activeNames } from '../outcome.ts'

describe('consent', () => {
  const recording = (
    answer: (request: ConsentRequest) => unknown,
  ): { asked: ConsentRequest[]; consent: ConsentHandler } => {
    const asked: ConsentRequest[] = []
    return {
      asked,
      consent: (request) => {
        asked.push(request)
        return answer(request) as boolean
      },
    }
  }

  it('[ASK-1] asks at the first activation of a skill in a session, and not at a repetition', async () => {
    const { asked, consent } = recording(() => true)
    const { session, repertoire } = await open({ consent })
    await activate(session, 'editor')
    await step(session, 'deactivate_skill', {})
    await activate(session, 'editor')
    expect(asked).toHaveLength(1)
    const other = openAdapterSession(repertoire, { consent, hostTools: HOST })
    await activate(other, 'editor')
    expect(asked).toHaveLength(2)
  })

  it.each([
    [undefined],
    [null],
    ['yes'],
    [1],
    [{}],
    [{ approved: true }],
    [{ approved: true, requestId: 'other' }],
    [{ approved: 'true' }],
  ])('[ASK-3, ABUSE-95] takes the answer %j as a no', async (answer) => {
    const { session } = await open({ consent: foreign(() => answer) })
    expect(code(await activate(session, 'editor'))).toBe('CONSENT_DENIED')
    expect(activeNames(session)).toEqual([])
  })

  it('[ASK-3] takes a throw, a rejection, silence and the lack of a handler as a no', async () => {
    const handlers: (ConsentHandler | undefined)[] = [
      () => {
        throw new Error('gone')
      },
      () => Promise.reject(new Error('gone')),
      () => new Promise(() => undefined),
      undefined,
    ]
    for (const consent of handlers) {
      const { repertoire } = await open()
      const session = openAdapterSession(repertoire, { hostTools: HOST, consent: { ask: consent, timeout: 1 } })
      expect(code(await activate(session, 'editor'))).toBe('CONSENT_DENIED')
    }
  })

  it('[ASK-3] tells a handler that it came too late', async () => {
    let signal: AbortSignal | undefined
    const { session } = await open({
      consent: {
        timeout: 1,
        ask: (_, options) => {
          signal = options.signal
          return new Promise(() => undefined)
        },
      },
    })
    expect((await activate(session, 'editor')).text).toContain('nobody answered in time')
    expect(signal?.aborted).toBe(true)
  })

  it('[ASK-4, ABUSE-93] shows what would run, control characters made visible', async () => {
    const { asked, consent } = recording(() => true)
    const skills = {
      odd: {
        'SKILL.md': '---\nname: odd\ndescription: "a\\x1b[2Jb"\nallowed-tools: Bash(git:*)\n---\nBody.\n',
        'scripts/run.sh': 'x',
      },
    }
    const { session } = await open({ consent }, { sources: [memorySource({ layer: 'plugin', skills })] })
    await activate(session, 'odd')
    expect(asked[0]).toMatchObject({
      skill: 'odd',
      layer: 'plugin',
      allowedTools: ['Bash(git:*)'],
      scripts: ['scripts/run.sh'],
    })
    expect(asked[0]?.text).toContain('a\\u{1B}[2Jb')
    expect(asked[0]?.text).not.toContain('\u001B')
  })

  describe('in two phases', () => {
    const suspended = async (): Promise<AdapterSession> =>
      openAdapterSession((await open()).repertoire, { id: 'task', hostTools: HOST })
    const call = (id: string, name: string): ToolCall => ({ id, tool: 'activate_skill', input: { name } })
    const run = (session: AdapterSession, made: ToolCall): Promise<Outcome> => session.call(made, () => '')

    it('[ASK-5] activates after a yes to exactly this call', async () => {
      const session = await suspended()
      const request = (await session.preview(call('1', 'editor'), { asks: true })).waits
      expect(request).toMatchObject({ callId: '1', skill: 'editor', session: 'task' })
      expect(activeNames(session)).toEqual([])
      session.answer({ requestId: request!.id, approved: true })
      expect(code(await run(session, call('1', 'editor')))).toBe('ok')
    })

    it('[ASK-5] waits for no second answer, and keeps the first one until the call is made', async () => {
      for (const approved of [true, false]) {
        const session = await suspended()
        const request = (await session.preview(call('1', 'editor'), { asks: true })).waits
        session.answer({ requestId: request!.id, approved })
        expect((await session.preview(call('1', 'editor'), { asks: true })).waits).toBeUndefined()
        expect(session.state.open).toMatchObject([{ id: request!.id, approved }])
        await run(session, call('1', 'editor'))
        expect(session.state.open).toEqual([])
      }
    })

    it('[ASK-5] waits in its outcome, and the same call again carries on after the answer', async () => {
      for (const approved of [true, false]) {
        const session = await suspended()
        const waiting = await session.call(call('1', 'editor'), undefined, { canWait: true })
        expect(waiting).toMatchObject({ ok: false, waits: { callId: '1', skill: 'editor' } })
        expect(await session.call(call('1', 'editor'), undefined, { canWait: true })).toEqual(waiting)
        session.answer({ requestId: (waiting as { waits: ConsentRequest }).waits.id, approved })
        const outcome = await run(session, call('1', 'editor'))
        expect(outcome).not.toHaveProperty('waits')
        expect(outcome.ok).toBe(approved)
      }
    })

    it('[ASK-5, ABUSE-94] opens no request that nobody is asked about: an answer to it counts for nothing', async () => {
      const session = await suspended()
      const { waits } = await session.preview(call('1', 'editor'))
      await run(session, call('1', 'editor'))
      expect(session.state.open).toEqual([])
      session.answer({ requestId: waits!.id, approved: true })
      expect(code(await run(session, call('1', 'editor')))).toBe('CONSENT_DENIED')
    })

    it('[ASK-5, ABUSE-94] serves no other call with it: not another id, other input or other skill', async () => {
      for (const other of [
        call('2', 'editor'),
        call('1', 'free'),
        { ...call('1', 'editor'), input: { name: 'editor', args: 'x' } },
      ]) {
        const session = await suspended()
        const request = (await session.preview(call('1', 'editor'), { asks: true })).waits
        session.answer({ requestId: request!.id, approved: true })
        expect(code(await run(session, other))).toBe('CONSENT_DENIED')
      }
    })

    it('[ASK-5, ABUSE-94] carries a yes over to no other session', async () => {
      const { repertoire } = await open()
      const one = openAdapterSession(repertoire, { id: 'one', hostTools: HOST })
      const two = openAdapterSession(repertoire, { id: 'two', hostTools: HOST })
      const request = (await one.preview(call('1', 'editor'), { asks: true })).waits
      await two.preview(call('1', 'editor'), { asks: true })
      two.answer({ requestId: request!.id, approved: true })
      expect(code(await run(two, call('1', 'editor')))).toBe('CONSENT_DENIED')
    })

    it('[ASK-5, ABUSE-94] lets a no stand against a later yes', async () => {
      const session = await suspended()
      const request = (await session.preview(call('1', 'editor'), { asks: true })).waits
      session.answer({ requestId: request!.id, approved: false, reason: 'not today' })
      session.answer({ requestId: request!.id, approved: true })
      const outcome = await run(session, call('1', 'editor'))
      expect(code(outcome)).toBe('CONSENT_DENIED')
      expect(outcome.text).toContain('not today')
    })

    it('[ASK-5, ABUSE-96] keeps consent request and answer over a save, in another process', async () => {
      const first = await suspended()
      const request = (await first.preview(call('1', 'editor'), { asks: true })).waits
      const { repertoire } = await open()
      const second = openAdapterSession(repertoire, {
        saved: JSON.parse(JSON.stringify(first.save())),
        hostTools: HOST,
      })
      second.answer({ requestId: request!.id, approved: true })
      expect(code(await run(second, call('1', 'editor')))).toBe('ok')
    })

    it('[ASK-2, ABUSE-92] asks again where the folder changed since the yes', async () => {
      const changing = { 'SKILL.md': skillText('changing'), 'references/a.md': 'a' }
      const open1 = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: { changing } })] })
      const first = openAdapterSession(open1, { id: 't', hostTools: HOST })
      const request = (await first.preview(call('1', 'changing'), { asks: true })).waits
      first.answer({ requestId: request!.id, approved: true })
      const open2 = await openRepertoire({
        sources: [memorySource({ layer: 'project', skills: { changing: { ...changing, 'references/a.md': 'b' } } })],
      })
      const second = openAdapterSession(open2, { saved: first.save(), hostTools: HOST })
      const outcome = await run(second, call('1', 'changing'))
      expect(code(outcome)).toBe('CONSENT_DENIED')
      expect(outcome.text).toContain('for the folder as it was before it changed')
      expect((await second.preview(call('1', 'changing'), { asks: true })).waits!.id).not.toBe(request!.id)
    })

    it('[ASK-5] says of an answer to another input that the call asks for something else', async () => {
      const session = await suspended()
      const asked = { ...call('1', 'editor'), input: { name: 'editor', args: 'a' } }
      const request = (await session.preview(asked, { asks: true })).waits
      session.answer({ requestId: request!.id, approved: true })
      for (const input of [{ name: 'editor', args: 'b' }, { name: 'historian' }, { name: 'editor' }]) {
        const outcome = await run(session, { ...asked, input })
        expect(code(outcome)).toBe('CONSENT_DENIED')
        expect(outcome.text).toContain('the answer was for another call than this one')
      }
      expect((await run(session, { ...asked, id: '2' })).text).toContain('nobody could be asked')
      expect(code(await run(session, asked))).toBe('ok')
    })

    it.each([
      ['scripts/.hidden.sh', true],
      ['.env', true],
      ['.git/HEAD', false],
    ])('[ASK-2, ABUSE-92] asks again where %s changed since the yes: %s', async (path, isAskedAgain) => {
      const openWith = (content: string): ReturnType<typeof openRepertoire> => {
        const changing = { 'SKILL.md': skillText('changing'), 'scripts/a.sh': 'a', [path]: content }
        return openRepertoire({ sources: [memorySource({ layer: 'project', skills: { changing } })] })
      }
      const first = openAdapterSession(await openWith('a'), { id: 't', hostTools: HOST })
      const request = (await first.preview(call('1', 'changing'), { asks: true })).waits
      expect(request!.scripts).toEqual(path.startsWith('scripts') ? ['scripts/a.sh', path] : ['scripts/a.sh'])
      first.answer({ requestId: request!.id, approved: true })
      const activated = await run(first, call('1', 'changing'))
      expect(activated.text).toContain('scripts/a.sh')
      expect(activated.text).not.toContain(path)
      await run(first, { id: '2', tool: 'deactivate_skill', input: {} })
      const second = openAdapterSession(await openWith('b'), { saved: first.save(), hostTools: HOST })
      expect((await second.preview(call('3', 'changing'), { asks: true })).waits !== undefined).toBe(isAskedAgain)
    })

    it('[ASK-1] has no consent request if none is needed', async () => {
      const session = await suspended()
      expect((await session.preview({ id: '1', tool: 'Bash', input: {} }, { asks: true })).waits).toBeUndefined()
      expect((await session.preview(call('1', 'nothing'), { asks: true })).waits).toBeUndefined()
      expect((await (await open()).session.preview(call('1', 'editor'), { asks: true })).waits).toBeUndefined()
    })
  })
})
