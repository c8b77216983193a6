import { describe, expect, it } from 'vitest'
import { parseSkill } from '@repertoire/skill-md/internal'
import { REFERENCE_CASES } from './reference-cases.ts'

describe('the cases of the reference library', () => {
  it.each(REFERENCE_CASES.map((one) => [one.title, one] as const))(
    '[MAN-1, MAN-2, MAN-3] judges by the standard: %s',
    async (_, { folder, fileName = 'SKILL.md', content, errors, reads }) => {
      const context = { folderName: folder, fileName, profile: 'strict' } as const
      const { manifest, body, diagnostics } = await parseSkill(content, context)
      const found = diagnostics.filter(({ severity }) => severity === 'error')
      expect(found.map(({ code }) => code)).toEqual(errors)
      for (const { path, message, hint } of found) {
        expect(path).toBe('SKILL.md')
        expect(message).toMatch(/\.$/)
        expect(hint).toBeDefined()
      }
      expect(manifest === undefined).toBe(errors.length > 0)
      expect(body === undefined).toBe(errors.length > 0)
      expect(manifest ?? {}).toMatchObject(reads ?? {})
    },
  )

  it('[MAN-3] gives a reason wherever the result differs', () => {
    const verdict = (errors: readonly string[]) => (errors.length === 0 ? 'valid' : 'invalid')
    const differing = REFERENCE_CASES.filter(
      ({ reference, errors }) => reference !== 'unstated' && reference !== verdict(errors),
    )
    expect(differing.map(({ title }) => title)).toEqual([
      'an empty compatibility',
      'metadata whose values are spelled like numbers, booleans and nulls',
      'an indented "---" that is to close the frontmatter',
      'a byte order mark',
      'bytes that are not UTF-8',
      'a file named skill.md',
    ])
    expect(differing.filter(({ why }) => why === undefined)).toEqual([])
    expect(REFERENCE_CASES.length).toBeGreaterThanOrEqual(40)
    expect(new Set(REFERENCE_CASES.map(({ title }) => title)).size).toBe(REFERENCE_CASES.length)
  })
})
