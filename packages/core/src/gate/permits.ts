import { type ArgumentValue, argumentNames, argumentValues, toolArgument, type ToolArguments } from './arguments.ts'
import { deniesWhole, findDenial } from './deny/deny.ts'
import { type Comparison, type Mismatch, tellingMismatch } from './mismatch.ts'
import { comparePath } from './path.ts'
import type { Policy, RuleList } from './policy.ts'
import { compareText } from './text.ts'
import { namesTool } from './tool-name.ts'
import { compareUrl } from './url.ts'
import { listRules, quote, ruleText, shown } from './wording.ts'

/** What a judgement needs to know of its surroundings. */
export interface GateContext {
  /** Made by `mergeToolArguments`. */
  readonly toolArguments: ToolArguments
  /** The absolute folder that relative paths are taken against. */
  readonly cwd?: string | undefined
}

/** The part of a call that is judged. */
export interface GatedCall {
  readonly tool: string
  readonly input: unknown
}

/**
 * The answer. Where it is no: who refuses first, the host before the lowest skill, and the reason as the model is told
 * it; with all of their rules, where it is they that do not permit the call.
 */
export type Verdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false
      readonly reason: string
      readonly allowedTools?: string[]
      /** Absent: the host. */
      readonly skill?: string
    }

/**
 * Whether a policy permits a call, by the call's arguments. A rule without a pattern permits every call of its tool; a
 * rule with one permits a call where every argument that its pattern speaks of is covered, and at least one is there.
 * `Tool(*)` is the whole tool, but for paths, where it is every file right in the working folder.
 *
 * Only what is declared in `toolArguments` is looked at: where a tool has other arguments that matter (an environment,
 * a working folder), its host has to mind them.
 */
export async function permits(policy: Policy, call: GatedCall, context: GateContext): Promise<Verdict> {
  for (const list of policy.denied ?? []) {
    const reason = await denialOf(list, call, context)
    if (reason !== undefined) return { allowed: false, reason, ...ownerOf(list) }
  }
  for (const list of policy.lists) {
    const reason = await refusal(list, call, context)
    if (reason === undefined) continue
    return { allowed: false, reason, allowedTools: list.rules.map(ruleText), ...ownerOf(list) }
  }
  return { allowed: true }
}

/**
 * Whether some call of a tool could be permitted: no rule takes it away whole, and one of every list names it. For hiding
 * a tool; it grants nothing.
 */
export function mayUse(policy: Policy, tool: string): boolean {
  if (policy.denied?.some(({ rules }) => rules.some((rule) => deniesWhole(rule, tool))) === true) return false
  return policy.lists.every(({ rules }) => rules.some((rule) => namesTool(rule.tool, tool)))
}

function ownerOf({ skill }: RuleList): { readonly skill?: string } {
  return skill === undefined ? {} : { skill }
}

/** When a list holds, and whose it is, as parts of a sentence. */
function wordsOf({ skill }: RuleList): { readonly when: string; readonly who: string } {
  return skill === undefined
    ? { when: 'here', who: "the host's policy" }
    : { when: `while the skill ${quote(skill)} is active`, who: 'it' }
}

async function denialOf(list: RuleList, call: GatedCall, context: GateContext): Promise<string | undefined> {
  const { rules } = list
  const { when, who } = wordsOf(list)
  const whole = rules.find((rule) => deniesWhole(rule, call.tool))
  if (whole !== undefined)
    return `${quote(call.tool)} may not be used ${when}: ${who} disallows ${shown(ruleText(whole))}.`
  const found = await findDenial(rules, call, context)
  if (found === undefined) return undefined
  const { why, hint } = found.denial
  const what = `${quote(call.tool)} may not be used like this ${when}: ${who} disallows ${shown(ruleText(found.rule))}`
  return `${what}, and ${why}.${hint === undefined ? '' : ` ${hint}`}`
}

async function refusal(list: RuleList, call: GatedCall, context: GateContext): Promise<string | undefined> {
  const { rules } = list
  const named = rules.filter((rule) => namesTool(rule.tool, call.tool))
  const { when, who } = wordsOf(list)
  if (named.length === 0) {
    const others = rules.length === 0 ? 'no tools but the skill tools' : `only ${listRules(rules)}`
    return `${quote(call.tool)} may not be used ${when}: ${who} allows ${others}.`
  }
  const kind = toolArgument(context.toolArguments, call.tool)?.kind
  if (named.some(({ pattern }) => pattern === undefined || (pattern === '*' && kind !== 'path'))) return undefined
  const misses: Mismatch[] = []
  const comparisons = await compare(call, context)
  for (const { pattern = '' } of named) {
    const miss = tellingMismatch(
      comparisons.map((comparison) => comparison(pattern)).filter((found) => found !== undefined),
    )
    if (miss === undefined) return undefined
    misses.push(miss)
  }
  const { why, hint } = tellingMismatch(misses)!
  return `${quote(call.tool)} may only be used as ${listRules(named)} ${when}; ${why}.${hint === undefined ? '' : ` ${hint}`}`
}

/** One comparison for each argument that a rule has to cover; where nothing can be judged, one that covers nothing. */
async function compare(
  { tool, input }: GatedCall,
  { toolArguments, cwd }: GateContext,
): Promise<readonly Comparison[]> {
  const argument = toolArgument(toolArguments, tool)
  if (argument === undefined) {
    return [never('which argument that speaks of is not known here: the host names it in the option "toolArguments"')]
  }
  const values = argumentValues(argument, input)
  if (values === undefined) return [never('its input is no object')]
  if (values.length === 0) {
    return [
      never(
        `its input has no ${argumentNames(argument)
          .map((name) => quote(name))
          .join(' or ')}, which that speaks of`,
      ),
    ]
  }
  const make = async ({ name, value }: ArgumentValue): Promise<Comparison> => {
    if (argument.kind === 'shell') return await (await import('./commands.ts')).compareCommand(name, value)
    if (argument.kind === 'path') return comparePath(name, value, cwd)
    return argument.kind === 'url' ? compareUrl(name, value) : compareText(name, value)
  }
  return await Promise.all(values.map(make))
}

function never(why: string): Comparison {
  return () => ({ why, weight: 'value' })
}
