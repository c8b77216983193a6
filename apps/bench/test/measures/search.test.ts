import { join } from 'node:path'
import { expect, it } from 'vitest'
import { searchAims } from '../../src/aims/search.ts'
import { writeTree } from '../../src/generator/tree.ts'
import { measureSearch, type SearchRow } from '../../src/measures/search.ts'
import { summarise } from '../../src/statistics.ts'
import { temporary } from '../temporary.ts'

it('[MATCH-5] times searches that find something, and weighs their index, beside a library', async () => {
  const root = join(temporary(), 'skills')
  writeTree(root, 20, 1)
  const { skills, rows } = await measureSearch(
    { root, skills: 20 },
    { source: true, timeout: 120_000, rounds: 1, progress: () => {} },
  )
  expect([skills, ...rows.map(({ engine, absent }) => [engine, absent])]).toEqual([
    20,
    ['repertoire', undefined],
    ['minisearch', undefined],
  ])
  for (const { build, phrase, word, bytesPerSkill } of rows) {
    for (const summary of [build, phrase, word]) expect(summary?.median).toBeGreaterThan(0)
    expect(bytesPerSkill?.median).toSatisfy(Number.isFinite)
  }
})

it('[MATCH-5] holds our index to 2 KB a skill, and a query to 2 ms', () => {
  const own = (changes: Partial<SearchRow>): readonly (boolean | undefined)[] => {
    const [phrase, word, bytesPerSkill] = [summarise([2]), summarise([2]), summarise([2_048])]
    const row: SearchRow = { engine: 'repertoire', title: 'ours', phrase, word, bytesPerSkill, ...changes }
    return searchAims({ skills: 2_760, rows: [row] }).map(({ met }) => met)
  }
  expect(own({})).toEqual([true, true, true])
  expect(own({ bytesPerSkill: summarise([2_049]) })).toEqual([false, true, true])
  expect(own({ phrase: summarise([2.1]), word: summarise([2.1]) })).toEqual([true, false, false])
  expect(searchAims({ skills: 2_760, rows: [] }).map(({ met }) => met)).toEqual([undefined, undefined, undefined])
})
