import { memorySource, openRepertoire } from '@repertoire/core'
import { describe, expect, test } from 'vitest'
import { createReActLoop, type Message, type Model, type ModelPart, type ReActLoop } from '../src/index.ts'

/** Yields a piece of text and then nothing more; `stopped` resolves when it is told that nobody reads on. */
function hangingModel(onRequest: () => void = () => {}): { readonly model: Model; readonly stopped: Promise<void> } {
  const stopped = Promise.withResolvers<void>()
  let parts = 0
  const iterator: AsyncIterator<ModelPart> = {
    next() {
      if (parts++ === 0) return Promise.resolve({ done: false, value: { type: 'text', text: 'Let me' } })
      onRequest()
      return new Promise(() => {})
    },
    return() {
      stopped.resolve()
      return new Promise(() => {})
    },
  }
  const model: Model = {
    complete() {
      onRequest()
      return new Promise(() => {})
    },
    stream: () => ({ [Symbol.asyncIterator]: () => iterator }),
  }
  return { model, stopped: stopped.promise }
}

async function loopOver(model: Model): Promise<ReActLoop> {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: {} })] })
  return createReActLoop({ model, session: repertoire.openSession() })
}

describe('a model that never settles, and ignores its signal', () => {
  test('[ABUSE-121, ADPT-3] does not keep an aborted run', async () => {
    const stop = new AbortController()
    const reason = new Error('The user pressed stop.')
    const loop = await loopOver(hangingModel(() => stop.abort(reason)).model)
    const messages: Message[] = []
    const onMessage = (message: Message): number => messages.push(message)
    await expect(loop.run('Hello', { signal: stop.signal, onMessage })).rejects.toBe(reason)
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    // The loop is free again.
    await expect(loop.run('Hello', { signal: AbortSignal.abort('no') })).rejects.toBe('no')
  })

  test('[ABUSE-121, ADPT-3] does not keep an aborted stream, and is told that nobody reads on', async () => {
    const stop = new AbortController()
    const { model, stopped } = hangingModel(() => stop.abort(new Error('stopped')))
    const loop = await loopOver(model)
    const reading = async (): Promise<void> => {
      for await (const event of loop.stream('Hello', { signal: stop.signal })) expect(event.type).not.toBe('finish')
    }
    await expect(reading()).rejects.toThrow('stopped')
    await stopped
  })

  test('[ABUSE-121, ADPT-3] does not keep who stops reading', async () => {
    const { model, stopped } = hangingModel()
    const loop = await loopOver(model)
    for await (const event of loop.stream('Hello')) if (event.type === 'text-delta') break
    await stopped
  })
})
