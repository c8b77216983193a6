import { argumentValues, toolArgument } from '../../gate/index.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import { scriptNamed } from './script-read.ts'
import type { ActiveSkill } from '../state/state.ts'

/** Words of a command that are looked at. */
const MAX_WORDS = 200

/**
 * The script of an active skill that a command names, if the tool is one that runs commands. For figures: it looks for
 * paths among the words and does not read the command as a shell would.
 */
export function scriptRunBy(
  call: ToolCall,
  active: readonly ActiveSkill[],
  { toolArguments, cwd }: Pick<SessionContext, 'toolArguments' | 'cwd'>,
): { readonly skill: string; readonly path: string } | undefined {
  const argument = active.length === 0 ? undefined : toolArgument(toolArguments, call.tool)
  if (argument?.kind !== 'shell') return undefined
  for (const { value } of argumentValues(argument, call.input) ?? []) {
    if (typeof value !== 'string') continue
    for (const word of wordsOf(value)) {
      for (const skill of active) {
        const path = scriptNamed(word, skill, cwd)
        if (path !== undefined) return { skill: skill.name, path }
      }
    }
  }
  return undefined
}

/** What stands between blanks, quotes and operators; of a path with a blank in it, in quotes, the whole. */
function wordsOf(command: string): readonly string[] {
  const words = command.slice(0, 10_000).match(/"[^"]+"|'[^']+'|[^\s"';&|<>()]+/g) ?? []
  return words.slice(0, MAX_WORDS).map((word) => word.replace(/^["']|["']$/g, ''))
}
