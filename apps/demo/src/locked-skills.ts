import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { verifySkills } from '@repertoire/library'
import type { VerifiedSkill } from '@repertoire/library'
import { UsageError } from 'repertoire/terminal'

/** The folder with the skills of the demo, in `skills`, and the lock beside them. */
export const LOCKED_PROJECT = join(
  dirname(fileURLToPath(import.meta.resolve('@repertoire/conformance/package.json'))),
  'fixtures',
)

/**
 * Compares the skills of the demo with their lock, file by file.
 * @returns how many there are
 * @throws {UsageError} one is not as the lock has it: nothing is played then
 */
export async function verifyLockedSkills(project: string = LOCKED_PROJECT): Promise<number> {
  const { ok, skills } = await verifySkills({ project, folder: 'skills' })
  if (ok && skills.length > 0) return skills.length
  const found = skills.filter(({ state }) => state !== 'unchanged').map(differenceOf)
  throw new UsageError(
    `The skills in ${project} differ from skills-lock.json: ${found.join('; ') || 'there are none'}. Restore them, or run "npm run lock-skills" if you meant the change.`,
  )
}

function differenceOf({ name, state, edited, added, missing, mode }: VerifiedSkill): string {
  const files = [...edited, ...added, ...missing, ...mode]
  return `${name} is ${state}${files.length === 0 ? '' : ` (${files.join(', ')})`}`
}
