/**
 * A detail of a list that costs tokens and says nothing about what a skill is for: white space around its parts, the
 * names once more as the `enum` of the activation tool, what the tool of a single skill takes where that is any text, and
 * the path of each SKILL.md, which no tool asks for.
 */
export type ListingDetail = 'white-space' | 'enumeration' | 'arguments' | 'locations'

/** The details that a list has. */
export type ListForm = ReadonlySet<ListingDetail>

/** Every detail: the form of a list that has room. */
export const WHOLE_FORM: ListForm = new Set<ListingDetail>(['white-space', 'enumeration', 'arguments', 'locations'])

/**
 * Returns the forms of a list from the one without details to the whole one.
 * @param details those that it can do without, the first to go first
 */
export function formsOf(details: readonly ListingDetail[]): readonly ListForm[] {
  return Array.from({ length: details.length + 1 }, (_, kept) => {
    const dropped = details.slice(0, details.length - kept)
    return new Set([...WHOLE_FORM].filter((detail) => !dropped.includes(detail)))
  })
}
