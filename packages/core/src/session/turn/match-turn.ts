import type { CatalogView } from '../../catalog/view.ts'
import { type Skill, shownValue } from '@repertoire/skill-md/internal'
import { TIMED_OUT, waitFor } from '../../time-limit.ts'
import { reportIncomplete } from '../step/begin.ts'
import type { SessionParts } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import { failureReason } from '../refusal.ts'
import { isFork } from '../state/state.ts'
import type { MatchRequest, ResolvedMatching } from './matching.ts'

/** What a message is matched with. */
interface MatchContext extends SessionParts {
  readonly lifetime: Lifetime
  readonly view: CatalogView
}

/** How the skills that fit a person's messages are found. */
export interface TurnMatcher {
  /** Finds them, and keeps their names in the state. What fails is reported, and those of the message before stay. */
  readonly match: (message: string, signal: AbortSignal | undefined) => Promise<void>
  /** Reads what is shown of them, where this process has not. Never rejects. */
  readonly load: () => Promise<void>
}

/** How long a message waits for what fits it. */
const MATCH_TIMEOUT_MS = 10_000

/** Creates the matcher of one session. */
export function createTurnMatcher({ context, state, lifetime, view }: MatchContext): TurnMatcher {
  const { match: matching, matchedContents, search, audit, reportProblem } = context

  async function find({ find: own }: ResolvedMatching, request: MatchRequest): Promise<unknown> {
    if (own !== undefined) return own(request)
    const { message, limit, signal } = request
    const { hits, diagnostics } = await search(message, { limit, signal })
    reportIncomplete(diagnostics, reportProblem)
    return hits.map(({ name }) => name)
  }

  async function load(signal?: AbortSignal): Promise<void> {
    const { matched, granted } = state.current()
    if (typeof matching !== 'object' || matching.content === 'none' || matched === undefined) return
    const skills = matched.flatMap((name): readonly Skill[] => {
      const skill = view.find(name)
      return skill === undefined ? [] : [skill]
    })
    // Unread, it could not be shown: nobody has agreed to it.
    const shown =
      matching.content === 'all' ? skills : skills.filter(({ name }) => granted.some(({ skill }) => skill === name))
    await matchedContents.load(shown, granted, signal)
  }

  async function matchNow(options: ResolvedMatching, message: string, until: AbortSignal): Promise<void> {
    const giveUp = new AbortController()
    const signal = AbortSignal.any([until, giveUp.signal])
    const { limit } = options
    try {
      const finding = find(options, { message, skills: [...view.list()], limit, signal })
      const names = await waitFor(finding, MATCH_TIMEOUT_MS, until)
      until.throwIfAborted()
      if (names === TIMED_OUT) throw new Error(`it did not answer within ${MATCH_TIMEOUT_MS} ms`)
      if (!Array.isArray(names))
        throw new Error(`it gave ${shownValue(names)}. It must give a list of the names of skills`)
      const visible = (names as readonly string[]).filter((name) => view.find(name) !== undefined)
      const found = [...new Set(visible)].slice(0, limit)
      state.apply({ type: 'matched', names: found })
      // Nothing runs by it and no right changes: it is not waited for.
      void audit?.record({ type: 'skills.matched', outcome: 'succeeded', active: state.current().active, found })
      await load(until)
    } catch (error) {
      until.throwIfAborted()
      reportProblem({
        code: 'MATCH_FAILED',
        message: `What fits a message was not found: ${failureReason(error)}. The skills of the message before stay.`,
        cause: error,
      })
    } finally {
      giveUp.abort()
    }
  }

  return {
    async match(message, signal) {
      if (typeof matching !== 'object' || lifetime.hasEnded() || isFork(state.current())) return
      await lifetime.runUntilEnd(signal, (until) => matchNow(matching, message, until))
    },
    load: () => load(),
  }
}
