import { expect, it } from 'vitest'
import { type RepertoireOptions, openRepertoire } from '../../src/index.ts'

async function open(options: Partial<RepertoireOptions> = {}) {
  const order: string[] = []
  const audit = { write: () => {}, close: () => void order.push('sink') }
  return { repertoire: await openRepertoire({ sources: [], audit, ...options }), order }
}

it('[ACT-7] close calls each listener of onClose that is still subscribed, and closes the sinks after them', async () => {
  const { repertoire, order } = await open()
  const listener = async (): Promise<void> => {
    await Promise.resolve()
    order.push('listener')
  }
  repertoire.onClose(listener)
  const unsubscribe = repertoire.onClose(listener)
  repertoire.onClose(listener)
  unsubscribe()
  await repertoire.close()
  expect(order).toEqual(['listener', 'listener', 'sink'])
})

it('[ACT-7, CAT-10] close closes the sinks and throws when a listener of onClose throws, rejects or never settles', async () => {
  const throwing = (): never => {
    throw new Error('wrong')
  }
  for (const [listener, reason] of [
    [throwing, { message: 'wrong' }],
    [() => Promise.reject(new Error('wrong')), { message: 'wrong' }],
    [() => new Promise<void>(() => {}), { code: 'TIMED_OUT' }],
  ] as const) {
    const { repertoire, order } = await open({ catalog: { loadTimeout: 5 } })
    repertoire.onClose(listener)
    await expect(repertoire.close()).rejects.toMatchObject(reason)
    expect(order).toEqual(['sink'])
  }
})
