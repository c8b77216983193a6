import type { GateMode } from '@repertoire/gate/internal'

/** What of a skill's rules a text depends on. */
export interface SkillRules {
  /** Its `allowed-tools`, or what the host gives in their place. Absent: it has none. */
  readonly allowed?: readonly unknown[] | undefined
  /** True: the host gave it `allowed`. */
  readonly assumed?: boolean
  /** Its `disallowed-tools`. Absent: it has none. */
  readonly denied?: readonly unknown[] | undefined
}

/** A skill whose activation is asked about. */
interface AskedSkill extends SkillRules {
  /** Whether it is executed when it is called, and not activated. */
  readonly isExecuted?: boolean
}

/** Returns what a yes to the activation of a skill means for tools, as one line for a person. */
export function meaningOfYes(
  mode: GateMode,
  { allowed, assumed = false, denied = [], isExecuted = false }: AskedSkill,
): string {
  const period = isExecuted ? 'during this call' : 'while the skill is active'
  const policy = "The host's policy still applies."
  if (mode === 'advisory') return `the skill's tool rules refuse nothing: all tools stay usable as before. ${policy}`
  const exceptDenied = denied.length > 0 ? ', except for those that it forbids' : ''
  if (mode === 'preapprove') {
    if (!preapproves(mode, { allowed, assumed })) {
      return `no tool is approved in advance: all tools stay usable as before${exceptDenied}. ${policy}`
    }
    return `calls of these tools need no further approval ${period}, unless another active skill with a list lacks them. All other tools stay usable as before${exceptDenied}. ${policy}`
  }
  if (allowed === undefined) return `all tools stay usable as before${exceptDenied}. ${policy}`
  if (allowed.length === 0) return `no tool but the skill tools may be used ${period}.`
  return `only these tools may be used ${period}, as far as the host's policy and other active skills allow them.`
}

/** Whether calls need no further approval while a skill is active. Rules that the host gave it approve none. */
export function preapproves(mode: GateMode, { allowed = [], assumed = false }: SkillRules): boolean {
  return mode === 'preapprove' && allowed.length > 0 && !assumed
}

/** The labels of a skill's tools in the text of its activation. */
const TOOL_LABELS = {
  restrict: { allowed: 'Allowed tools', denied: 'Disallowed tools' },
  preapprove: { allowed: 'Preapproved tools', denied: 'Disallowed tools' },
  advisory: { allowed: 'Recommended tools', denied: 'Tools to avoid' },
} as const satisfies Record<GateMode, { readonly allowed: string; readonly denied: string }>

/** What the list of tools means, for a model. */
const LIST_MEANINGS = {
  restrict: 'No other tools may be used while this skill is active.',
  preapprove: 'Their calls need no further approval. All other tools stay usable as before.',
  advisory: 'All other tools stay usable as before.',
} as const satisfies Record<GateMode, string>

/**
 * Returns the lines about tools in the text of an activation. Empty if the skill has no rules.
 * @param rules in the words that the model reads
 */
export function toolLines(
  mode: GateMode,
  {
    allowed,
    assumed = false,
    denied = [],
  }: SkillRules & { readonly allowed?: readonly string[] | undefined; readonly denied?: readonly string[] | undefined },
): readonly string[] {
  const labels = TOOL_LABELS[mode]
  const lines: string[] = []
  // In the other modes a list that the host gave, or an empty one, changes nothing.
  if (allowed !== undefined && (mode === 'restrict' || (allowed.length > 0 && !assumed))) {
    lines.push(`${labels.allowed}: ${allowed.length === 0 ? 'none' : allowed.join(', ')}`, LIST_MEANINGS[mode])
  }
  if (denied.length > 0) lines.push(`${labels.denied}: ${denied.join(', ')}`)
  return lines
}

/** Returns what a model is told of all skills' tools, as one item of the guidance. */
export function toolGuidance(mode: GateMode): string {
  if (mode === 'restrict') return 'While a skill with allowed tools is active, only those tools may be used.'
  if (mode === 'preapprove') {
    return 'While a skill with preapproved tools is active, calls of those tools need no further approval. All other tools stay usable as before.'
  }
  return 'A skill may recommend tools. All other tools stay usable while it is active.'
}

/** Whether a skill's rules changed what may be called, so that its deactivation changes it back. */
function restricts(mode: GateMode, { allowed, denied = [] }: SkillRules): boolean {
  if (mode === 'advisory') return false
  return denied.length > 0 || (mode === 'restrict' && allowed !== undefined)
}

/**
 * Returns what a skill's deactivation changes, as a sentence; undefined: nothing.
 * @param rules of the skill
 */
export function deactivationMeaning(mode: GateMode, rules: SkillRules): string | undefined {
  if (restricts(mode, rules)) return 'Its restriction is lifted.'
  return preapproves(mode, rules) ? 'It approves no calls in advance any more.' : undefined
}

/** Returns the description of the tool that deactivates skills. */
export function deactivateDescription(mode: GateMode): string {
  const lifts = mode === 'restrict' ? ', and lifts its restriction' : ''
  return `Deactivates the skill that was activated last${lifts}. Skills are left in reverse order.`
}
