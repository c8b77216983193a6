import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { estimateTokens, memorySource, openRepertoire } from '../../src/index.ts'
import { openAdapterSession } from '../../src/adapter.ts'

it('[SHOW-7, MATCH-4] offers a search exactly where a description does not fit in the list', async () => {
  const word = fc.constantFrom('the', 'documents', "don't", '12345', '<b>', 'über', '数据分析。', '—', '!!!', 'é', '😀')
  const description = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => `Does ${words.join(' ')}`)
  const descriptions = fc.array(description, { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(descriptions, fc.integer({ min: -8, max: 8 }), async (texts, more) => {
      const files = texts.map((text, n) => [
        `s${n}`,
        { 'SKILL.md': `---\nname: s${n}\ndescription: ${JSON.stringify(text)}\n---\nDo it.\n` },
      ])
      const sources = [memorySource({ layer: 'project', skills: Object.fromEntries(files) })]
      const whole = estimateTokens(
        texts
          .map((text, n) => `- s${n}: ${text}`)
          .toSorted()
          .join('\n'),
      )
      const listingBudget = { share: (Math.max(1, whole + more) + 0.5) / 200_000 }
      const stepOf = async (search: 'auto' | 'never') => {
        const repertoire = await openRepertoire({ sources, listing: { style: 'tool', budget: listingBudget, search } })
        return openAdapterSession(repertoire).step({ tools: [] })
      }
      const { cuts } = await stepOf('never')
      const { tools } = await stepOf('auto')
      const isCut = cuts.shortened.length + cuts.withoutDescription.length + cuts.dropped.length > 0
      expect(tools.some(({ name }) => name === 'search_skills')).toBe(isCut)
    }),
    { numRuns: runs(200) },
  )
})
