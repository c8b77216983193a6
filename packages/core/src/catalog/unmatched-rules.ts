import { hostRules, type Toolset } from '@repertoire/gate/internal'
import type { Skill } from '@repertoire/skill-md/internal'

/** Rules of a skill's `allowed-tools` that mean none of the host's tools. */
interface UnmatchedRules {
  readonly rules: readonly string[]
  readonly all: boolean
}

/** Returns the rules of a skill that mean none of the host's tools; undefined if there are none. */
export function unmatchedRules({ manifest }: Skill, tools: Toolset): UnmatchedRules | undefined {
  const { allowedTools = [] } = manifest
  const { unmatched: rules, matched } = hostRules(allowedTools, tools)
  return rules.length === 0 ? undefined : { rules, all: matched.length === 0 }
}
