import type { ToolRule } from '@repertoire/skill-md/internal'
import { joinPolicies, type Policy } from './policy.ts'
import type { SkillScripts } from './script/skill.ts'
import type { GateSettings } from './settings.ts'

/** What the gate judges an active skill by. */
export interface GatedSkill extends SkillScripts {
  /** Absent: the skill restricts nothing. */
  readonly rules?: readonly ToolRule[]
  /** It names none itself: the host restricts it to these. They preapprove nothing. */
  readonly assumed?: true
  /** What it denies, whatever else allows it. Absent: nothing. */
  readonly denied?: readonly ToolRule[]
  /** In a fork: it was active in the session above. */
  readonly inherited?: true
  /** The fork was made for it. */
  readonly forked?: true
}

/** The rules of the active skills that count, whether or not they are enforced: of all that restrict or deny. */
export function skillsPolicy(active: readonly GatedSkill[], { composition, programs }: GateSettings): Policy {
  // Those that a fork began with count whatever lies on them, or it would widen what the session above allows.
  const skills =
    composition === 'top'
      ? active.filter(({ inherited, forked }, index) => inherited || forked || index === active.length - 1)
      : active
  const denied = skills.flatMap(({ name, denied: rules = [] }) => (rules.length > 0 ? [{ skill: name, rules }] : []))
  return {
    lists: skills.flatMap(({ name, rules, assumed }) => {
      if (rules === undefined) return []
      const known = programs === 'known' && { onlyKnown: true as const }
      return [{ skill: name, rules, ...known, ...(assumed === true && { assumed }) }]
    }),
    ...(denied.length > 0 && { denied }),
  }
}

/** What is enforced on calls while these skills are active, the bottom of the stack first. */
export function enforcedPolicy(active: readonly GatedSkill[], settings: GateSettings): Policy {
  return enforce(skillsPolicy(active, settings), settings)
}

/** What is enforced of the rules of skills, with those of the host. */
export function enforce({ lists, denied }: Policy, { mode, host }: GateSettings): Policy {
  // What a skill denies also protects it from misuse by its own prompts: only the mode that merely advises leaves it out.
  if (mode === 'restrict') return joinPolicies(host, { lists, ...(denied !== undefined && { denied }) })
  return mode === 'preapprove' && denied !== undefined ? joinPolicies(host, { lists: [], denied }) : host
}
