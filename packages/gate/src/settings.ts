import {
  type OptionKind,
  type OptionTable,
  type ToolRule,
  either,
  flag,
  listOf,
  off,
  oneOf,
  parseAllowedTools,
  quote,
  recordOf,
  required,
  tableOf,
  text,
  withDefault,
} from '@repertoire/skill-md/internal'
import type { GateComposition, GateMode, HostPolicy, ProgramPolicy } from './ports/gate.ts'
import { type Policy, joinPolicies } from './policy.ts'
import type { SkillScripts } from './script/skill.ts'
import type { HostTool } from './ports/tool.ts'

/** How a host sets its gate. */
export interface GateOptions {
  /** What the rules of active skills do, or also whose rules hold. Default `restrict`, from `all`. */
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
  composition: 'all',
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
  const { enforcement = {}, policy = {} } = options
  const { mode = defaults.mode, from: composition = defaults.composition } =
    typeof enforcement === 'string' ? { mode: enforcement } : enforcement
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

/** What the gate judges an active skill by. */
export interface GatedSkill extends SkillScripts {
  /** The rules of the calls that the skill allows. Absent: it restricts nothing. */
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
  if (mode === 'restrict') return joinPolicies(host, { lists, denied })
  return mode === 'preapprove' && denied !== undefined ? joinPolicies(host, { lists: [], denied }) : host
}

/** A list of rules as in `allowed-tools`. */
export const rulesKind = listOf(text, 'a list of rules, such as "Read" or "Bash(git:*)"')

/** The options of a host's policy. */
export const POLICY_OPTIONS: OptionTable<HostPolicy> = {
  allow: rulesKind,
  deny: rulesKind,
  ask: rulesKind,
  protect: listOf(text, 'a list of paths'),
  programs: withDefault('any', oneOf('any', 'known')),
}

/** The host's policy. */
export const policyKind = tableOf<HostPolicy>(POLICY_OPTIONS)

const hostTool = tableOf<HostTool>({
  as: either(
    text,
    listOf(text, 'a list of tool names'),
    recordOf(text, 'an object with a tool name for each value of `by`'),
  ),
  by: text,
  shared: withDefault(false, flag),
  argument: either(text, listOf(text, 'a list of argument names')),
  kind: oneOf('shell', 'path', 'url', 'sql', 'text'),
  reads: either(flag, oneOf('below')),
  shell: oneOf('posix', 'other'),
  harmless: listOf(text, 'a list of argument names'),
  program: tableOf<{ name: string; args: string }>({ name: required(text), args: required(text) }),
  root: either(off, text),
})

/** What only a tool itself has, in one framework or another. */
const PARTS_OF_TOOLS = ['execute', 'invoke', 'inputSchema', 'schema', 'parameters', 'description']

const entry = either(text, off, hostTool)

/** An entry of the host's table. A toolset of a framework is the likeliest mistake: its message says where that belongs. */
const hostToolEntry: OptionKind = {
  ...entry,
  problem(value, path) {
    const isTool = typeof value === 'object' && value !== null && PARTS_OF_TOOLS.some((part) => part in value)
    if (!isTool) return entry.problem(value, path)
    return `\`${path}\` is a tool. Give tools to the adapter of your framework; here, give the name that skills use for it, such as "Read", or false.`
  },
}

/** The names that skills use for the host's tools. */
export const hostToolsKind = recordOf(
  hostToolEntry,
  "an object with the host's tools by name, such as { runCommand: 'Bash' }",
)

/** The folder that relative paths are relative to. A relative one would hide what a call names from the policy. */
export const cwdKind: OptionKind = {
  expects: "an absolute path, such as '/project'",
  problem(value, path) {
    const isAbsolute = typeof value === 'string' && /^(?:\/|[A-Za-z]:[\\/])/.test(value)
    return isAbsolute ? undefined : `\`${path}\` is not an absolute path. Give ${this.expects}.`
  },
}
