import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createStringCopier, copyString } from '../../src/text/copy-string.ts'

it('[NFR-1] a detached text is the same text, whatever units it is made of', () => {
  const unit = fc.constantFrom('a', ' ', '\n', 'é', '数', '🚀', '\uD83D', '\uDE80')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 80 }), fc.nat(80), (text, from) => {
      for (const own of [copyString, createStringCopier()]) {
        expect([own(text), own(text)]).toEqual([text, text])
        expect(own(text.slice(from))).toBe(text.slice(from))
      }
    }),
  )
})
