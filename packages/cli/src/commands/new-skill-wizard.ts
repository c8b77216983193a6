import type { Readable, Writable } from 'node:stream'
import { isSkillError } from '@repertoire/core'
import { checkSkillName } from '@repertoire/core/stores'
import type { Context, Input } from '../context.ts'
import type { Output } from '../output/output.ts'
import { writableTo } from '../output/writable.ts'
import { UsageError } from '../usage-error.ts'
import { type NewFlags, SKILL_TYPES } from './new-skill-options.ts'

/**
 * Asks on a terminal for what is not given. Undefined: the person has ended it.
 * @throws {UsageError} something is missing, and there is no terminal to ask at
 */
export async function askNewSkill(
  name: string | undefined,
  options: NewFlags,
  context: Context,
): Promise<{ readonly name: string; readonly options: NewFlags } | undefined> {
  if (name !== undefined && options.description !== undefined) return { name, options }
  const input = context.input?.()
  if (input?.isTTY !== true || !context.stderr.isTerminal) {
    throw new UsageError('There is no terminal to ask at: give NAME and --description.')
  }
  return wizard(name, options, input, context.stderr)
}

async function wizard(given: string | undefined, options: NewFlags, input: Input, stderr: Output) {
  // Loaded here: no other command asks in this way.
  const { isCancel, select, text } = await import('@clack/prompts')
  const streams = { input: input as Readable, output: promptsOn(stderr) }
  const name = given ?? (await text({ ...streams, message: 'Name', placeholder: 'pdf-forms', validate: nameProblem }))
  if (isCancel(name)) return undefined
  const description =
    options.description ??
    (await text({
      ...streams,
      message: 'What does it do, and when is it to be used?',
      validate: (value) => (value?.trim() ? undefined : 'A model chooses it by this text.'),
    }))
  if (isCancel(description)) return undefined
  const kinds = Object.entries(SKILL_TYPES).map(([value, hint]) => ({ value: value as keyof typeof SKILL_TYPES, hint }))
  const type = options.type ?? (await select({ ...streams, message: 'Type', options: kinds }))
  if (isCancel(type)) return undefined
  const tools =
    options.tool ??
    (await text({ ...streams, message: 'Tools that it may use, with commas between (empty: any)', defaultValue: '' }))
  if (isCancel(tools)) return undefined
  const rules = typeof tools === 'string' ? splitRules(tools) : tools
  return { name, options: { ...options, description, type, ...(rules.length > 0 && { tool: rules }) } }
}

function nameProblem(value: string | undefined): string | undefined {
  try {
    checkSkillName(value)
    return undefined
  } catch (error) {
    return isSkillError(error) ? error.message : 'Use lowercase letters, digits and single hyphens.'
  }
}

/** At commas that are not between parentheses: `Read, Bash(git:*, npm:*)`. */
function splitRules(text: string): readonly string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '')
}

/** What the prompts draw on. */
function promptsOn(output: Output): Writable {
  return Object.assign(writableTo(output), { isTTY: true, columns: output.columns ?? 80, rows: 24 })
}
