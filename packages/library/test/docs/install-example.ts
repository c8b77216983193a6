import { applyPlan, planAdd, planInstall, resolveOrigin } from '@repertoire/library'
import type { InstallPlan } from '@repertoire/library'

/** Adds skills to a project, if whoever is asked agrees to what they ask for. */
export async function addSkills(project: string, from: string, agrees: (plan: InstallPlan) => Promise<boolean>) {
  const plan = await planAdd({ project, origins: [await resolveOrigin(from, { cwd: project })] })
  if (plan.brings && !(await agrees(plan))) return undefined
  return applyPlan(plan)
}

/** Brings the skills of a project to what its lock says, before an agent starts. What differs is an error. */
export async function restoreSkills(project: string) {
  return applyPlan(await planInstall({ project, frozen: true }))
}
