import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { readSkillsLock, verifySkills } from '@repertoire/library'

/** Opens the skills of a project if every file is as its lock has it. */
export async function openVerified(project: string) {
  const folder = `${project}/.agents/skills`
  const { ok, skills } = await verifySkills({ lock: await readSkillsLock(project), folder })
  if (!ok) {
    const changed = skills.filter(({ state }) => state !== 'unchanged').map(({ name, state }) => `${name}: ${state}`)
    throw new Error(`The skills are not as the lock has them. ${changed.join(', ')}`)
  }
  return openRepertoire({ sources: [directorySource({ root: folder, layer: 'project' })] })
}
