import type { ToolRule } from '../../ports/manifest.ts'
import { argumentNames, argumentValues, toolArgument, type ToolArguments } from '../arguments.ts'
import { foldTool } from '../tool-name.ts'
import { quote } from '../wording.ts'
import type { Denial, Denier } from './denial.ts'
import { denyPath } from './path.ts'
import { denyText } from './text.ts'
import { denyUrl } from './url.ts'

/** Patterns that mean every call of a tool, of whatever kind. */
const EVERY = /^(?:\*\*?|:\*|\*\*\/\*)$/

/**
 * Whether a rule that takes away names a tool. A `*` stands for any rest, further `__` included: here it is safer to
 * reach too far than not far enough.
 */
function deniesTool(rule: string, tool: string): boolean {
  const wanted = foldTool(tool)
  const star = rule.indexOf('*')
  return star < 0 ? foldTool(rule) === wanted : wanted.startsWith(foldTool(rule.slice(0, star)))
}

/** Whether a rule takes a tool away whole, so that no call of it is left. */
export function deniesWhole({ tool: rule, pattern }: ToolRule, tool: string): boolean {
  return deniesTool(rule, tool) && (pattern === undefined || EVERY.test(pattern))
}

/**
 * The first rule with a pattern that takes a call away, and why. Such a rule means the reverse of one that permits:
 * there a call that cannot be judged is covered by nothing, here it is covered by all. So a call is left only where no
 * argument that the rules speak of can be what they mean.
 */
export async function findDenial(
  rules: readonly ToolRule[],
  { tool, input }: { readonly tool: string; readonly input: unknown },
  { toolArguments, cwd }: { readonly toolArguments: ToolArguments; readonly cwd?: string | undefined },
): Promise<{ readonly rule: ToolRule; readonly denial: Denial } | undefined> {
  const named = rules.filter((rule) => deniesTool(rule.tool, tool))
  if (named.length === 0) return undefined
  const deniers = await denier(tool, input, toolArguments, cwd)
  for (const rule of named) {
    for (const deny of deniers) {
      const denial = deny(rule.pattern ?? '*')
      if (denial !== undefined) return { rule, denial }
    }
  }
  return undefined
}

async function denier(
  tool: string,
  input: unknown,
  toolArguments: ToolArguments,
  cwd: string | undefined,
): Promise<readonly Denier[]> {
  const argument = toolArgument(toolArguments, tool)
  if (argument === undefined) {
    return [always('which argument that speaks of is not known here: the host names it in the option "toolArguments"')]
  }
  const values = argumentValues(argument, input)
  if (values === undefined) return [always('its input is no object')]
  if (values.length === 0) {
    const names = argumentNames(argument).map((name) => quote(name))
    return [always(`its input has no ${names.join(' or ')}, so that it may be meant`)]
  }
  const { kind, reads } = argument
  return await Promise.all(
    values.map(async ({ name, value }): Promise<Denier> => {
      if (typeof value !== 'string') return always(`its argument ${quote(name)} is no text`)
      if (kind === 'shell') return await (await import('../commands.ts')).denyCommand(value)
      if (kind === 'path') return denyPath(value, cwd, reads === 'below')
      return kind === 'url' ? denyUrl(value) : denyText(value)
    }),
  )
}

function always(why: string): Denier {
  return () => ({ why })
}
