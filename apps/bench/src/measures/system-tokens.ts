import { estimateTokens } from '@repertoire/core'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChildOptions, runChild, takeTurns } from '../run-child.ts'
import { type SystemId, SYSTEMS } from '../systems/index.ts'
import type { Show } from '../systems/system.ts'
import { publishedSkills, writeSkills } from './published-skills.ts'

/** The tokens that skills add to a model's request. */
export interface AddedTokens {
  readonly ten: number
  readonly forty: number
}

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

/** Counts what ten and forty skills add, by core's estimate of the JSON of the prompt and the tools. */
export async function countAdded(show: Show): Promise<AddedTokens> {
  const [none, ten, forty] = [await countShown(show, 0), await countShown(show, 10), await countShown(show, 40)]
  return { ten: ten - none, forty: forty - none }
}

async function countShown(show: Show, count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-bench-skills-'))
  try {
    const skills = publishedSkills(count)
    writeSkills(folder, skills)
    const { prompt, tools } = await show(skills, folder)
    return tokensOf(prompt) + tokensOf(tools)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value))
}
