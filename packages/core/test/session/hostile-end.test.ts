import { describe, expect, it } from 'vitest'
import { adapterSession, openAdapterSession, type AdapterSession } from '../../src/adapter.ts'
import { type Outcome, type SessionProblem, memorySource, openRepertoire } from '../../src/index.ts'
import { HOST, manifest, source, open, activation, run } from './hostile-world.ts'
import { code } from './outcome.ts'

describe('a session that ends', () => {
  it('[ACT-7] abandons the open consent request, and asks nothing more', async () => {
    const asked: AbortSignal[] = []
    const handed = Promise.withResolvers<void>()
    const session = await open({
      consent: {
        timeout: Infinity,
        ask: (_, { signal }) => {
          asked.push(signal)
          handed.resolve()
          return new Promise(() => undefined)
        },
      },
    })
    const asking = run(session, activation('free'))
    const waiting = run(session, activation('narrow', 'c2'))
    await handed.promise
    const ended = session.end()
    const late = run(session, activation('narrow', 'c3'))
    await ended
    expect((await Promise.all([asking, waiting, late])).map(code)).toEqual(Array(3).fill('SESSION_ENDED'))
    expect(asked.map(({ aborted }) => aborted)).toEqual([true])
    expect(adapterSession(session).state).toMatchObject({ active: [], granted: [], ended: true })
  })

  it('[ACT-7, ASK-3] takes no answer of a handler that `ask` waits for', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const session = openAdapterSession(repertoire, { hostTools: HOST })
    await session.preview(activation('free'), { asks: true })
    const asking = session.ask(
      () => session.preview(activation('free')),
      () => new Promise(() => undefined),
    )
    await session.end()
    await asking
    expect(session.state).toMatchObject({ open: [], granted: [], ended: true })
  })

  it('[ACT-7] begins no tool whose call was judged when it ended', async () => {
    const session = await open()
    let ran = false
    const calling = session.call({ id: '1', tool: 'Bash', input: { command: 'ls' } }, () => (ran = true))
    await session.end()
    expect(code(await calling)).toBe('SESSION_ENDED')
    expect(ran).toBe(false)
  })

  it('[ACT-7] ends while a tool runs, whose result still comes', async () => {
    const session = await open()
    const started = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<string>()
    const calling = session.call({ id: '1', tool: 'Bash', input: { command: 'ls' } }, () => {
      started.resolve()
      return finish.promise
    })
    await started.promise
    await session.end()
    finish.resolve('result')
    expect(await calling).toEqual({ ok: true, value: 'result' })
  })

  it('[ASK-3, ASK-8] denies a question whose handler waits for another call of the session, when its time is over', async () => {
    const inner = Promise.withResolvers<Outcome>()
    const session: AdapterSession = adapterSession(
      await open({
        consent: {
          timeout: 5,
          ask: async ({ skill }) => {
            if (skill === 'narrow') return true
            await new Promise((resolve) => setImmediate(resolve))
            inner.resolve(run(session, activation('narrow', 'inner')))
            return (await inner.promise).ok
          },
        },
      }),
    )
    const outcome = await run(session, activation('free'))
    expect(outcome.ok ? '' : outcome.refusal.reason).toContain('nobody answered in time')
    expect(code(await inner.promise)).toBe('ok')
  })

  it('[ASK-3] waits for a handler without a limit where the host sets none', async () => {
    const session = await open({
      consent: { timeout: Infinity, ask: () => new Promise((resolve) => setTimeout(() => resolve(true), 5)) },
    })
    expect(code(await run(session, activation('free')))).toBe('ok')
  })

  it('[ASK-3] refuses an invalid time limit', async () => {
    for (const consentTimeout of [0, -1, Number.NaN])
      await expect(open({ consent: { timeout: consentTimeout } })).rejects.toThrow(
        `\`consent.timeout\` is ${consentTimeout}.`,
      )
  })
})

