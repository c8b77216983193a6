import { expect, test } from 'vitest'
import { type SessionProblem } from '../../src/index.ts'
import { whenBegun } from '../../src/adapter.ts'

test('[LIB-11] returns what the work has begun, and reports an error that comes later', async () => {
  const reported = Promise.withResolvers<SessionProblem>()
  const ended = Promise.withResolvers<never>()
  const owner = { session: { onProblem: reported.resolve } }
  const stream = await whenBegun<string>(owner, async (begun) => {
    begun('stream')
    await ended.promise
  })
  expect(stream).toBe('stream')
  ended.reject(new Error('the store is full'))
  expect(await reported.promise).toMatchObject({ code: 'SESSION_NOT_SAVED', message: 'the store is full' })
})

test('[LIB-11] throws an error that comes before, and reports nothing', async () => {
  const problems: SessionProblem[] = []
  const owner = { session: { onProblem: (problem: SessionProblem) => void problems.push(problem) } }
  await expect(whenBegun(owner, () => Promise.reject(new Error('no such model')))).rejects.toThrow('no such model')
  expect(problems).toEqual([])
})

test('[LIB-11] waits for nothing where the work begins nothing', async () => {
  await expect(whenBegun({}, () => Promise.resolve())).rejects.toThrow('without a call of `begun`')
})
