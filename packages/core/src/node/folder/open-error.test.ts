// Only here an error of another context can be given, as Jest makes them.
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { errorCode, explainOpenError } from './open-error.ts'

describe("the system's error code", () => {
  it('[NFR-4] is read from errors of another context too, as Jest runs tests in one', () => {
    const error: unknown = runInNewContext(`Object.assign(new Error('gone'), { code: 'ENOENT' })`)
    expect(error).not.toBeInstanceOf(Error)
    expect(errorCode(error)).toBe('ENOENT')
    expect(explainOpenError(error, '/nowhere').kind).toBe('missing')
  })

  it.each([undefined, null, 'ENOENT', new Error('without a code'), { code: 2 }])(
    '[NFR-4] is empty for %o',
    (thrown) => {
      expect(errorCode(thrown)).toBe('')
    },
  )
})