describe('what is saved', () => {
  it('[ACT-15] saves a session with a skill of more rules than any sane one has', async () => {
    const rules = Array.from({ length: 1_500 }, (_, n) => `T${n}`).join(' ')
    const many = memorySource({
      layer: 'project',
      skills: { many: { 'SKILL.md': manifest('many', `allowed-tools: ${rules}\n`) } },
    })
    const repertoire = await openRepertoire({ sources: [many] })
    const session = openAdapterSession(repertoire, { hostTools: HOST, consent: () => true })
    expect(code(await run(session, activation('many')))).toBe('ok')
    expect(openAdapterSession(repertoire, { saved: session.save() }).state.active[0]?.rules).toHaveLength(1_500)
  })

  it('[ACT-15, ABUSE-146] has no skill that it may no longer see, says so, and opens for no other tenant', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    const problems: SessionProblem[] = []
    const onProblem = (problem: SessionProblem): void => void problems.push(problem)
    for (const tenant of [undefined, 'a']) {
      const first = openAdapterSession(repertoire, { hostTools: HOST, consent: () => true, tenant })
      await run(first, activation('narrow'))
      const saved = first.save()
      const narrower = openAdapterSession(repertoire, { saved, tenant, skills: [], hostTools: HOST, onProblem })
      expect(narrower.activeSkills).toEqual([])
      expect(problems.splice(0)).toMatchObject([{ code: 'SKILL_DEACTIVATED', skill: 'narrow' }])
      expect(openAdapterSession(repertoire, { saved, tenant, onProblem }).activeSkills).toEqual(['narrow'])
      expect(() => openAdapterSession(repertoire, { saved, tenant: 'b' })).toThrow(
        expect.objectContaining({ code: 'STATE_INVALID' }),
      )
      // What a framework keeps of it changes likewise.
      expect(narrower.hasChanged()).toBe(true)
      expect(repertoire.mergeSaved(saved, saved, narrower.save())).toEqual(narrower.save())
    }
    expect(problems).toEqual([])
  })

  it('[ACT-15, DISC-14, ABUSE-146] has no skill that the host does not admit any more, as it was agreed to', async () => {
    const first = await openRepertoire({ sources: [source] })
    for (const [name, admit, kept] of [
      ['narrow', { tools: ['Read'] }, true],
      ['narrow', { tools: ['Grep'] }, false],
      ['free', { hooks: false }, true],
      ['free', { tools: ['Read'] }, false],
      ['free', { withoutAllowedTools: 'everything' }, true],
    ] as const) {
      const session = openAdapterSession(first, { hostTools: HOST, consent: () => true })
      expect(code(await run(session, activation(name)))).toBe('ok')
      const problems: SessionProblem[] = []
      const stricter = await openRepertoire({ sources: [source], admit })
      const onProblem = (problem: SessionProblem): void => void problems.push(problem)
      const again = openAdapterSession(stricter, { saved: session.save(), onProblem })
      expect([name, admit, again.activeSkills]).toEqual([name, admit, kept ? [name] : []])
      expect(problems.map((each) => [each.code, each.skill])).toEqual(kept ? [] : [['SKILL_DEACTIVATED', name]])
      if (kept) continue
      // Activated again, it has what the host gives it now.
      const saved = openAdapterSession(stricter, { hostTools: HOST, consent: () => true })
      if (name === 'free') {
        expect(code(await run(saved, activation(name)))).toBe('ok')
        expect(openAdapterSession(stricter, { saved: saved.save() }).activeSkills).toEqual([name])
      }
    }
  })

  it('[CAT-5] says once which names of its allowlist are no skills', async () => {
    const repertoire = await openRepertoire({ sources: [source] })
    for (const [skills, message] of [
      [
        ['narow', 'free', 'x-y'],
        'The option `skills` names "narow", "x-y", and the catalog has no such skill. Did you mean "narrow"?',
      ],
      [['free'], undefined],
      [['*'], undefined],
      [[], undefined],
    ] as const) {
      const problems: SessionProblem[] = []
      const onProblem = (problem: SessionProblem): void => void problems.push(problem)
      for (let time = 0; time < 2; time++) openAdapterSession(repertoire, { id: String(skills), skills, onProblem })
      expect(problems.map((each) => [each.code, each.message])).toEqual(
        message === undefined ? [] : [['SKILLS_UNKNOWN', message]],
      )
    }
  })
})
