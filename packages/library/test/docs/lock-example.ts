import { skillFolder } from '@repertoire/core/node'
import { changeSkillsLock, pinSkill, verifySkills } from '@repertoire/library'

/** Writes down what a skill's folder holds now, beside where it came from. */
export async function lockSkill(project: string, name: string, commit: string) {
  const pin = await pinSkill(skillFolder(`${project}/.agents/skills/${name}`), commit)
  const origin = { source: 'example/skills', sourceType: 'github', ref: 'main' }
  await changeSkillsLock(project, (skills) => void skills.set(name, { ...origin, ...pin }))
}

/** Returns the names of skills that differ from the lock. */
export async function changedSkills(project: string) {
  const { skills } = await verifySkills({ project })
  return skills.filter(({ state }) => state !== 'unchanged').map(({ name }) => name)
}
