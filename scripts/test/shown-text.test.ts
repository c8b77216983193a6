import { memorySource, openRepertoire, type Skill } from '@repertoire/core'
import { expect, it } from 'vitest'
import { LISTING_RULES } from '../search-quality/listing-rules.ts'
import { measureShownText, shownTextReport } from '../search-quality/shown-text.ts'
import { textScorer } from '../search-quality/text-scorer.ts'

const TOPICS = ['invoices', 'telescopes', 'bicycles', 'volcanoes', 'recipes', 'contracts', 'aquariums', 'pottery']

/** Skills of eight topics, each of which says only behind its first sentence what it is about. */
async function openTopics(): Promise<readonly Skill[]> {
  const skills = Object.fromEntries(
    Array.from({ length: 96 }, (_, n) => {
      const topic = `${TOPICS[n % 8]}${n < 8 ? '' : ` of the kind ${n}`}`
      const description = `Helps with a task. ${'Say what you need. '.repeat(12)}It is about ${topic}.`
      return [`skill-${n}`, { 'SKILL.md': `---\nname: skill-${n}\ndescription: ${description}\n---\nDo it.\n` }]
    }),
  )
  return (await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })).catalog.list()
}

const query = (words: string, name: string) => ({ phrases: [words], right: new Set([name]) })

it('[SHOW-7] ranks what is shown by the words of a task, and finds nothing in what is not shown', () => {
  const find = textScorer([{ name: 'pdf', description: 'Fills forms.' }, { name: 'forecasting' }, { name: 'forms' }])
  expect(find('fill a form')).toEqual(['pdf', 'forms'])
  expect(find('forecasts')).toEqual(['forecasting'])
  expect(find('spreadsheets')).toEqual([])
})

it('[SHOW-7] reads back from every list what it says of each skill', async () => {
  const skills = (await openTopics()).slice(0, 20)
  for (const { name, list } of LISTING_RULES) {
    const shown = list(skills)
    expect([name, ...shown.map((each) => each.name)]).toEqual([name, ...skills.map((each) => each.name)])
    const described = shown.filter(({ description = '' }) => description.startsWith('Helps with a task. '))
    expect([name, described.length]).toEqual([name, 20])
  }
})

it('[SHOW-7] counts how often the right skill is listed, is the first, and is among the first three', async () => {
  const skills = await openTopics()
  const rules = [
    { name: 'whole', list: (all: readonly Skill[]) => all.map(({ manifest }) => manifest) },
    { name: 'bare', list: (all: readonly Skill[]) => all.map(({ name }) => ({ name })) },
    { name: 'half', list: (all: readonly Skill[]) => all.filter((_, index) => index % 2 === 0) },
  ]
  const queries = [query('about volcanoes', 'skill-3'), query('about pottery', 'skill-7')]
  const rows = measureShownText({ skills, queries, sizes: [30], rules })
  expect(rows.map(({ rule, skills: size, listed }) => [rule, size, listed])).toEqual([
    ['whole', 30, 1],
    ['bare', 30, 1],
    ['half', 30, expect.any(Number)],
  ])
  expect(rows[0]).toMatchObject({ firstThree: 1, text: 1 })
  expect(rows[1]).toMatchObject({ first: 0, firstThree: 0, text: 0 })
  expect(rows[2]!.text).toBe(0)
})

it('[SHOW-7] reports on queries that name skills by ids', async () => {
  const skills = await openTopics()
  const corpus = { repertoire: { catalog: { list: () => skills } }, idOf: ({ name }: Skill) => `id of ${name}` }
  const queries = [query('volcanoes', 'id of skill-3')]
  const report = shownTextReport(corpus, { written: queries, rewritten: queries })
  expect(report).toContain('| 30 | whole descriptions | 100 | 100 | 100 | 100 |')
  expect(report.match(/^\| 1000 /gm)).toHaveLength(2 * LISTING_RULES.length)
})
