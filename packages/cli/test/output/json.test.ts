import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { escapeJson, toJson } from '../../src/output/json.ts'

describe('JSON for stdout', () => {
  it('[OBS-4] means what the value means, and holds no control character but line breaks', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string({ unit: anyCharacter }), (value, text) => {
        const json = toJson({ value, text })
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })))
        // oxlint-disable-next-line no-control-regex -- they are what is looked for
        expect(json).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/)
      }),
    )
  })

  it('[OBS-4] escapes what JSON lets stand, also outside the first plane, and leaves other text readable', () => {
    expect(escapeJson('"微信 é \u009B \u202E \u{E0041}"')).toBe(String.raw`"微信 é \u009b \u202e \udb40\udc41"`)
    expect(toJson(['a']).endsWith(']\n')).toBe(true)
  })
})
