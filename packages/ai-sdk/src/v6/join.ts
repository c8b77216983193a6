import type { Session } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import type { OptionTable } from '@repertoire/core/options'
import type { ToolSet } from 'ai'
import type { ForkOptions as AnyForkOptions } from '../fork.ts'
import {
  join,
  SKILLS_OPTIONS,
  type SkillsOptions as AnyOptions,
  type SkillsSettings as Settings,
} from '../with-skills.ts'
import type { ForkOptions } from './fork.ts'
import { everyStep } from './steps.ts'
import { withApproval } from './tools.ts'
import type { SkillsOptions, SkillsSettings } from './settings.ts'

const { instructions, toolApproval: _, ...SHARED } = SKILLS_OPTIONS
export const OPTIONS: OptionTable<SkillsOptions<ToolSet>> = { ...SHARED, system: instructions }

/** Does what `withSkills` does, with options that were checked. */
export function joined(
  session: Session,
  options: SkillsOptions<ToolSet>,
  deciding: Pick<Parameters<typeof join>[2], 'onDecided'> = {},
): SkillsSettings<ToolSet> {
  const { system, tools = {}, prepareStep, activeTools, repairToolCall, abortSignal, save, onTurn } = options
  const settings = join(
    adapterSession(session),
    {
      instructions: system,
      tools,
      // The types are those of version 7, whose steps have more properties.
      prepareStep: prepareStep as AnyOptions<ToolSet>['prepareStep'],
      activeTools,
      repairToolCall,
      abortSignal,
      save,
      onTurn,
      ...(forksOf(options) as AnyForkOptions),
    },
    { canApprove: true, toolOf: withApproval, formOf: settingsOf, ...deciding },
  )
  return settingsOf(settings)
}

function forksOf({ subagents, resolveModel }: ForkOptions): ForkOptions {
  return { ...(subagents !== undefined && { subagents }), ...(resolveModel !== undefined && { resolveModel }) }
}

/** The settings of version 7 in the names and the order of events of version 6. */
function settingsOf(settings: Settings<ToolSet>): SkillsSettings<ToolSet> {
  const { instructions: system, abortSignal, tools, prepareStep, repairToolCall } = settings
  return {
    ...(system !== undefined && { system }),
    ...(abortSignal !== undefined && { abortSignal }),
    tools,
    prepareStep: everyStep(prepareStep, system),
    experimental_repairToolCall: repairToolCall,
  }
}
