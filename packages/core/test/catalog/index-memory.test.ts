import { describe, expect, it } from 'vitest'
import { type IndexMemory, indexOnce } from '../../src/catalog/index-memory.ts'
import type { SearchTexts } from '../../src/search/fields.ts'
import { lexicalScores, readQuery } from '../../src/search/rank.ts'
import type { TextIndex } from '../../src/search/text-index.ts'

const textsOf = (description: Readonly<Record<string, string>>): readonly SearchTexts[] =>
  Object.entries(description).map(([name, text]) => ({ name, description: text, tags: '', body: '' }))

async function* given(all: readonly SearchTexts[]): AsyncGenerator<SearchTexts> {
  yield* all
}

/** The names of what has a word. */
function found(index: TextIndex, all: readonly SearchTexts[], word: string): readonly string[] {
  const scores = lexicalScores(index, readQuery(word)!, new Uint8Array(index.size).fill(1))
  return all.flatMap(({ name }, document) => (scores[document]! > 0 ? [name] : []))
}

describe('the index that is remembered', () => {
  it('[MATCH-6, CAT-4] is the same one where nothing has changed, and another where one more or one less is there', async () => {
    const memory: IndexMemory = {}
    const all = textsOf({ forms: 'Fills forms.', merge: 'Joins files.', scans: 'Reads scans.' })
    const index = await indexOnce(memory, given(all))
    expect(await indexOnce(memory, given(all))).toBe(index)
    const fewer = await indexOnce(memory, given(all.slice(0, 2)))
    expect([fewer.size, found(fewer, all, 'scans')]).toEqual([2, []])
    const again = await indexOnce(memory, given(all))
    expect([again.size, found(again, all, 'scans')]).toEqual([3, ['scans']])
    const reordered = all.toReversed()
    expect(found(await indexOnce(memory, given(reordered)), reordered, 'forms')).toEqual(['forms'])
  })

  it('[MATCH-6, CAT-4] is made from the one before it: only what has changed is read again', async () => {
    const memory: IndexMemory = {}
    await indexOnce(memory, given(textsOf({ forms: 'Fills forms.', merge: 'Joins files.', scans: 'Reads scans.' })))
    const reads: string[] = []
    // Two skills have changed places in their texts: what counts is the text under its own name.
    const next = textsOf({ forms: 'Joins files.', merge: 'Joins files.', other: 'Fills forms.', scans: 'Reads scans.' })
    const watched = next.map(({ name, description, tags, body }): SearchTexts => ({
      name,
      tags,
      body,
      get description() {
        reads.push(name)
        return description
      },
    }))
    const index = await indexOnce(memory, given(watched))
    const times = (name: string): number => reads.filter((each) => each === name).length
    // Once for the comparison, and once more for its words.
    expect(['forms', 'merge', 'other', 'scans'].map(times)).toEqual([2, 1, 2, 1])
    expect(found(index, next, 'joins')).toEqual(['forms', 'merge'])
    expect(found(index, next, 'fills')).toEqual(['other'])
    expect(found(index, next, 'scans')).toEqual(['scans'])
  })
})
