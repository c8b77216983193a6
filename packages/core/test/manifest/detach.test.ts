import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { detach } from '../../src/manifest/detach.ts'

it('[NFR-1] a detached text is the same text, whatever units it is made of', () => {
  const unit = fc.constantFrom('a', ' ', '\n', 'é', '数', '🚀', '\uD83D', '\uDE80')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), fc.nat(40), (text, from) => {
      expect(detach(text)).toBe(text)
      expect(detach(text.slice(from))).toBe(text.slice(from))
    }),
  )
})
