import { parseAllowedTools } from '../manifest/index.ts'
import type { Admission } from '../ports/admission.ts'
import type { ToolRule } from '../ports/manifest.ts'
import { nearestNames } from './nearest.ts'
import { didYouMean } from './not-found.ts'
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

const KEYS = ['tools', 'withoutAllowedTools', 'scripts', 'hooks'] as const satisfies readonly (keyof Admission)[]

/**
 * Reads the option `admit`. A key that is not known is refused: one that is misspelled would admit more than it says.
 * @throws {TypeError} it does not have the shape of `Admission`, or contradicts itself
 */
export function readAdmission(options: Admission): AdmissionSettings {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(
      '`admit` is not an object. Give { tools, withoutAllowedTools, scripts, hooks }, or leave it out.',
    )
  }
  const unknown = Object.keys(options).find((key) => !(KEYS as readonly string[]).includes(key))
  if (unknown !== undefined) {
    const hint = didYouMean(nearestNames(unknown, KEYS, 1)) || ` Give ${KEYS.join(', ')}.`
    throw new TypeError(`\`admit\` has no ${quote(unknown)}.${hint}`)
  }
  const { scripts = true, hooks = true, withoutAllowedTools } = options
  for (const [key, value] of Object.entries({ scripts, hooks })) {
    if (typeof value !== 'boolean') throw new TypeError(`\`admit.${key}\` is not true or false.`)
  }
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

function readRules(key: 'tools' | 'withoutAllowedTools', rules: unknown): readonly ToolRule[] {
  if (!Array.isArray(rules) || rules.some((rule) => typeof rule !== 'string')) {
    const words = key === 'tools' ? '' : '"everything", "nothing" or '
    throw new TypeError(
      `\`admit.${key}\` is not ${words}a list of rules. Give strings such as "Read" or "Bash(git:*)".`,
    )
  }
  const result = parseAllowedTools(rules as string[])
  if (result.ok) return Object.freeze([...result.rules])
  throw new TypeError(`\`admit.${key}\` holds ${quote(result.rule)}, which ${result.problem}. ${result.hint}.`)
}
