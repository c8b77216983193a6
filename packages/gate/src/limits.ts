/** Lengths in UTF-16 units. What is longer is not read: nothing allows it, and whatever is denied may be in it. */
export const MAX_PATTERN_CHARS = 1_000
export const MAX_PATH_CHARS = 4_096
export const MAX_URL_CHARS = 8_000
export const MAX_COMMAND_CHARS = 10_000
export const MAX_TEXT_CHARS = 10_000

/** Paths that the arguments of one call may give together. */
export const MAX_CALL_PATHS = 5_000

/** Letters of a call's paths that are compared with protected files. A call with more may reach any of them. */
export const MAX_CALL_CHARS = 50_000

/** The number of words that a pattern may match. One that matches more may match anything. */
export const MAX_EXPANSIONS = 100

/** Rules of each list that are compared to tell what several lists allow together. A refusal shows no more of them. */
export const MAX_COMPARED_RULES = 100

/** Rules that one refusal lists by name. */
export const MAX_LISTED_RULES = 20

export function isLongerThan(chars: number): string {
  return `is longer than ${chars.toLocaleString('en-US')} characters`
}
