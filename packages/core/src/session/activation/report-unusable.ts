import { shellTool } from '@repertoire/gate/internal'
import { quoteName, shown } from '@repertoire/skill-md/internal'
import type { SessionContext } from '../context.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { ToolFit } from '../tool-fit.ts'

/** What the host is told with. */
export interface ReportContext {
  readonly context: Pick<SessionContext, 'reportProblem' | 'tools' | 'scripts'>
  /** Undefined: not known yet, so that nothing is claimed of them. */
  readonly hostTools: () => readonly string[] | undefined
}

/** Rules, or scripts, that a problem names. */
const MAX_NAMED = 20

/**
 * Says before anybody agrees what an activation would not give: it would leave the model without any tool, or with
 * scripts that nothing runs.
 */
export function reportUnusable(
  { context, hostTools }: ReportContext,
  { skill: { name }, manifest: { hooks }, scripts: all }: Pick<InspectedSkill, 'skill' | 'manifest' | 'scripts'>,
  { unmatched, leavesNone }: ToolFit,
): void {
  if (leavesNone) {
    context.reportProblem({
      code: 'NO_TOOL_LEFT',
      skill: name,
      message: `While the skill ${quoteName(name)} is active, no tool of the host's can be used: its allowed-tools mean none of them (${named(unmatched)}). Say in the option \`tools\` which of yours stand for these, such as { searchCode: 'Grep' }.`,
    })
  }
  const tools = hostTools()
  // Those of hooks are run by what the host has for these.
  const commands = [...hooks.pre, ...hooks.post]
  const scripts = all.filter((script) => !commands.some((command) => command.includes(script)))
  if (scripts.length === 0 || context.scripts !== undefined || tools === undefined) return
  if (shellTool(context.tools.of(tools)) !== undefined) return
  context.reportProblem({
    code: 'NO_SCRIPT_RUNNER',
    skill: name,
    message: `The skill ${quoteName(name)} brings scripts (${named(scripts)}), and nothing here runs them. Give \`openRepertoire\` the option \`runner\`, such as { runner: virtualRunner() } of @repertoire/runners, or give the agent a tool that runs commands.`,
  })
}

function named(texts: readonly string[]): string {
  const more = texts.length - MAX_NAMED
  return texts
    .slice(0, MAX_NAMED)
    .map(shown)
    .concat(more > 0 ? `and ${more} more` : [])
    .join(', ')
}
