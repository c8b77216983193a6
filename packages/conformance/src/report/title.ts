/** A check's title in its parts. */
export interface TitleParts {
  /** The ids of requirements in the title, such as `GATE-1`; may be empty. */
  readonly requirements: readonly string[]
  /** The title without the ids. */
  readonly demand: string
}

/** Splits a title into its parts: `[GATE-1, GATE-7] refuses what was hidden`. */
export function titleParts(title: string): TitleParts {
  const [head, ids] = /^\[([^\]]*)\]\s*/.exec(title) ?? []
  if (head === undefined || ids === undefined) return { requirements: [], demand: title }
  return {
    requirements: ids.split(',').flatMap((id) => id.trim() || []),
    demand: title.slice(head.length),
  }
}
