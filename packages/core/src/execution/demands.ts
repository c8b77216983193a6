import { isScriptFile } from '@repertoire/skill-md/internal'
import { unboundedText } from '@repertoire/gate/internal'
import type { SkillDocument, SkillFolder } from '@repertoire/skill-md/internal'
import { formatRules } from '../disclosure/skill-content.ts'

/** What a skill asks for and brings, for the person who decides whether it is installed. */
export interface SkillDemands {
  /** `allowed-tools` as rules, as they are written; absent: it restricts nothing. */
  readonly allowedTools?: readonly string[]
  /** What rules without bounds mean together, such as "may do anything that sed can do". Absent: none. */
  readonly unbounded?: string
  /** `disallowed-tools` as rules. */
  readonly disallowedTools: readonly string[]
  /** Paths of its scripts, hidden ones too. */
  readonly scripts: readonly string[]
  /** Commands that run before the activation, then those that run after the deactivation. */
  readonly hooks: readonly string[]
  /** Modules with tools that it brings, each as `module:Export`. */
  readonly toolsets: readonly string[]
}

const NO_HOOKS = { pre: [], post: [] }

/** See `authoring.ts`. */
export async function inspectDemands({ manifest }: SkillDocument, folder: SkillFolder): Promise<SkillDemands> {
  const { allowedTools, disallowedTools = [], hooks = NO_HOOKS, toolsets = [] } = manifest ?? {}
  const { files, withheld } = await folder.list()
  const unbounded = unboundedText(allowedTools)
  return {
    allowedTools: allowedTools && formatRules(allowedTools),
    ...(unbounded !== undefined && { unbounded }),
    disallowedTools: formatRules(disallowedTools),
    scripts: [...files, ...withheld.files].filter(isScriptFile).map(({ path }) => path),
    hooks: [...hooks.pre, ...hooks.post],
    toolsets,
  }
}
