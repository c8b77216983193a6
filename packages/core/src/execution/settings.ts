import {
  anyText,
  number,
  recordOf,
  tableOf,
  withDefault,
  withMethods,
  firstOf,
  type OptionKind,
  MAX_TIMER_MS,
  quote,
  type Skill,
} from '@repertoire/skill-md/internal'
import type { ScriptLimits, ScriptRunner } from '../ports/script-runner.ts'
import { inTime } from '../time-limit.ts'

/** What runs the scripts and hooks of skills, and how. */
export interface ScriptOptions {
  /** Runs scripts and hooks: one of @repertoire/runners, or the host's own sandbox. Absent: nothing does. */
  readonly runner?: ScriptRunner | undefined
  /** What each script may use. Default: 60 s, 1,000,000 bytes of output, 64 processes, files of 64 MiB. */
  readonly limits?: Partial<ScriptLimits> | undefined
  /**
   * The complete environment of each script, but for what the runner sets: one for all skills, or a function that
   * returns that of a skill, so that a secret reaches its scripts alone. A function that throws, or takes longer than 5
   * s, refuses the script. Default: empty. Nothing of the host's is added.
   */
  readonly environment?: Environment | ((skill: ScriptOwner) => Environment | PromiseLike<Environment>) | undefined
  /** Whether scripts may use the network. Default false. A request for consent says it. */
  readonly network?: boolean | undefined
  /**
   * Whether `runner` runs the hooks of skills: each is a script of the skill, or an interpreter and one, with literal
   * arguments. Default false: a skill with hooks cannot be activated.
   */
  readonly hooks?: boolean | undefined
}

/** Variables of scripts, by name. */
type Environment = Readonly<Record<string, string>>

/** The skill whose script is run. Skills of two sources may have one name. */
export type ScriptOwner = Pick<Skill, 'name' | 'layer' | 'source'>

export interface ScriptSettings {
  readonly runner: ScriptRunner
  readonly limits: ScriptLimits
  /** @throws what the host's function throws, that it returns no environment, or none in time; the signal's reason */
  readonly environment: (skill: ScriptOwner, signal?: AbortSignal) => Promise<Environment>
  readonly network: boolean
  readonly hooks: boolean
}

/** Variables that the runner sets, so that they mean the same in each. */
const RUNNERS_OWN: ReadonlySet<string> = new Set(['SKILL_DIR', 'TMPDIR', 'WORKSPACE_DIR', 'HOME', 'PATH'])

/** A runner, and how it isolates scripts. */
export const runnerKind: OptionKind = {
  expects: 'a runner of @repertoire/runners, or an object of the same shape',
  problem(value, path) {
    const { name, isolation } = Object(value) as Partial<ScriptRunner>
    const missing = withMethods(this.expects, 'supports', 'run').problem(value, path)
    if (missing !== undefined) return missing
    if (typeof name !== 'string' || name === '') return `\`${path}\` has no \`name\`. Give ${this.expects}.`
    const { name: kind, isolated, notes } = Object(isolation) as Partial<ScriptRunner['isolation']>
    const hasNotes = Array.isArray(notes) && notes.every((each: unknown) => typeof each === 'string')
    if (typeof kind === 'string' && kind !== '' && typeof isolated === 'boolean' && hasNotes) return undefined
    return `\`${path}\` has no \`isolation\` with a \`name\`, \`isolated\` and \`notes\`. Give ${this.expects}.`
  },
}

const texts = recordOf(anyText, 'an object of variables, such as { NAME: "value" }')

export const environmentKind: OptionKind = {
  ...texts,
  problem: (value, path) =>
    texts.problem(value, path) ??
    firstOf(Object.entries(value as Readonly<Record<string, string>>), ([name, text]) => {
      if (RUNNERS_OWN.has(name)) return `\`${path}\` holds ${quote(name)}, which is set by the runner. Take it out.`
      if (!/^[A-Za-z_]\w*$/.test(name))
        return `\`${path}\` holds ${quote(name)}, which is not the name of a variable. Take it out.`
      return text.includes('\0') ? `\`${path}.${name}\` holds a NUL. Take it out.` : undefined
    }),
}

/**
 * Fills in the defaults of a host's runner and its options.
 * @returns undefined if there is no runner
 * @throws {TypeError} there are options for scripts and nothing runs them
 */
export function resolveScripts(options: ScriptOptions = {}): ScriptSettings | undefined {
  const { runner, limits, environment, network, hooks } = options
  if (runner === undefined) {
    const [unused] = Object.entries({ limits, environment, network, hooks }).filter(([, value]) => value !== undefined)
    if (unused === undefined) return undefined
    throw new TypeError(`\`scripts.${unused[0]}\` is for a runner, and there is none. Give \`scripts.runner\` too.`)
  }
  return {
    runner,
    limits: resolveScriptLimits(limits),
    environment: typeof environment === 'function' ? environmentsOf(environment) : async () => ({ ...environment }),
    network: network === true,
    hooks: hooks === true,
  }
}

const ENVIRONMENT_TIMEOUT_MS = 5_000

function environmentsOf(
  given: Exclude<ScriptOptions['environment'], Environment | undefined>,
): ScriptSettings['environment'] {
  return async ({ name, layer, source }, signal) => {
    const asked = Promise.resolve(given({ name, layer, source }))
    const variables = await inTime(asked, ENVIRONMENT_TIMEOUT_MS, '`scripts.environment()`', signal)
    // The table would show the value, and the refusal is recorded.
    for (const [variable, value] of Object.entries(Object(variables) as object))
      if (typeof value !== 'string')
        throw new TypeError(`\`scripts.environment().${variable}\` is not a text, but a value of type ${typeof value}.`)
    const problem = environmentKind.problem(variables, 'scripts.environment()')
    if (problem !== undefined) throw new TypeError(problem)
    return { ...variables }
  }
}

/** What a script may use unless the host says otherwise. */
export const DEFAULT_SCRIPT_LIMITS: ScriptLimits = Object.freeze({
  timeout: 60_000,
  maxOutputBytes: 1_000_000,
  maxProcesses: 64,
  maxFileBytes: 64 * 1024 * 1024,
})

const limit = (what: string, to: number): OptionKind => number(what, { from: 1, to, isWhole: true })

/** What each script may use. */
export const scriptLimitsKind: OptionKind = tableOf<Partial<ScriptLimits>>({
  timeout: withDefault(DEFAULT_SCRIPT_LIMITS.timeout, limit('milliseconds', MAX_TIMER_MS)),
  maxOutputBytes: withDefault(DEFAULT_SCRIPT_LIMITS.maxOutputBytes, limit('bytes', 2 ** 30)),
  maxProcesses: withDefault(DEFAULT_SCRIPT_LIMITS.maxProcesses, limit('processes', 2 ** 22)),
  maxFileBytes: withDefault(DEFAULT_SCRIPT_LIMITS.maxFileBytes, limit('bytes', Number.MAX_SAFE_INTEGER)),
  maxMemoryBytes: limit('bytes', Number.MAX_SAFE_INTEGER),
})

/** Returns limits with the defaults for what is left out. */
export function resolveScriptLimits(given: Partial<ScriptLimits> = {}): ScriptLimits {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...DEFAULT_SCRIPT_LIMITS, ...Object.fromEntries(named) }
}
