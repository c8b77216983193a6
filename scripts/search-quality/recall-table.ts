import type { LabelledQuery, OpenedCorpus } from './corpus.ts'
import { measureRecall } from './recall.ts'
import { searchesOf } from './searches.ts'

/** A table of searches, by how often they find the right skill for the same tasks in two kinds of words. */
export async function recallTable(
  corpus: OpenedCorpus,
  { written, rewritten }: Readonly<Record<'written' | 'rewritten', readonly LabelledQuery[]>>,
): Promise<string> {
  const lines = [
    `${corpus.repertoire.catalog.list().length} skills, ${written.length} tasks. Recall at 1, 3 and 5 in %, mean reciprocal rank.`,
    '',
    '| search | as people write: @1 | @3 | @5 | MRR | as a model writes: @1 | @3 | @5 | MRR |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --: |',
  ]
  for (const [name, search] of searchesOf(corpus)) {
    const cells: string[] = []
    for (const queries of [written, rewritten]) {
      const { at, reciprocalRank } = await measureRecall(search, queries)
      cells.push(percent(at[1]), percent(at[3]), percent(at[5]), reciprocalRank.toFixed(3))
    }
    lines.push(`| ${[name, ...cells].join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}

function percent(part: number): string {
  return String(Math.round(part * 100))
}
