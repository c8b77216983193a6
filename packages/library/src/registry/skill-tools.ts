import {
  type ExecutionOutcome,
  type FunctionTool,
  type Outcome,
  type ScriptFile,
  type Session,
  showName,
  SkillError,
  type SkillExecutor,
  type SkillStore,
  type StoredSkill,
  type ToolDefinition,
} from '@repertoire/core'
import { adapterSession, skillToolsOf } from '@repertoire/core/adapter'

/** A tool of a stored skill, and what carries its calls out. */
export interface SkillTool extends FunctionTool {
  /** @throws {TypeError} a tool of a session was called without a `callId`, which every call there has of its own */
  execute(
    input: unknown,
    options?: { readonly callId: string; readonly signal?: AbortSignal },
  ): Promise<ExecutionOutcome | Outcome>
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
    async execute(input, { signal } = { callId: '' }) {
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

/** Binds a tool to a session: a call activates the skill there, with its consent, its rules and its audit. */
export function boundToSession(tool: LoadedTool, session: Session, activateTool: string): SkillTool {
  return {
    ...tool.definition,
    async execute(input, options) {
      const { callId, signal } = (options ?? {}) as Partial<NonNullable<typeof options>>
      if (typeof callId !== 'string' || callId === '') {
        const message = `Call "${tool.definition.name}" with { callId }: a text that no other call of the session has.`
        throw new TypeError(message)
      }
      const byName = adapterSession(session).toolName(activateTool)
      const args = tool.takesParameters ? { args: input } : argsOf(input)
      const call =
        byName === undefined
          ? { id: callId, tool: tool.definition.name, input }
          : { id: callId, tool: byName, input: { name: tool.skill, ...args } }
      return session.call(call, () => notCarriedOut(call.tool), { signal })
    },
  }
}

/** @throws {TypeError} always: a session carries out its own tools itself */
function notCarriedOut(tool: string): never {
  const message = `The session takes "${tool}" for a tool of the host. Do not pass the names of skill tools to \`session.step\`; set \`activateTool\` where the repertoire has another name for it.`
  throw new TypeError(message)
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
