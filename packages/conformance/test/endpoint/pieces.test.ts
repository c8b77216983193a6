import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { piecesOf, writesOf } from '../../src/endpoint/pieces.ts'

test(
  '[CONF-1] cuts a text into several pieces that each are well-formed, and loses nothing',
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 120 }), (text) => {
        const pieces = piecesOf(text)
        expect(pieces.join('')).toBe(text)
        expect(pieces.length).toBeLessThanOrEqual(8)
        expect(pieces.every((piece) => piece !== '' && !/^[\udc00-\udfff]/.test(piece))).toBe(true)
        if (text.length > 6) expect(pieces.length).toBeGreaterThan(1)
      }),
    )
  },
)

test('[CONF-1] ends every write in the middle of a part, and of a character if it can', () => {
  const parts = ['data: one\n\n', 'data: größer\n\n', 'data: 🙂\n\n']
  const writes = writesOf(parts)
  expect(Buffer.concat(writes).toString()).toBe(parts.join(''))
  expect(writes).toHaveLength(4)
  const strict = new TextDecoder('utf-8', { fatal: true })
  expect(() => strict.decode(writes[1])).toThrow('not valid for encoding utf-8')
  expect(() => strict.decode(writes[2])).toThrow('not valid for encoding utf-8')
  expect(writes.slice(0, -1).every((write) => !write.toString().endsWith('\n\n'))).toBe(true)
})

test('[CONF-1] gives no empty write', () => {
  expect(writesOf([])).toEqual([])
  expect(writesOf(['', 'x', '']).map(String)).toEqual(['x'])
})
