import { parseAllowedTools } from '../manifest/index.ts'
import type { GateComposition, GateMode, HostPolicy, ProgramPolicy } from '../ports/gate.ts'
import type { ToolRule } from '../ports/manifest.ts'
import { joinPolicies, type Policy } from './policy.ts'
import { quote, shownValue } from '../text/quote.ts'

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

const MODES: readonly GateMode[] = ['restrict', 'preapprove', 'advisory']
const COMPOSITIONS: readonly GateComposition[] = ['narrow', 'top']
/** A key that is not known is refused: one that is misspelled would permit more than it says. */
const POLICY_KEYS = { allow: true, deny: true, ask: true, protect: true, programs: true } satisfies Record<
  keyof HostPolicy,
  true
>
const PROGRAMS: readonly ProgramPolicy[] = ['any', 'known']

/**
 * Resolves options to settings. A policy narrows that of the defaults.
 * @param defaults for what the options leave out
 * @throws {TypeError} an unknown mode or composition, or a policy that cannot be read. A rule that cannot be read is
 * never read as more than it says
 */
export function resolveGate(options: GateOptions, defaults: GateSettings = DEFAULTS): GateSettings {
  const { mode = defaults.mode, composition = defaults.composition, policy } = options
  if (!MODES.includes(mode)) throw unknown('mode', mode, MODES)
  if (!COMPOSITIONS.includes(composition)) throw unknown('composition', composition, COMPOSITIONS)
  if (policy === undefined) {
    const isSame = mode === defaults.mode && composition === defaults.composition
    return isSame ? defaults : { ...defaults, mode, composition }
  }
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) {
    throw new TypeError(
      '`policy` is not a policy. Give { allow, deny, ask, protect }, each a list of strings, and { programs }, or leave it out.',
    )
  }
  const misspelled = Object.keys(policy).find((key) => !Object.hasOwn(POLICY_KEYS, key))
  if (misspelled !== undefined) {
    throw new TypeError(`\`policy\` has no ${quote(misspelled)}. Give ${Object.keys(POLICY_KEYS).join(', ')}.`)
  }
  const { protect = [], programs = defaults.programs } = policy
  if (!PROGRAMS.includes(programs)) throw unknown('policy.programs', programs, PROGRAMS)
  if (!Array.isArray(protect) || protect.some((path) => typeof path !== 'string' || path === '')) {
    throw new TypeError('`policy.protect` is not a list of paths. Give the files that no call may name.')
  }
  return {
    mode,
    composition,
    host: joinPolicies(defaults.host, readPolicy(policy)),
    protect: [...defaults.protect, ...(protect as string[])],
    // A session's narrows that of the repertoire.
    programs: defaults.programs === 'known' ? 'known' : programs,
  }
}

function unknown(option: string, value: unknown, known: readonly string[]): TypeError {
  return new TypeError(
    `There is no \`${option}\` ${shownValue(value)}. Give ${known.map((each) => `"${each}"`).join(', ')}.`,
  )
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

function readRules(key: 'allow' | 'deny' | 'ask', rules: unknown): readonly ToolRule[] {
  if (!Array.isArray(rules) || rules.some((rule) => typeof rule !== 'string')) {
    throw new TypeError(`\`policy.${key}\` is not a list of rules. Give strings such as "Read" or "Bash(git:*)".`)
  }
  const result = parseAllowedTools(rules as string[])
  if (result.ok) return result.rules
  throw new TypeError(`\`policy.${key}\` holds ${quote(result.rule)}, which ${result.problem}. ${result.hint}.`)
}
