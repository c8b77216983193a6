import { describe, expect, it } from 'vitest'
import { openAdapterSession, prepareStep } from '../../src/adapter.ts'
import type { SessionProblem } from '../../src/index.ts'
import { activate, HOST, open } from './session-world.ts'
import { openBringing, tool } from './toolsets/toolset-world.ts'

/** A session that notes its problems. */
async function watched() {
  const problems: SessionProblem[] = []
  const onProblem = (problem: SessionProblem): void => void problems.push(problem)
  return { ...(await open({ onProblem })), problems, onProblem }
}

const request = (messages: readonly string[] = []) => ({ hostTools: HOST, messages, textOf: (text: string) => text })

describe('an adapter that leaves out a call of the session', () => {
  it('[ADPT-4] hears once that it never asks for what the conversation has lost', async () => {
    const { session, problems } = await watched()
    await activate(session, 'free')
    for (let step = 0; step < 5; step++) session.beginStep(HOST)
    expect(problems.map(({ code }) => code)).toEqual(['ADAPTER_INCOMPLETE'])
    for (const part of ['`reminder`', '`prepareStep`']) expect(problems[0]!.message).toContain(part)
  })

  it('[ADPT-4] hears nothing where no skill is active, or where it asks', async () => {
    const { session, problems } = await watched()
    for (let step = 0; step < 5; step++) session.beginStep(HOST)
    await activate(session, 'free')
    for (let step = 0; step < 5; step++) await prepareStep(session, request())
    expect(problems).toEqual([])
  })

  it('[ADPT-4] hears that it does not wait for the tools of a session that goes on', async () => {
    const { session, problems, repertoire } = await openBringing({ exported: [tool('draw')] })
    await activate(session, 'kit')
    const saved = session.save()
    const onProblem = (problem: SessionProblem): void => void problems.push(problem)
    openAdapterSession(repertoire, { saved, onProblem }).beginStep(HOST)
    expect(problems.map(({ code }) => code)).toEqual(['ADAPTER_INCOMPLETE'])
    expect(problems[0]!.message).toContain('`ready`')
    await prepareStep(openAdapterSession(repertoire, { saved, onProblem }), request())
    expect(problems).toHaveLength(1)
  })

  it('[ADPT-4, ACT-7, FRONT-5] hears when the repertoire closes that it has neither ended nor saved a session with active skills', async () => {
    const { session, repertoire, problems, onProblem } = await watched()
    await activate(session, 'free')
    const [ended, saved, idle] = [1, 2, 3].map(() => openAdapterSession(repertoire, { consent: () => true, onProblem }))
    for (const each of [ended!, saved!]) await activate(each, 'free')
    await ended!.end()
    saved!.save()
    idle!.beginStep(HOST)
    await repertoire.close()
    expect(problems.map(({ code }) => code)).toEqual(['SESSION_NOT_ENDED'])
    for (const part of [session.id, '`session.end()`', '`session.save()`']) expect(problems[0]!.message).toContain(part)
  })
})

describe('prepareStep', () => {
  it('[ADPT-4, ACT-14] returns the whole prompt, with what the messages have lost of active skills', async () => {
    const { session } = await watched()
    const outcome = await activate(session, 'free')
    const step = await prepareStep(session, { ...request([outcome.text ?? '']), system: 'Be kind.' })
    expect(step.system).toBe(step.view.system('Be kind.'))
    expect(step.messages).toEqual([outcome.text])
    const lost = await prepareStep(session, { ...request(['Hello']), system: 'Be kind.' })
    expect(lost.system).toContain('Body of free.')
    expect(lost.system!.startsWith(step.system!)).toBe(true)
  })

  it('[ADPT-4, WIN-2] sends a summary where the host keeps conversations within the window', async () => {
    const { session } = await open({}, { context: { window: 600, summaries: { keepMessages: 5 } } })
    const messages = Array.from({ length: 20 }, (_, index) => `${index} ${'word '.repeat(40)}`)
    const step = await prepareStep(session, {
      ...request(messages),
      window: () => ({
        tools: [],
        describe: (text) => ({ role: 'user' as const, text }),
        asMessage: (summary) => `SUMMARY ${summary}`,
        summarize: () => Promise.resolve('what was said'),
      }),
    })
    expect(step.messages.length).toBeLessThan(messages.length)
    expect(step.messages.some((text) => text.startsWith('SUMMARY'))).toBe(true)
    expect(step.messages.at(-1)).toBe(messages.at(-1))
  })

  it('[ADPT-4, ACT-16] finds the model that a skill names', async () => {
    const { session } = await watched()
    const named: unknown[] = []
    const step = await prepareStep(session, {
      ...request(),
      resolveModel: (name: string) => name,
      nameOf: (model: string | undefined) => {
        named.push(model)
        return 'own'
      },
    })
    expect([step.model, named]).toEqual([undefined, [undefined]])
  })
})
