import type { ScriptLimits, ScriptRunner } from '../ports/script-runner.ts'
import { quote } from '../text/quote.ts'
import { resolveScriptLimits } from './limits.ts'

/** How the scripts of skills are run. */
export interface ScriptOptions {
  /** What each script may use. Default: 60 s, 1,000,000 bytes of output, 64 processes, files of 64 MiB. */
  readonly limits?: Partial<ScriptLimits>
  /** The complete environment of each script, but for what the runner sets. Default: empty. Nothing of the host's is added. */
  readonly environment?: Readonly<Record<string, string>>
  /** Whether scripts may use the network. Default false. A request for consent says it. */
  readonly network?: boolean
}

/**
 * How the host's runner reads hooks. `scripts`: each is the path of a file in the skill's folder. `commands`: or a
 * command line, of a script or of an interpreter and a script, with literal arguments.
 */
export type HookStyle = 'scripts' | 'commands'

/** What runs scripts here, and how. */
export interface ScriptSettings {
  readonly runner: ScriptRunner
  readonly limits: ScriptLimits
  readonly environment: Readonly<Record<string, string>>
  readonly network: boolean
  /** How it reads hooks. Absent: it does not run them. */
  readonly hooks?: HookStyle
}

/** Variables that the runner sets, so that they mean the same in each. */
const RUNNERS_OWN: ReadonlySet<string> = new Set(['SKILL_DIR', 'TMPDIR', 'WORKSPACE_DIR', 'HOME', 'PATH'])

/**
 * Checks a host's runner and how it is to run scripts.
 * @returns undefined where there is no runner
 * @throws {TypeError} one of them does not have its shape, or there are options for scripts and nothing runs them
 */
export function resolveScripts(runner: unknown, options: unknown, hooks: unknown): ScriptSettings | undefined {
  const style = hooks === 'scripts' || hooks === 'commands' ? hooks : undefined
  if (runner === undefined) {
    if (style !== undefined) {
      throw new TypeError(
        `\`hooks\` is "${style}", and there is no \`runner\` that runs them. Give one, or a function.`,
      )
    }
    if (options === undefined) return undefined
    throw new TypeError('There are options `scripts` and nothing that runs them. Give `runner` too, or leave both out.')
  }
  checkRunner(runner)
  if (options !== undefined && (typeof options !== 'object' || options === null)) {
    throw new TypeError('`scripts` does not hold options. Give { limits, environment, network }, or leave it out.')
  }
  const { limits, environment = {}, network = false } = (options ?? {}) as ScriptOptions
  if (typeof network !== 'boolean') throw new TypeError('`scripts.network` is not true or false.')
  return {
    runner,
    limits: resolveScriptLimits(limits),
    environment: readEnvironment(environment),
    network,
    ...(style !== undefined && { hooks: style }),
  }
}

function checkRunner(runner: unknown): asserts runner is ScriptRunner {
  const { name, isolation, supports, run } = record(runner)
  const { name: kind, isolated, notes } = record(isolation)
  const problem =
    typeof name !== 'string' || name === ''
      ? 'has no `name`'
      : typeof kind !== 'string' || kind === '' || typeof isolated !== 'boolean' || !isTexts(notes)
        ? 'has no `isolation` with a `name`, `isolated` and `notes`'
        : typeof supports !== 'function' || typeof run !== 'function'
          ? 'has no `supports` or no `run`'
          : undefined
  if (problem === undefined) return
  throw new TypeError(`\`runner\` ${problem}. Give one of those of @repertoire/runners, or an object of their shape.`)
}

function readEnvironment(environment: unknown): Readonly<Record<string, string>> {
  if (typeof environment !== 'object' || environment === null || Array.isArray(environment)) {
    throw new TypeError('`scripts.environment` does not hold variables. Give { NAME: "value" }.')
  }
  const copy: [string, string][] = []
  for (const [name, value] of Object.entries(environment) as [string, unknown][]) {
    if (!/^[A-Za-z_]\w*$/.test(name) || RUNNERS_OWN.has(name)) {
      const why = RUNNERS_OWN.has(name) ? 'is set by the runner' : 'is not the name of a variable'
      throw new TypeError(`\`scripts.environment\` holds ${quote(name)}, which ${why}. Take it out.`)
    }
    if (typeof value !== 'string' || value.includes('\0')) {
      throw new TypeError(`\`scripts.environment.${name}\` is not a text without NUL.`)
    }
    copy.push([name, value])
  }
  return Object.freeze(Object.fromEntries(copy))
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
