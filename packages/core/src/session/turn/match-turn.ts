import type { CatalogView } from '../../catalog/view.ts'
import { untilAborted } from '../../time-limit.ts'
import { reportIncomplete } from '../step/begin.ts'
import type { SessionParts } from '../context.ts'
import { isFork } from '../state/state.ts'

type Matching = SessionParts & { readonly view: CatalogView }

/** Finds the skills that fit a person's message, and keeps their names in the state. */
export async function matchTurn(session: Matching, message: string, signal: AbortSignal | undefined): Promise<void> {
  const { context, state, lifetime } = session
  if (context.match === undefined || lifetime.hasEnded() || isFork(state.current())) return
  const { limit = 3 } = context.match
  await lifetime.runUntilEnd(signal, async (until) => {
    const { hits, diagnostics } = await untilAborted(context.search(message, { limit, signal: until }), until)
    reportIncomplete(diagnostics, context.reportProblem)
    const found = hits.map(({ name }) => name)
    state.apply({ type: 'matched', names: found })
    // Nothing runs by it and no right changes: it is not waited for.
    void context.audit?.record({ type: 'skills.matched', outcome: 'succeeded', active: state.current().active, found })
    await loadMatched(session, until)
  })
}

/** Reads what is shown of them, where this process has not. Never rejects. */
export async function loadMatched({ context, state, view }: Matching, signal?: AbortSignal): Promise<void> {
  const { matched = [] } = state.current()
  if (context.match?.content !== true) return
  await context.matchedContents.load(
    matched.flatMap((name) => view.find(name) ?? []),
    signal,
  )
}
