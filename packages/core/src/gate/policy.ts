import type { ToolRule } from '../ports/manifest.ts'

/** The rules of one active skill, or of the host. An empty list allows nothing. */
export interface RuleList {
  /** Absent: they are the host's own. */
  readonly skill?: string
  readonly rules: readonly ToolRule[]
}

/** What is in force: a call must be permitted by every list, so that none widens what another allows. */
export interface Policy {
  /** The lists of those that restrict, the host's first, then the active skills', bottom first. None: all is permitted. */
  readonly lists: readonly RuleList[]
  /** What they take away, in the same order: no call of these is permitted, whatever the lists say. */
  readonly denied?: readonly RuleList[]
}

/** Two policies at once: what both permit. */
export function both(first: Policy, second: Policy): Policy {
  const denied = [...(first.denied ?? []), ...(second.denied ?? [])]
  return { lists: [...first.lists, ...second.lists], ...(denied.length > 0 && { denied }) }
}
