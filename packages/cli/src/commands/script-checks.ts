import { createSkillExecutor, isSkillError } from '@repertoire/core'
import { checkScripts, parseSkill } from '@repertoire/core/authoring'
import type { Profile, ScriptCheck, ScriptRunner, Skill } from '@repertoire/core'
import { basename, dirname } from 'node:path'
import type { AskedRunner } from './runner-choice.ts'

/** A script, and whether it can be run here. */
export interface CheckedScript extends Omit<ScriptCheck, 'path'> {
  /** Relative to the skill's folder. Absent: the skill itself is a script. */
  readonly path?: string
  /** What would run it. Absent: it cannot be run. */
  readonly runner?: string
}

/** Says of each script of a skill, and of a skill that is one, whether a runner can run it. Nothing runs. */
export async function checkSkillScripts(
  skill: Skill,
  asked: AskedRunner,
  profile: Profile,
): Promise<readonly CheckedScript[]> {
  if ('problem' in asked) return withProblem(skill, asked.problem)
  const { runner } = asked
  const own = skill.manifest.type === 'script' ? [await checkOwn(skill, runner, profile)] : []
  let checks: readonly ScriptCheck[]
  try {
    checks = await checkScripts(skill.folder, runner)
  } catch (error) {
    if (!isSkillError(error)) throw error
    return [...own, { problem: error.message }]
  }
  return [...own, ...checks].map((check) => ({
    ...check,
    ...(check.problem === undefined && { runner: runner.name }),
  }))
}

/** All scripts of a skill where nothing can run them. */
async function withProblem({ manifest, folder }: Skill, problem: string): Promise<readonly CheckedScript[]> {
  const own = manifest.type === 'script' ? [{ problem }] : []
  try {
    return [...own, ...(await checkScripts(folder)).map((check) => ({ ...check, problem: check.problem ?? problem }))]
  } catch (error) {
    if (!isSkillError(error)) throw error
    return [...own, { problem: error.message }]
  }
}

/** Whether a skill has scripts, or is one. */
export async function hasScripts({ manifest, folder }: Skill): Promise<boolean> {
  if (manifest.type === 'script') return true
  try {
    return (await checkScripts(folder)).length > 0
  } catch (error) {
    if (!isSkillError(error)) throw error
    return false
  }
}

/** The script that stands in the SKILL.md. */
async function checkOwn({ name, folder, path }: Skill, runner: ScriptRunner, profile: Profile): Promise<CheckedScript> {
  try {
    const place = { path, fileName: basename(path), folderName: basename(dirname(path)), profile }
    const { definition } = await parseSkill(await folder.readManifest(), place)
    if (definition === undefined) return { problem: 'Its SKILL.md has become invalid.' }
    const failure = await createSkillExecutor({ runner }).check({ name, definition })
    return failure === undefined ? {} : { problem: failure.reason }
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { problem: error.message }
  }
}
