import { parseAllowedTools } from '../manifest/index.ts'
import type { Admission } from '../ports/admission.ts'
import type { ToolRule } from '../ports/manifest.ts'
import { quote } from '../text/quote.ts'

/** A checked `Admission`, with its defaults. */
export interface AdmissionSettings {
  /** Undefined: any. */
  readonly tools: readonly ToolRule[] | undefined
  /** What a skill without `allowed-tools` gets. Undefined: everything. */
  readonly given: readonly ToolRule[] | undefined
  readonly scripts: boolean
  readonly hooks: boolean
}

/**
 * Reads the option `admit`, whose shape is checked.
 * @throws {TypeError} a rule cannot be read, or the option contradicts itself
 */
export function readAdmission(options: Admission): AdmissionSettings {
  const { scripts = true, hooks = true, withoutAllowedTools } = options
  const tools = options.tools === undefined ? undefined : readRules('tools', options.tools)
  return { tools, given: readGiven(withoutAllowedTools, tools), scripts, hooks }
}

function readGiven(
  without: Admission['withoutAllowedTools'],
  tools: readonly ToolRule[] | undefined,
): readonly ToolRule[] | undefined {
  if (without === undefined) return tools
  if (without === 'nothing') return []
  if (without !== 'everything') return readRules('withoutAllowedTools', without)
  if (tools === undefined) return undefined
  throw new TypeError(
    '`admit.withoutAllowedTools` is "everything", and `admit.tools` is a list: a skill would get more by naming nothing. Leave one of the two out.',
  )
}

function readRules(key: 'tools' | 'withoutAllowedTools', rules: readonly string[]): readonly ToolRule[] {
  const result = parseAllowedTools(rules)
  if (result.ok) return Object.freeze([...result.rules])
  throw new TypeError(`\`admit.${key}\` holds ${quote(result.rule)}, which ${result.problem}. ${result.hint}.`)
}
