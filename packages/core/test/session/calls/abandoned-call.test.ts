import { expect, it } from 'vitest'
import { abandonedCallText } from '../../../src/adapter.ts'

it('[LLM-1, ASK-5] tells a model what became of a call that was left, by a name that ends', () => {
  expect(abandonedCallText('Bash')).toBe(
    'The call of "Bash" has no result: the conversation continued before it was done. Do not treat it as done, and repeat it only if it is still needed.',
  )
  // Names are foreign: they are quoted, and cut.
  expect(abandonedCallText('a"\n')).toContain(String.raw`"a\"\u{A}"`)
  expect(abandonedCallText('x'.repeat(1_000)).length).toBeLessThan(300)
})
