import {
  type ExecutionOutcome,
  type FunctionTool,
  type ScriptFile,
  showName,
  SkillError,
  type SkillExecutor,
  type SkillFolder,
  type SkillStore,
  type StoredSkill,
} from '@repertoire/core'
import { skillToolsOf } from '@repertoire/core/adapter'
import { readFiles } from '../lock/pin.ts'

/** A tool of a stored skill, and what carries its calls out. */
export interface SkillTool extends FunctionTool {
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<ExecutionOutcome>
}

/**
 * Returns the tools of stored skills, in the order given. A call reads the skill as it is stored then, and executes it
 * by its type.
 */
export function skillTools(
  skills: readonly StoredSkill[],
  store: SkillStore,
  executor: SkillExecutor,
): readonly SkillTool[] {
  const listed = skills.map(({ name, manifest, folder }) => ({ name, manifest, path: `${folder.location}/SKILL.md` }))
  return skillToolsOf(listed).map((definition, index) => {
    const { name: skill, manifest: declared } = listed[index]!
    /** Whether the input is the skill's parameters, and not the text `args`. */
    const takesParameters = declared.type !== 'instruction' && declared.parameters !== undefined
    return {
      ...definition,
      async execute(input, { signal } = {}) {
        const { name, manifest, definition: stored, folder } = await store.get(skill)
        if (manifest.status !== 'active') {
          const message = `The skill "${showName(name)}" was not executed: its status is "${manifest.status}". Activate it in the registry first.`
          throw new SkillError('SKILL_NOT_FOUND', message, { nearest: [] })
        }
        const problem = takesParameters ? undefined : argsProblem(input)
        if (problem !== undefined) {
          const reason = `The skill "${showName(name)}" was not executed: ${problem}.`
          return { ok: false, code: 'INPUT_INVALID', reason }
        }
        const args = { ...(stored.type === 'instruction' && { args: '' }), ...(input as object | undefined) }
        const files = stored.type === 'script' ? { files: await scriptFiles(folder) } : {}
        return executor.execute({
          name,
          definition: stored,
          parameters: manifest.parameters,
          signal,
          input: takesParameters ? input : args,
          ...files,
        })
      },
    }
  })
}

/** Why an input is not that of a skill without parameters, as the end of a sentence. */
function argsProblem(input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined
  const isObject = typeof input === 'object' && !Array.isArray(input)
  const other = isObject ? Object.keys(input).find((key) => key !== 'args') : undefined
  if (other !== undefined) return `it has no parameter "${showName(other)}", only \`args\`, a text`
  const isText = isObject && ['string', 'undefined'].includes(typeof (input as { readonly args?: unknown }).args)
  return isText ? undefined : 'its input is an object with `args`, a text'
}

async function scriptFiles(folder: SkillFolder): Promise<readonly ScriptFile[]> {
  const { files } = await readFiles(folder)
  return [...files].map(([path, { bytes, executable = false }]) => ({ path, bytes, executable }))
}
