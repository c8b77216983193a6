import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOfJson } from '../src/protocol/text.ts'

test('[ADPT-3] finds the end of any JSON object or list, whatever stands behind it', () => {
  const values = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
  fc.assert(
    fc.property(values, fc.constantFrom(undefined, 2, '\t'), fc.string(), (value, indent, rest) => {
      const text = JSON.stringify(value, null, indent)
      expect(endOfJson(`>${text}${rest}`, 1)).toBe(1 + text.length)
    }),
  )
})

test('[ADPT-3] finds no end if none is', () => {
  for (const text of ['{', '{"a": "}', '[[]', '{"a": "\\"}', '{"a": "x']) expect(endOfJson(text, 0)).toBeUndefined()
})
