// Prints, as Markdown, how often the right one of thousands of published skills is found: npm run search-quality
import { hasCorpus, openCorpus, readQueries } from './search-quality/corpus.ts'
import { listedOrFoundTable } from './search-quality/listed-or-found.ts'
import { heldOutTable, recallTable } from './search-quality/recall-table.ts'
import { shownTextReport } from './search-quality/shown-text.ts'

if (!hasCorpus) throw new Error('The published skills and the queries are not there: ../shared/corpus.')
const corpus = await openCorpus()
const queries = readQueries()

/** The parts of the report, each as Markdown. */
const parts = [
  () => recallTable(corpus, queries),
  () => heldOutTable(corpus, queries),
  () => listedOrFoundTable(corpus, queries),
  () => shownTextReport(corpus, queries),
]
for (const part of parts) process.stdout.write(`${await part()}\n`)
