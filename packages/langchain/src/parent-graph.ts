import { Command, isCommand } from '@langchain/langgraph'
import type { SessionProblem } from '@repertoire/core'
import type { AdapterSession } from '@repertoire/core/adapter'
import type { Runtime } from 'langchain'

/**
 * Whether an agent keeps nothing after its run: it is a part of another graph, whose checkpointer stores what such an
 * agent needs to go on under an id of its task, see `checkpointer` of `createAgent`.
 */
export function isPartOfRun({ configurable }: Pick<Runtime, 'configurable'>): boolean {
  const { checkpoint_ns: place = '' } = (configurable ?? {}) as { readonly checkpoint_ns?: string }
  // The last part is the node of the hook itself.
  return place
    .split('|')
    .slice(0, -1)
    .some((part) => part.includes(':'))
}

/** Whether a tool hands over to another agent of the graph that this one is a node of. */
export function isHandOff(value: unknown): boolean {
  return isCommand(value) && value.graph === Command.PARENT
}

/** @throws {Error} the agent that takes over would not be restricted by skills that restrict this one */
export function checkHandOff({ state: { active } }: AdapterSession): void {
  const restricting = active.filter(({ rules, denied, shownMode }) => (rules ?? denied) && shownMode === undefined)
  if (restricting.length === 0) return
  throw new Error(
    `This hands over to another agent, which the restrictions of ${namesOf(restricting)} would not bind. Deactivate what is active first, then hand over.`,
  )
}

export function endedWithRun(skills: readonly string[]): SessionProblem {
  return {
    code: 'SKILL_DEACTIVATED',
    message: `${namesOf(skills.map((name) => ({ name })))}: deactivated at the end of the run. The agent is a part of another graph and keeps no state of its own. With \`createAgent({ checkpointer: true })\` the skills of such an agent stay active from run to run.`,
  }
}

function namesOf(skills: readonly { readonly name: string }[]): string {
  return skills.map(({ name }) => JSON.stringify(name)).join(', ')
}
