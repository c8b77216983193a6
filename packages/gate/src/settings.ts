import { type ToolRule, parseAllowedTools, quote } from '@repertoire/skill-md/internal'
import type { GateComposition, GateMode, HostPolicy, ProgramPolicy } from './ports/gate.ts'
import type { Toolset } from './host-tools/toolset.ts'
import { joinPolicies, NO_POLICY, type Policy } from './policy.ts'
import { isUnbounded } from './rule-texts.ts'
import type { RuleList } from './rules.ts'
import { locationsOf, type SkillScripts } from './skill-scripts.ts'

/** How a host sets its gate. */
export interface GateOptions {
  readonly enforcement?: GateMode | EnforcementOptions | undefined
  /** What the host itself permits, whatever skills say. A session's narrows that of the repertoire. */
  readonly policy?: HostPolicy | undefined
}

/** How the rules of active skills are enforced. */
export interface EnforcementOptions {
  /** What the rules do. Default `restrict`. */
  readonly mode?: GateMode | undefined
  /** Whose rules hold where several skills are active: those of `all`, or of the one on `top`. Default `all`. */
  readonly from?: GateComposition | undefined
}

export interface GateSettings {
  readonly mode: GateMode
  readonly composition: GateComposition
  readonly host: Policy
  readonly protect: readonly string[]
  readonly programs: ProgramPolicy
  readonly safeGit: boolean
}

const DEFAULTS: GateSettings = {
  mode: 'restrict',
  composition: 'all',
  host: NO_POLICY,
  protect: [],
  programs: 'any',
  safeGit: false,
}

/**
 * Resolves options to settings. A policy narrows that of the defaults.
 * @param defaults for what the options leave out
 * @throws {TypeError} a rule of the policy cannot be read. It is never read as more than it says
 */
export function resolveGate(options: GateOptions, defaults: GateSettings = DEFAULTS): GateSettings {
  const { enforcement = {}, policy = {} } = options
  const { mode = defaults.mode, from: composition = defaults.composition } =
    typeof enforcement === 'string' ? { mode: enforcement } : enforcement
  const { protect = [], programs = defaults.programs, safeGit = defaults.safeGit } = policy
  return {
    mode,
    composition,
    host: joinPolicies(defaults.host, readPolicy(policy)),
    protect: [...defaults.protect, ...protect],
    // A session's narrows that of the repertoire.
    programs: defaults.programs === 'known' ? 'known' : programs,
    safeGit,
  }
}

function readPolicy({ allow, deny, ask }: HostPolicy): Policy {
  return { lists: readRules('allow', allow), denied: readRules('deny', deny), asked: readRules('ask', ask) }
}

function readRules(key: 'allow' | 'deny' | 'ask', rules: readonly string[] | undefined): readonly RuleList[] {
  if (rules === undefined || (rules.length === 0 && key !== 'allow')) return []
  const result = parseAllowedTools(rules)
  if (result.ok) return [{ rules: result.rules }]
  throw new TypeError(`\`policy.${key}\` holds ${quote(result.rule)}, which ${result.problem}. ${result.hint}.`)
}

export interface GatedSkill extends SkillScripts {
  readonly rules?: readonly ToolRule[]
  /** It names none itself: the host restricts it to these. They preapprove nothing. */
  readonly assumed?: true
  readonly denied?: readonly ToolRule[]
  /** In a fork: it was active in the session above. */
  readonly inherited?: true
  readonly forked?: true
}

/** Policies by their stacks: a stack is its own list, and judges many calls. */
const policies = new WeakMap<
  readonly GatedSkill[],
  { readonly settings: GateSettings; readonly tools: Toolset; readonly policy: Policy }
>()

/** The rules of the active skills that count, whether or not they are enforced: of all that restrict or deny. */
export function skillsPolicy(active: readonly GatedSkill[], settings: GateSettings, tools: Toolset): Policy {
  const known = policies.get(active)
  if (known?.settings === settings && known.tools === tools) return known.policy
  const { composition, programs } = settings
  // Those that a fork began with count whatever lies on them, or it would widen what the session above allows.
  const skills =
    composition === 'top'
      ? active.filter(({ inherited, forked }, index) => inherited || forked || index === active.length - 1)
      : active
  const policy = {
    ...NO_POLICY,
    denied: skills.flatMap(({ name, denied: rules = [] }) => (rules.length > 0 ? [{ skill: name, rules }] : [])),
    lists: skills.flatMap((skill): readonly RuleList[] => {
      const { name, rules, assumed, scripts } = skill
      if (rules === undefined) return []
      const kept = programs === 'known' ? rules.filter((rule) => !isUnbounded(rule, tools)) : rules
      const folder = { paths: locationsOf(skill), scripts }
      return [{ skill: name, rules: kept, folder, ...(assumed === true && { assumed }) }]
    }),
  }
  policies.set(active, { settings, tools, policy })
  return policy
}

export function enforcedPolicy(active: readonly GatedSkill[], settings: GateSettings, tools: Toolset): Policy {
  return enforce(skillsPolicy(active, settings, tools), settings)
}

export function enforce(skills: Policy, { mode, host }: GateSettings): Policy {
  // What a skill denies also protects it from misuse by its own prompts: only the mode that advises leaves it out.
  if (mode === 'advisory') return host
  return joinPolicies(host, mode === 'restrict' ? skills : { ...skills, lists: [] })
}
