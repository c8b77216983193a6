/** A skill as some list shows it. */
export interface ShownSkill {
  readonly name: string
  /** Absent: its name alone. */
  readonly description?: string
}

/**
 * Returns a function that ranks the skills of a list by the words that it shows of them: BM25 over name and description.
 * No model is asked, so the figure is not what a model would find; but what is not in the text no model can find either.
 */
export function textScorer(list: readonly ShownSkill[]): (query: string) => readonly string[] {
  const documents = list.map(({ name, description = '' }) => termsOf(`${name} ${name} ${description}`))
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  const postings = new Map<string, Map<number, number>>()
  for (const [index, terms] of documents.entries()) {
    for (const term of terms) {
      const counts = postings.get(term) ?? new Map<number, number>()
      postings.set(term, counts.set(index, (counts.get(index) ?? 0) + 1))
    }
  }
  return (query) => {
    const scores = new Map<number, number>()
    for (const term of new Set(termsOf(query))) {
      const counts = postings.get(term)
      if (counts === undefined) continue
      const weight = Math.log(1 + (list.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [index, count] of counts) {
        const norm = K1 * (1 - B + (B * documents[index]!.length) / average)
        scores.set(index, (scores.get(index) ?? 0) + (weight * count * (K1 + 1)) / (count + norm))
      }
    }
    return [...scores].toSorted(([a, x], [b, y]) => y - x || a - b).map(([index]) => list[index]!.name)
  }
}

const K1 = 1.2
const B = 0.5

/** Lower-case words without the commonest endings, so that "forecasts" finds "forecasting". */
function termsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 1 && !COMMON.has(word))
    .map((word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|ation|ions?)$/, '') : word))
}

const COMMON = new Set(
  'a an and any are as at be by can do for from get has have how i if in into is it its me my need not of on or our out so that the their them then this to use user want we what when where which with without you your'.split(
    ' ',
  ),
)
