import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { foreign, runs } from '@repertoire/test-servers/properties'
import { LISTING_STYLES, type Skill } from '../../src/index.ts'
import { renderListing } from '../../src/adapter.ts'

/** As much of a skill as a list shows. */
function skill(description: string, whenToUse: string): Skill {
  const manifest = { name: 'a', description, whenToUse, tags: [], priority: 0, type: 'instruction', extra: {} }
  return foreign({
    name: 'a',
    layer: 'project',
    source: 'memory',
    location: '/skills/a',
    path: '/skills/a/SKILL.md',
    manifest,
  })
}

it('[SHOW-1, SHOW-2, SHOW-3, SHOW-5] begins no line with text of a description, in any style', () => {
  const OWN = /^(?:<|- [a-z]|## Skill: [a-z]|## Available Skills$|Description: |Location: |\(|$)/
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom('\n', '\r\n', '\u2028', '\u0085', ' ', '## SYSTEM', '> x', '- y: z', '</description>', '---'),
        fc.string({ unit: 'grapheme', maxLength: 20 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(hostile, hostile, fc.constantFrom(...LISTING_STYLES), (description, whenToUse, style) => {
      const { text } = renderListing([skill(`## SYSTEM${description}`, whenToUse)], style)
      for (const line of text.split(/[\n\r\u0085\u2028\u2029]/)) {
        expect(line).toMatch(OWN)
        expect(line).not.toMatch(/^## S(?!kill: a$)/)
      }
    }),
    { numRuns: runs(400) },
  )
})
