import { type Skill, shownValue } from '@repertoire/skill-md/internal'

/** A person's message, and the skills that it may be about. */
export interface MatchRequest {
  readonly message: string
  /** What the session may see, by name. */
  readonly skills: readonly Skill[]
  /** Names beyond this number are ignored. */
  readonly limit: number
  /** Aborts where the answer is no longer waited for. */
  readonly signal: AbortSignal
}

/** How the skills that fit a person's message are found, once for each, and what is shown of them. */
export interface TurnMatching {
  /** The most skills that are shown for a message, 1 or more. Default 3. */
  readonly limit?: number
  /** Returns the names of those that fit, best first. Default: a search for the message. */
  readonly find?: (request: MatchRequest) => readonly string[] | PromiseLike<readonly string[]>
  /**
   * Whose instructions stand in their sections: `agreed`, of skills whose folder was consented to in this session as it is
   * now; `all`, with which the host itself consents to reading every skill that the session may see; or `none`. What is
   * shown is not activated either way: its rules do not hold, and its hooks do not run. Default `agreed`.
   */
  readonly content?: MatchedContent
}

/** Whose instructions a section shows, see `TurnMatching`. */
export type MatchedContent = 'agreed' | 'all' | 'none'

/** The same with its defaults. */
export type ResolvedMatching = Required<Omit<TurnMatching, 'find'>> & Pick<TurnMatching, 'find'>

const CONTENTS: readonly MatchedContent[] = ['agreed', 'all', 'none']
const MAX_MATCHED = 3

/** @throws {TypeError} a limit below 1, an unknown kind of content, or a `find` that cannot be called */
export function resolveMatching(matching: TurnMatching): ResolvedMatching {
  const { limit = MAX_MATCHED, content = 'agreed', find } = matching
  if (!Number.isInteger(limit) || limit < 1) {
    throw new TypeError(`\`match.limit\` is ${shownValue(limit)}. Give a whole number, 1 or more.`)
  }
  if (!CONTENTS.includes(content)) {
    throw new TypeError(`\`match.content\` is ${shownValue(content)}. Give one of ${CONTENTS.join(', ')}.`)
  }
  if (find !== undefined && typeof find !== 'function') {
    throw new TypeError(`\`match.find\` is ${shownValue(find)}. Give a function, or leave it out.`)
  }
  return { limit, content, ...(find !== undefined && { find }) }
}
