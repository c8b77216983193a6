import type { CatalogView } from '../../catalog/view.ts'
import { untilAborted } from '../../time-limit.ts'
import { reportIncomplete } from '../step/begin.ts'
import type { SessionParts } from '../context.ts'
import type { Lifetime } from '../lifetime.ts'
import { isFork } from '../state/state.ts'
import type { TurnMatching } from './matching.ts'

interface MatchContext extends SessionParts {
  readonly lifetime: Lifetime
  readonly view: CatalogView
}

export interface TurnMatcher {
  /** Finds them, and keeps their names in the state. */
  readonly match: (message: string, signal: AbortSignal | undefined) => Promise<void>
  /** Reads what is shown of them, where this process has not. Never rejects. */
  readonly load: () => Promise<void>
}

export function createTurnMatcher({ context, state, lifetime, view }: MatchContext): TurnMatcher {
  const { match: matching, matchedContents, search, audit, reportProblem } = context

  async function load(signal?: AbortSignal): Promise<void> {
    const { matched = [] } = state.current()
    if (matching?.content !== true) return
    await matchedContents.load(
      matched.flatMap((name) => view.find(name) ?? []),
      signal,
    )
  }

  async function matchNow({ limit = 3 }: TurnMatching, message: string, until: AbortSignal): Promise<void> {
    const { hits, diagnostics } = await untilAborted(search(message, { limit, signal: until }), until)
    reportIncomplete(diagnostics, reportProblem)
    const found = hits.map(({ name }) => name)
    state.apply({ type: 'matched', names: found })
    // Nothing runs by it and no right changes: it is not waited for.
    void audit?.record({ type: 'skills.matched', outcome: 'succeeded', active: state.current().active, found })
    await load(until)
  }

  return {
    async match(message, signal) {
      if (matching === undefined || lifetime.hasEnded() || isFork(state.current())) return
      await lifetime.runUntilEnd(signal, (until) => matchNow(matching, message, until))
    },
    load: () => load(),
  }
}
