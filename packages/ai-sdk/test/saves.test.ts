import type { SavedSession, Turn } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { generateText, isStepCount, streamText, ToolLoopAgent } from 'ai'
import { expect, it, vi } from 'vitest'
import { withSkills } from '../src/index.ts'
import { activate, call, openTask, useEndpoint } from './task.ts'

const endpoint = useEndpoint()

type Options = Parameters<typeof withSkills>[1]

/** A task whose model activates a skill and then does something else, and where its session is saved. */
async function open(second: Parameters<typeof openTask>[1][number], options: Options = {}) {
  const task = await openTask(endpoint(), [activate('careful'), second])
  const stop = new AbortController()
  const stored: SavedSession[] = []
  const skills = withSkills(task.session, {
    abortSignal: stop.signal,
    save: () => void stored.push(task.session.save()),
    ...options,
  })
  const settings = { model: task.model, maxRetries: 0, stopWhen: isStepCount(5), ...skills }
  const active = () => stored.at(-1)?.state.active.map(({ name }) => name)
  return { ...task, settings, stop, stored, active }
}

type Settings = Awaited<ReturnType<typeof open>>['settings']

const WAYS: Readonly<Record<string, (settings: Settings) => PromiseLike<unknown>>> = {
  generateText: (settings) => generateText({ ...settings, prompt: 'Go' }),
  streamText: (settings) => streamText({ ...settings, prompt: 'Go', onError: () => {} }).consumeStream(),
  'ToolLoopAgent.generate': ({ abortSignal, ...settings }) =>
    new ToolLoopAgent(settings).generate({ prompt: 'Go', abortSignal }),
  'ToolLoopAgent.stream': async ({ abortSignal, ...settings }) => {
    const agent = new ToolLoopAgent({ ...settings, onError: () => {} })
    const result = await agent.stream({ prompt: 'Go', abortSignal })
    await result.consumeStream()
  },
}

const settled = (run: PromiseLike<unknown>): Promise<unknown> => Promise.allSettled([run])

it.each(Object.entries(WAYS))('[ACT-15] the session is saved when a run of %s succeeds or fails', async (_, run) => {
  for (const second of [{ text: 'Done.' }, { status: 500, message: 'Broken.' }]) {
    const { settings, active, session } = await open(second)
    await settled(run(settings))
    expect(active()).toEqual(['careful'])
    expect(adapterSession(session).state.active).toHaveLength(1)
  }
})

it.each(Object.entries(WAYS))('[ACT-15] the session is saved when a run of %s is aborted', async (_, run) => {
  const begun = Promise.withResolvers<void>()
  const never = Promise.withResolvers<void>()
  const hold = () => {
    begun.resolve()
    return { hold: never.promise, next: { text: 'Too late.' } }
  }
  const { settings, active, stop } = await open(hold)
  const running = settled(run(settings))
  await begun.promise
  stop.abort(new Error('Enough.'))
  await running
  expect(active()).toEqual(['careful'])
  never.resolve()
})

it('[ACT-15] the session is saved before the reader of a stream has read to its end', async () => {
  const never = Promise.withResolvers<void>()
  const { settings, active } = await open({ hold: never.promise, next: { text: 'Too late.' } })
  const { stream } = streamText({ ...settings, prompt: 'Go', onError: () => {} })
  for await (const part of stream) if (part.type === 'tool-result') break
  expect(active()).toEqual(['careful'])
  never.resolve()
})

it('[ACT-15, ASK-5] the session is saved with the consent request that ends a run', async () => {
  const { model, session } = await openTask(endpoint(), [activate('careful')], { consent: 'suspend' })
  const stored: SavedSession[] = []
  const save = async (): Promise<void> => void stored.push(session.save())
  await generateText({ model, stopWhen: isStepCount(5), ...withSkills(session, { save }), prompt: 'Go' })
  expect(stored.at(-1)?.state.open).toHaveLength(1)
})

it('[ACT-15] saves run one after the other, the last state last, and none if nothing has changed', async () => {
  const order: string[] = []
  const together = { calls: ['careful', 'free'].map((name) => ({ tool: 'activate_skill', input: { name } })) }
  const { model, session } = await openTask(endpoint(), [together, call('Nothing', {}), { text: 'Done.' }])
  const save = async (): Promise<void> => {
    const names = session.activeSkills.join('+')
    order.push(`begin ${names}`)
    await new Promise((resolve) => setImmediate(resolve))
    order.push(`end ${names}`)
  }
  await generateText({ model, stopWhen: isStepCount(5), ...withSkills(session, { save }), prompt: 'Go' })
  for (const [index, entry] of order.entries()) expect(entry.startsWith(index % 2 === 0 ? 'begin' : 'end')).toBe(true)
  expect(order.at(-1)).toBe('end careful+free')
  expect(order.filter((entry) => entry === 'end careful+free')).toHaveLength(1)
})

it('[ACT-15] a save that fails is tried again at the next step, and fails the run if it fails again', async () => {
  let tries = 0
  const flaky = (): void => {
    if (++tries === 1) throw new Error('The store is away.')
  }
  const first = await open({ text: 'Done.' }, { save: flaky })
  expect((await generateText({ ...first.settings, prompt: 'Go' })).text).toBe('Done.')
  expect(tries).toBe(2)
  const away = async (): Promise<never> => {
    throw new Error('The store is away.')
  }
  const second = await open({ text: 'Done.' }, { save: away })
  await expect(generateText({ ...second.settings, prompt: 'Go' })).rejects.toThrow('The store is away.')
})

it.each([
  ['refused', () => false, { ok: false, refusal: { code: 'CONSENT_DENIED' } }],
  ['activated', undefined, { ok: true }],
])('[ACT-12] onTurn is given the skill of a /name that was %s', async (_, consent, outcome) => {
  const turns: Turn[] = []
  const { model, session } = await openTask(endpoint(), [{ text: 'Done.' }], { ...(consent && { consent }) })
  const skills = withSkills(session, { onTurn: (turn) => void turns.push(turn) })
  await generateText({ model, ...skills, prompt: '/careful now' })
  expect(turns).toMatchObject([{ invoked: { name: 'careful', outcome } }])
})

it('[ACT-7] the host is told when a session ends before the stream of its run', async () => {
  const onProblem = vi.fn()
  const task = await openTask(endpoint(), [activate('careful'), { text: 'Done.' }], { onProblem })
  const skills = withSkills(task.session)
  const { text } = streamText({ model: task.model, prompt: 'Go', stopWhen: isStepCount(5), maxRetries: 0, ...skills })
  await task.session.end()
  expect(await text).toBe('Done.')
  expect(onProblem.mock.calls).toEqual([[expect.objectContaining({ code: 'SESSION_ENDED_EARLY' })]])
})
