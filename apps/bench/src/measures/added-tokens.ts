import { estimateTokens } from '@repertoire/core'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Show } from '../systems/system.ts'
import { publishedSkills, writeSkills } from './published-skills.ts'

/** The tokens that skills add to a model's request. */
export interface AddedTokens {
  readonly ten: number
  readonly forty: number
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
