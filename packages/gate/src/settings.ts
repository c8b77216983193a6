import { parseAllowedTools, type ToolRule, quote } from '@repertoire/skill-md/internal'
import type { GateComposition, GateMode, HostPolicy, ProgramPolicy } from './ports/gate.ts'
import { joinPolicies, type Policy } from './policy.ts'

/** How a host sets its gate. */
export interface GateOptions {
  /** What the rules of active skills do. Default `restrict`. */
  readonly mode?: GateMode
  /** Whose rules hold where several skills are active. Default `narrow`: those of all. */
  readonly composition?: GateComposition
  /** What the host itself permits, whatever skills say. A session's narrows that of the repertoire. */
  readonly policy?: HostPolicy
}

/** What calls are judged by, besides the skills that are active. */
export interface GateSettings {
  readonly mode: GateMode
  readonly composition: GateComposition
  /** The host's own rules. */
  readonly host: Policy
  /** Files that no call may name. */
  readonly protect: readonly string[]
  /** Which programs the rules of skills may hand out. */
  readonly programs: ProgramPolicy
}

const DEFAULTS: GateSettings = {
  mode: 'restrict',
  composition: 'narrow',
  host: { lists: [] },
  protect: [],
  programs: 'any',
}

/**
 * Resolves options to settings. A policy narrows that of the defaults.
 * @param defaults for what the options leave out
 * @throws {TypeError} a rule of the policy cannot be read. It is never read as more than it says
 */
export function resolveGate(options: GateOptions, defaults: GateSettings = DEFAULTS): GateSettings {
  const { mode = defaults.mode, composition = defaults.composition, policy = {} } = options
  const { protect = [], programs = defaults.programs } = policy
  return {
    mode,
    composition,
    host: joinPolicies(defaults.host, readPolicy(policy)),
    protect: [...defaults.protect, ...protect],
    // A session's narrows that of the repertoire.
    programs: defaults.programs === 'known' ? 'known' : programs,
  }
}

function readPolicy({ allow, deny, ask }: HostPolicy): Policy {
  const denied = deny === undefined ? [] : readRules('deny', deny)
  const asked = ask === undefined ? [] : readRules('ask', ask)
  return {
    lists: allow === undefined ? [] : [{ rules: readRules('allow', allow) }],
    ...(denied.length > 0 && { denied: [{ rules: denied }] }),
    ...(asked.length > 0 && { asked: [{ rules: asked }] }),
  }
}

function readRules(key: 'allow' | 'deny' | 'ask', rules: readonly string[]): readonly ToolRule[] {
  const result = parseAllowedTools(rules)
  if (result.ok) return result.rules
  throw new TypeError(`\`policy.${key}\` holds ${quote(result.rule)}, which ${result.problem}. ${result.hint}.`)
}
