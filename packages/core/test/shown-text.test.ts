import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LISTING_STYLES, type ListingStyle, memorySource, openRepertoire } from '../src/index.ts'
import { openAdapterSession } from '../src/adapter.ts'

/** Thousands of real skills, which are not part of the repository. */
const corpus = new URL('../../../../shared/corpus/', import.meta.url)
const present = existsSync(new URL('manifest.jsonl', corpus))
const declaredAbsent = process.env.REPERTOIRE_CORPUS === 'absent'
const skipped = !present && (declaredAbsent || process.env.CI === undefined)
const title = skipped
  ? 'a list of real skills: skipped, for ../shared/corpus is not beside the repository'
  : 'a list of real skills'

interface Verdict {
  readonly id: string
  readonly file: string
}

/** About a hundred real skills, spread evenly over all, from some place on. */
async function hundred(offset: number, style: ListingStyle) {
  const verdicts = readFileSync(new URL('manifest.jsonl', corpus), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Verdict)
  const step = Math.floor(verdicts.length / 130)
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => verdicts[n * step + offset]!).map(({ id, file }, n) => [
      `folder-${n}`,
      { 'SKILL.md': readFileSync(new URL(`skills/${id}/${file}`, corpus), 'utf8') },
    ]),
  )
  return openRepertoire({
    sources: [memorySource({ layer: 'project', skills: files })],
    catalog: { profile: 'lenient' },
    listing: { style, search: 'never' },
  })
}

/** The descriptions in a list that was cut, and their length. */
function shownText(style: ListingStyle, text: string, tools: readonly { readonly description: string }[]): number {
  const entry = { xml: />(.+)<\/skill>$/gm, matched: /^(?!## Skill: |\()(.+)$/gm }
  if (style === 'tools') return tools.reduce((sum, { description }) => sum + description.length, 0)
  const pattern = style === 'xml' || style === 'matched' ? entry[style] : /^- .+?: (.+)$/gm
  return [...text.matchAll(pattern)].reduce((sum, [, shown]) => sum + unescaped(shown!).length, 0)
}

const unescaped = (text: string): string => text.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, '&')

describe.skipIf(skipped)(title, () => {
  it.each(LISTING_STYLES.flatMap((style) => [0, 5, 11].map((offset) => [style, offset] as const)))(
    '[SHOW-7] keeps at least 40 % of the text of a hundred descriptions within 4,000 tokens: %s, from %i on',
    async (style, offset) => {
      const repertoire = await hundred(offset, style)
      const skills = repertoire.catalog.list()
      expect(skills.length).toBeGreaterThan(90)
      const { instructions, tools, skillTools, cuts } = await openAdapterSession(repertoire, {
        onProblem: () => undefined,
      }).step({ tools: [] })
      const text = style === 'tool' ? tools[0]!.description : instructions
      const whole = skills.reduce((sum, { manifest }) => {
        const { description, whenToUse = '' } = manifest
        return sum + description.length + whenToUse.length
      }, 0)
      expect(cuts.tokens).toBeLessThanOrEqual(4_000)
      expect(shownText(style, text, skillTools) / whole).toBeGreaterThanOrEqual(0.4)
      expect(cuts.withoutDescription).toEqual([])
      expect(cuts.dropped).toEqual([])
    },
  )
})
