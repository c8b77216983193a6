import { ASPECTS } from './aspects.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'

/** What a driver may list as known: a scenario, an aspect of one, or an aspect of all. */
export function knowable(scenarios: readonly Scenario[] = []): readonly { readonly id: string }[] {
  const ids = [...SCENARIOS, ...scenarios].map(({ id }) => id)
  const cells = ASPECTS.flatMap((aspect) => [...ids, '*'].map((id) => `${id}/${aspect.id}`))
  return [...ids, ...cells].map((id) => ({ id }))
}
