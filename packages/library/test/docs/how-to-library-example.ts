import { applyPlan, openFileStore, planAdd, resolveOrigin, verifySkills } from '@repertoire/library'

export async function createSkill(root: string) {
  const store = await openFileStore({ root })
  await store.save({ manifest: { name: 'release-notes', description: 'Writes release notes.' }, body: 'Be brief.' })
}

export async function installSkills(project: string, from: string) {
  const plan = await planAdd({ project, origins: [await resolveOrigin(from, { cwd: project })] })
  return (await applyPlan(plan)).written
}

export async function findChanged(project: string) {
  const { skills } = await verifySkills({ project })
  return skills.filter(({ state }) => state !== 'unchanged').map(({ name }) => name)
}
