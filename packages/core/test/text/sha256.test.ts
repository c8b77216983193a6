import { createHash, createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { hmacOfText, libraryHashes, sha256Of } from '../../src/text/hash.ts'

/** Any units of UTF-16, halves of surrogate pairs among them. */
const text = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units))

it('[NFR-6] a text has the same hash with the hashes of the platform and without', async () => {
  const library = await libraryHashes()
  fc.assert(
    fc.property(text, text, (key, value) => {
      expect(sha256Of(value)).toBe(createHash('sha256').update(value).digest('hex'))
      expect(library.sha256(value)).toBe(sha256Of(value))
      const bytes = new TextEncoder().encode(value)
      expect([sha256Of(bytes), library.sha256(bytes)]).toEqual([sha256Of(value), sha256Of(value)])
      expect(hmacOfText(key, value)).toBe(createHmac('sha256', key).update(value).digest('hex'))
      expect(library.hmac(key, value)).toBe(hmacOfText(key, value))
    }),
    { numRuns: runs(400) },
  )
})
