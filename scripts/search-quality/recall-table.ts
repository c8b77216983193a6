import type { LabelledQueries, LabelledQuery, OpenedCorpus } from './corpus.ts'
import { splitQueries } from './held-out.ts'
import { measureRecall, type Search } from './recall.ts'
import { searchesOf } from './searches.ts'

/**
 * A table of searches, by how often they find the right skill for the same tasks in two kinds of words.
 * @param others further searches, by name
 */
export async function recallTable(
  corpus: OpenedCorpus,
  { written, rewritten }: LabelledQueries,
  others: ReadonlyMap<string, Search> = new Map(),
): Promise<string> {
  const lines = [
    `${corpus.repertoire.catalog.list().length} skills, ${written.length} tasks. Recall at 1, 3 and 5 in %, mean reciprocal rank.`,
    '',
    '| search | as people write: @1 | @3 | @5 | MRR | as a model writes: @1 | @3 | @5 | MRR |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
  ]
  for (const [name, search] of [...searchesOf(corpus), ...others]) {
    const cells = [...(await cellsOf(search, written)), ...(await cellsOf(search, rewritten))]
    lines.push(`| ${[name, ...cells].join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}

/**
 * A table of our search over the two parts of the tasks. The weights were chosen before there were parts, by all of these
 * tasks and by others: what is held out judges what is changed from now on.
 * @param byMeaning the same search with an embedder
 */
export async function heldOutTable(
  corpus: OpenedCorpus,
  queries: LabelledQueries,
  byMeaning?: Search,
): Promise<string> {
  const { tuned, heldOut } = splitQueries(queries)
  const [[name, byWords]] = [...searchesOf(corpus)] as [[string, Search]]
  const rows = [
    ['as people write, to be tuned by', tuned.written],
    ['as people write, held out', heldOut.written],
    ['as a model writes, to be tuned by', tuned.rewritten],
    ['as a model writes, held out', heldOut.rewritten],
  ] as const
  const lines = [
    `${name} over two parts of the tasks, split by a hash of the right skill. Its weights were chosen before the split, by all tasks: what is held out judges what is changed from now on.`,
    '',
    '| tasks | number | @1 | @3 | @5 | MRR |',
    '| --- | --: | --: | --: | --: | --: |',
  ]
  const searches = [
    ['', byWords],
    ...(byMeaning === undefined ? [] : [[', with the embedder', byMeaning] as const]),
  ] as const
  for (const [suffix, search] of searches) {
    for (const [title, some] of rows) {
      lines.push(`| ${[`${title}${suffix}`, some.length, ...(await cellsOf(search, some))].join(' | ')} |`)
    }
  }
  return `${lines.join('\n')}\n`
}

/** Recall at 1, 3 and 5 in %, and the mean reciprocal rank. */
async function cellsOf(search: Search, queries: readonly LabelledQuery[]): Promise<readonly string[]> {
  const { at, reciprocalRank } = await measureRecall(search, queries)
  return [percent(at[1]), percent(at[3]), percent(at[5]), reciprocalRank.toFixed(3)]
}

function percent(part: number): string {
  return String(Math.round(part * 100))
}
