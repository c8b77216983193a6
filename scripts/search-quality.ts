// Prints, as Markdown, how often the right one of thousands of published skills is found: npm run search-quality
import { parseArgs } from 'node:util'
import { hasCorpus, openCorpus, readQueries } from './search-quality/corpus.ts'
import { awaitable, loadEmbedder, searchByMeaning } from './search-quality/embedder.ts'
import { listedOrFoundTable } from './search-quality/listed-or-found.ts'
import { heldOutTable, recallTable } from './search-quality/recall-table.ts'
import { shownTextReport } from './search-quality/shown-text.ts'

const USAGE = `Usage: npm run search-quality -- [options]

How often the right one of thousands of published skills is found, by a search and from a list.

Options:
  --embedder <file>  a module that exports \`embedder\`: the search is measured with it, too
  -h, --help         print this help
`

const { values } = parseArgs({ options: { embedder: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
if (values.help === true) {
  process.stdout.write(USAGE)
  process.exit()
}
if (!hasCorpus) throw new Error('The published skills and the queries are not there: ../shared/corpus.')
const embedder = values.embedder === undefined ? undefined : awaitable(await loadEmbedder(values.embedder))
const byMeaning = embedder && (await searchByMeaning(await openCorpus(embedder), embedder))
const corpus = await openCorpus()
const queries = readQueries()

/** The parts of the report, each as Markdown. */
const parts = [
  () => recallTable(corpus, queries, new Map(byMeaning && [['catalog.search with the embedder', byMeaning]])),
  () => heldOutTable(corpus, queries, byMeaning),
  () => listedOrFoundTable(corpus, queries),
  () => shownTextReport(corpus, queries),
]
for (const part of parts) process.stdout.write(`${await part()}\n`)
