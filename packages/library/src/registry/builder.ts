import { SkillError } from '@repertoire/core'
import {
  anyText,
  checkOptions,
  flag,
  listOf,
  recordOf,
  anything,
  type OptionTable,
  required,
  tableOf,
  text,
} from '@repertoire/core/options'
import type { NewSkill } from './new-skill.ts'

/** A call of a tool, as an agent has made it. */
export interface ToolExecution {
  readonly tool: string
  /** The parameters of the call. Default: none. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Whether the call succeeded. A call that failed is not a step. Default true. */
  readonly ok?: boolean
  /** What the step is for. */
  readonly description?: string
}

/** What every skill that is built here has. */
interface BuiltSkillOptions {
  readonly name: string
  readonly description: string
}

/** Options of `compositeSkill`. */
export interface CompositeSkillOptions extends BuiltSkillOptions {
  /** The calls that an agent has made, in their order. */
  readonly executions: readonly ToolExecution[]
}

/** Options of `scriptSkill`. */
export interface ScriptSkillOptions extends BuiltSkillOptions {
  /** The text of the script. */
  readonly script: string
  /** As its interpreter is named, such as `python`. Default: `sh` runs it. */
  readonly language?: string | undefined
}

/** Options of `instructionSkill`. */
export interface InstructionSkillOptions extends BuiltSkillOptions {
  /** The instructions, as Markdown. */
  readonly content: string
  /** The address that they come from. Such a skill was created by `import`. Default: they are local. */
  readonly source?: string | undefined
}

// What is wrong with a name or a description, the registry says when it creates the skill.
const BUILT = { name: required(anyText), description: required(anyText) } as const

const COMPOSITE_OPTIONS: OptionTable<CompositeSkillOptions> = {
  ...BUILT,
  executions: required(
    listOf(
      tableOf<ToolExecution>({
        tool: required(text),
        parameters: recordOf(anything, 'an object of parameters'),
        ok: flag,
        description: anyText,
      }),
    ),
  ),
}

const SCRIPT_OPTIONS: OptionTable<ScriptSkillOptions> = { ...BUILT, script: required(anyText), language: anyText }

const INSTRUCTION_OPTIONS: OptionTable<InstructionSkillOptions> = {
  ...BUILT,
  content: required(anyText),
  source: anyText,
}

/** Who made a skill that was built here. */
const BUILDER = 'builder'

/**
 * Builds a composite skill from the calls that an agent has made. Calls that succeeded become steps, in their order.
 * Parameters stay as they were. A repeated call is a step each time.
 * @throws {SkillError} MANIFEST_INVALID: no call succeeded
 * @throws {TypeError} an option or a property of a call is unknown, or has the wrong type
 */
export function compositeSkill(options: CompositeSkillOptions): NewSkill {
  checkOptions('compositeSkill', COMPOSITE_OPTIONS, options)
  const { name, description, executions } = options
  const steps = executions
    .filter(({ ok = true }) => ok)
    .map(({ tool, parameters = {}, description: purpose }) => ({ tool, parameters, description: purpose }))
  if (steps.length === 0) {
    const message = `The skill "${name}" is not built: none of its ${executions.length} calls succeeded. Give at least one that did.`
    throw new SkillError('MANIFEST_INVALID', message)
  }
  return { name, description, type: 'composite', definition: { steps }, createdBy: BUILDER }
}

/** Builds a skill that is one script. @throws {TypeError} an option is unknown, or has the wrong type */
export function scriptSkill(options: ScriptSkillOptions): NewSkill {
  checkOptions('scriptSkill', SCRIPT_OPTIONS, options)
  const { name, description, script, language } = options
  return { name, description, type: 'script', definition: { script, language }, createdBy: BUILDER }
}

/** Builds a skill of instructions. @throws {TypeError} an option is unknown, or has the wrong type */
export function instructionSkill(options: InstructionSkillOptions): NewSkill {
  checkOptions('instructionSkill', INSTRUCTION_OPTIONS, options)
  const { name, description, content, source = '' } = options
  const origin = source === '' ? { createdBy: BUILDER } : { source, createdBy: 'import' }
  return { name, description, type: 'instruction', definition: { content }, ...origin }
}
