import { both, type Policy, readHostPolicy } from '../../gate/index.ts'
import type { GateComposition, GateMode, HostPolicy } from '../../ports/gate.ts'
import type { ActiveSkill } from '../state/state.ts'

/** What a session's calls are judged by beside the skills that are active. */
export interface GateSettings {
  readonly mode: GateMode
  readonly composition: GateComposition
  /** The host's own rules. */
  readonly host: Policy
  /** Files that no call may name. */
  readonly protect: readonly string[]
}

/** How a host sets it. */
export interface GateOptions {
  /** What the rules of active skills do. Default `restrict`. */
  readonly mode?: GateMode
  /** Whose rules hold where several skills are active. Default `narrow`: those of all. */
  readonly composition?: GateComposition
  /** What the host itself permits, whatever skills say. A session's narrows that of the repertoire. */
  readonly policy?: HostPolicy
}

const MODES: readonly GateMode[] = ['restrict', 'preapprove', 'advisory']
const COMPOSITIONS: readonly GateComposition[] = ['narrow', 'top']

/**
 * Settles options over those that hold without them.
 * @throws {TypeError} a mode or composition that there is not, or a rule that cannot be read
 */
export function resolveGate(options: GateOptions, usual: GateSettings = USUAL): GateSettings {
  const { mode = usual.mode, composition = usual.composition, policy } = options
  if (!MODES.includes(mode)) throw unknown('mode', mode, MODES)
  if (!COMPOSITIONS.includes(composition)) throw unknown('composition', composition, COMPOSITIONS)
  if (policy === undefined) return { ...usual, mode, composition }
  if (typeof policy !== 'object' || policy === null) {
    throw new TypeError(
      '`policy` is no policy. Give { allow, deny, protect }, each a list of strings, or leave it out.',
    )
  }
  const { protect = [] } = policy
  if (!Array.isArray(protect) || protect.some((path) => typeof path !== 'string' || path === '')) {
    throw new TypeError('`policy.protect` is no list of paths. Give the files that no call may name.')
  }
  return {
    mode,
    composition,
    host: both(usual.host, readHostPolicy(policy)),
    protect: [...usual.protect, ...(protect as string[])],
  }
}

const USUAL: GateSettings = { mode: 'restrict', composition: 'narrow', host: { lists: [] }, protect: [] }

function unknown(option: string, value: unknown, known: readonly string[]): TypeError {
  const given = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value)
  return new TypeError(`There is no \`${option}\` ${given}. Give ${known.map((each) => `"${each}"`).join(', ')}.`)
}

/** What is enforced on calls while these skills are active, the bottom of the stack first. */
export function enforcedPolicy(active: readonly ActiveSkill[], settings: GateSettings): Policy {
  const { lists, denied } = skillsPolicy(active, settings)
  const { mode, host } = settings
  // What a skill takes away, it takes from its own prompts to misuse too: only who merely advises leaves it.
  if (mode === 'restrict') return both(host, { lists, ...(denied !== undefined && { denied }) })
  return mode === 'preapprove' && denied !== undefined ? both(host, { lists: [], denied }) : host
}

/** What these skills say, whatever becomes of it: every one that restricts or takes away. */
export function skillsPolicy(active: readonly ActiveSkill[], { composition }: GateSettings): Policy {
  // In a fork those that it began with count whatever lies on them, or it would widen what the session above allows.
  const skills =
    composition === 'top'
      ? active.filter(({ inherited, forked }, index) => inherited || forked || index === active.length - 1)
      : active
  const denied = skills.flatMap(({ name, denied: rules = [] }) => (rules.length > 0 ? [{ skill: name, rules }] : []))
  return {
    lists: skills.flatMap(({ name, rules }) => (rules === undefined ? [] : [{ skill: name, rules }])),
    ...(denied.length > 0 && { denied }),
  }
}
