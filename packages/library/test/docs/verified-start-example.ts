import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { verifySkills } from '@repertoire/library'

/** Opens the skills of a project if every file is as its lock has it. */
export async function openVerified(project: string) {
  const { ok, skills } = await verifySkills({ project })
  if (!ok) {
    const changed = skills.filter(({ state }) => state !== 'unchanged').map(({ name, state }) => `${name}: ${state}`)
    throw new Error(`The skills differ from the lock. ${changed.join(', ')}`)
  }
  return openRepertoire({ sources: [directorySource({ root: `${project}/.agents/skills` })] })
}
