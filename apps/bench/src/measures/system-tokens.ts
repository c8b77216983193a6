import { type ChildOptions, runChild, takeTurns } from '../run-child.ts'
import { type SystemId, SYSTEMS } from '../systems/index.ts'
import type { AddedTokens } from './added-tokens.ts'

export interface SystemRow extends Partial<AddedTokens> {
  readonly id: SystemId
  readonly title: string
  readonly role: 'own' | 'peer'
  /** Why figures are missing. */
  readonly absent?: string
}

/** Counts what skills add in each system, in a fresh process for each. */
export async function measureSystems({
  progress,
  ...child
}: ChildOptions & { readonly progress: (text: string) => void }): Promise<readonly SystemRow[]> {
  const turns = await takeTurns(Object.keys(SYSTEMS) as SystemId[], 1, (system) => {
    progress(`tokens that skills take: ${SYSTEMS[system].title}`)
    return runChild('system', system, child)
  })
  return Array.from(turns, ([id, { answers, failure: absent }]) => {
    const { title, role } = SYSTEMS[id]
    return { id, title, role, ...(absent === undefined ? answers[0] : { absent }) }
  })
}
