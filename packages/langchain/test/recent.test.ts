import { expect, test } from 'vitest'
import { createRecent } from '../src/recent.ts'

test('[ACT-10] keeps what was put in last, also under a key that is old', () => {
  const recent = createRecent<number>(2)
  recent.set('long', 1)
  recent.set('other', 2)
  recent.set('long', 3)
  recent.set('third', 4)
  expect([recent.get('long'), recent.get('other'), recent.get('third')]).toEqual([3, undefined, 4])
})
