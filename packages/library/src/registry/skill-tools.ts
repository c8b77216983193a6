import {
  type ExecutionOutcome,
  type FunctionTool,
  type ScriptFile,
  showName,
  SkillError,
  type SkillExecutor,
  type SkillStore,
  type StoredSkill,
  type ToolDefinition,
} from '@repertoire/core'
import { skillToolsOf } from '@repertoire/core/adapter'

/** A tool of a stored skill, and what carries its calls out. */
export interface SkillTool extends FunctionTool {
  execute(input: unknown, options?: { readonly signal?: AbortSignal }): Promise<ExecutionOutcome>
}

/** The declaration of a stored skill's tool. */
export interface LoadedTool {
  readonly skill: string
  readonly definition: ToolDefinition
  /** Whether the input of the tool is the skill's parameters, and not the text `args`. */
  readonly takesParameters: boolean
}

/** Declares the tools of stored skills, in the order given. */
export function loadedTools(skills: readonly StoredSkill[]): readonly LoadedTool[] {
  const listed = skills.map(({ name, manifest, folder }) => ({ name, manifest, path: `${folder.location}/SKILL.md` }))
  return skillToolsOf(listed).map((definition, index) => {
    const { name, manifest } = listed[index]!
    const takesParameters = manifest.type !== 'instruction' && manifest.parameters !== undefined
    return { skill: name, definition, takesParameters }
  })
}

/** Binds a tool to an executor: a call reads the skill as it is stored then, and executes it by its type. */
export function boundToExecutor(tool: LoadedTool, store: SkillStore, executor: SkillExecutor): SkillTool {
  return {
    ...tool.definition,
    async execute(input, { signal } = {}) {
      const { name, manifest, definition, folder } = await store.get(tool.skill)
      if (manifest.status !== 'active') {
        const message = `The skill "${showName(name)}" was not executed: its status is "${manifest.status}". Activate it in the registry first.`
        throw new SkillError('SKILL_NOT_FOUND', message, { nearest: [] })
      }
      const problem = tool.takesParameters ? undefined : argsProblem(input)
      if (problem !== undefined) {
        return {
          ok: false,
          code: 'INPUT_INVALID',
          reason: `The skill "${showName(name)}" was not executed: ${problem}.`,
        }
      }
      const args = { ...(definition.type === 'instruction' && { args: '' }), ...argsOf(input) }
      const given = { input: tool.takesParameters ? input : args }
      const files = definition.type === 'script' ? { files: await filesOf(folder) } : {}
      return executor.execute({ name, definition, parameters: manifest.parameters, signal, ...given, ...files })
    },
  }
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

function argsOf(input: unknown): { readonly args?: string } {
  const { args } = (input ?? {}) as { readonly args?: unknown }
  return typeof args === 'string' ? { args } : {}
}

async function filesOf(folder: StoredSkill['folder']): Promise<readonly ScriptFile[]> {
  const { files, withheld } = await folder.list()
  const read: ScriptFile[] = []
  for (const { path, executable } of [...files, ...withheld.files]) {
    read.push({ path, executable, bytes: await folder.read(path, { withheld: true }) })
  }
  return read
}
