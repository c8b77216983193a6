import type { ProjectFlags } from './project-options.ts'

/** The types of skills, with what each is for. */
export const SKILL_TYPES = {
  instruction: 'text that a model follows',
  script: 'a script that a call runs',
  template: 'a text with parameters that a call renders',
  composite: 'a plan of tool calls',
} as const

/** What is asked, or given by options. */
export interface NewFlags extends ProjectFlags {
  readonly description?: string
  readonly type?: keyof typeof SKILL_TYPES
  readonly tool?: readonly string[]
  readonly body?: string
  readonly dryRun?: true
}
