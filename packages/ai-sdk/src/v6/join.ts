import type { OptionTable } from '@repertoire/core/options'
import type { ToolSet } from 'ai'
import { SKILLS_OPTIONS, type SkillsSettings as NewerSettings, type Version } from '../with-skills.ts'
import { everyStep } from './steps.ts'
import { withApproval } from './tools.ts'
import type { SkillsOptions, SkillsSettings } from './settings.ts'

const { instructions, toolApproval: _, ...SHARED } = SKILLS_OPTIONS
export const OPTIONS: OptionTable<SkillsOptions<ToolSet>> = { ...SHARED, system: instructions }

/** The settings of version 7 in the names and the order of events of version 6. */
export function settingsOf(settings: NewerSettings<ToolSet>): SkillsSettings<ToolSet> {
  const { instructions: system, abortSignal, tools, prepareStep, repairToolCall } = settings
  return {
    ...(system !== undefined && { system }),
    ...(abortSignal !== undefined && { abortSignal }),
    tools,
    prepareStep: everyStep(prepareStep, system),
    experimental_repairToolCall: repairToolCall,
  }
}

export const VERSION_6: Version = { toolOf: withApproval, formOf: settingsOf }
