// Prints how often the right one of thousands of published skills is found: npm run search-quality
import { LISTING_STYLES } from '@repertoire/core'
import { type Corpus, hasCorpus, openCorpus } from './search-quality/corpus.ts'
import {
  measureListedOrFound,
  measureRecall,
  sampleCatalogs,
  shownShare,
  splitTasks,
} from './search-quality/measures.ts'

if (!hasCorpus) throw new Error('The published skills and the tasks are missing: ../shared/corpus.')
const corpus = await openCorpus()
const writers = { people: corpus.written, 'a model': corpus.rewritten }

console.log(`${corpus.skills.length} skills, ${corpus.written.length} tasks. Shares in %, mean reciprocal rank.`)
console.log('Choose weights by the tasks to tune by, and judge them by the tasks that are held out.')
await printRecall('by words', corpus)

console.log('\nThe right skill is in the list next to the search, or one search shows it:')
const seen: object[] = []
for (const size of [100, 300, 1_000])
  for (const [writer, tasks] of Object.entries(writers)) {
    const { listed, found, either } = await measureListedOrFound(corpus, tasks, size)
    seen.push({ skills: size, writer, listed: percent(listed), found: percent(found), either: percent(either) })
  }
console.table(seen)

console.log('\nThe share of the text of descriptions that a list without a search shows, by the number of skills:')
const shares = [30, 100, 300, 1_000].map((size) => {
  const { skills } = sampleCatalogs(corpus.skills, corpus.written, size)[0]!
  return {
    skills: size,
    ...Object.fromEntries(LISTING_STYLES.map((style) => [style, percent(shownShare(skills, style))])),
  }
})
console.table(shares)

async function printRecall(search: string, { repertoire }: Corpus): Promise<void> {
  const rows: object[] = []
  for (const [writer, tasks] of Object.entries(writers))
    for (const [part, some] of Object.entries({ all: tasks, ...splitTasks(tasks) })) {
      const { at, reciprocalRank } = await measureRecall(repertoire, some)
      const row = { writer, part, tasks: some.length, '@1': percent(at[1]), '@3': percent(at[3]), '@5': percent(at[5]) }
      rows.push({ ...row, MRR: Number(reciprocalRank.toFixed(3)) })
    }
  console.log(`\nThe search ${search}:`)
  console.table(rows)
}

function percent(share: number): number {
  return Math.round(share * 100)
}
