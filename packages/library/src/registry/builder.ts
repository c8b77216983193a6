import { showName, SkillError } from '@repertoire/core'
import {
  anyText,
  checkOptions,
  flag,
  listOf,
  recordOf,
  anything,
  required,
  tableOf,
  text,
} from '@repertoire/core/options'
import type { NewSkill } from './new-skill.ts'

/** A call of a tool, as an agent has made it. */
export interface ToolExecution {
  readonly tool: string
  /** Default none. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Default true. A call that failed is not a step. */
  readonly ok?: boolean
  /** What the step is for. */
  readonly description?: string
}

const CALLS = listOf(
  tableOf<ToolExecution>({
    tool: required(text),
    parameters: recordOf(anything, 'an object of parameters'),
    ok: flag,
    description: anyText,
  }),
)

/** Who made a skill that was built here. */
const BUILDER = 'builder'

/** What a plan would take for the result of a step, or for the braces themselves. */
const READ_BY_PLANS = /\{\{(?=\s*(?:steps\.|'\{\{'))/g

/**
 * Builds a composite skill of what an agent has done: the calls that succeeded, in their order, with the parameters that
 * they had, also where they hold text such as `{{ steps.x.result }}`. A call that was repeated is a step each time, since only its author knows whether it has to be.
 * @throws {SkillError} MANIFEST_INVALID: no call succeeded
 * @throws {TypeError} a call has an unknown property, or one of the wrong type
 */
export function buildFromSteps(name: string, description: string, executions: readonly ToolExecution[]): NewSkill {
  checkOptions<{ executions: typeof executions }>('buildFromSteps', { executions: required(CALLS) }, { executions })
  const steps = executions
    .filter(({ ok = true }) => ok)
    .map(({ tool, parameters = {}, description: purpose }) => ({
      tool,
      parameters: copied(name, tool, parameters),
      ...(purpose !== undefined && { description: purpose }),
    }))
  if (steps.length === 0) {
    const message = `The skill "${name}" is not built: none of its ${executions.length} calls succeeded. Give at least one that did.`
    throw new SkillError('MANIFEST_INVALID', message)
  }
  return { name, description, type: 'composite', definition: { steps }, createdBy: BUILDER }
}

/** @throws {SkillError} MANIFEST_INVALID: they hold a function or the like, which no file can */
function copied(
  name: string,
  tool: string,
  parameters: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  try {
    return literal(structuredClone(parameters)) as Readonly<Record<string, unknown>>
  } catch (cause) {
    const message = `The skill "${showName(name)}" is not built: the parameters of ${showName(tool)} hold what cannot be written. Pass plain data.`
    throw new SkillError('MANIFEST_INVALID', message, { cause })
  }
}

/** Returns a copy whose texts a plan returns as they are: what looks like the result of a step was a text of the call. */
function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(READ_BY_PLANS, "{{ '{{' }}")
  if (Array.isArray(value)) return value.map(literal)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, literal(each)]))
}

/** Builds a script skill. @param language as its interpreter is named, such as `python`. Default: `sh` runs it */
export function buildScript(name: string, description: string, script: string, language?: string): NewSkill {
  const definition = { script, ...(language !== undefined && { language }) }
  return { name, description, type: 'script', definition, createdBy: BUILDER }
}

/**
 * Builds a skill of instructions.
 * @param source where they come from, an address; empty: they are local. With one, they were created by import
 */
export function buildInstructionSkill(name: string, description: string, content: string, source = ''): NewSkill {
  const origin = source === '' ? { createdBy: BUILDER } : { source, createdBy: 'import' }
  return { name, description, type: 'instruction', definition: { content }, ...origin }
}
