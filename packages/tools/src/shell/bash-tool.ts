import {
  anyText,
  checkOptions,
  flag,
  functionOf,
  listOf,
  oneOf,
  type OptionTable,
  recordOf,
  required,
  resolveScriptLimits,
  scriptLimitsKind,
  tableOf,
  text,
  withDefault,
} from '@repertoire/core/options'
import {
  type FunctionTool,
  type ScriptIsolation,
  type ScriptLimits,
  type ScriptRunner,
  SkillError,
  type Workspace,
} from '@repertoire/core'
import { z } from 'zod'
import type { CommandResult } from '../command/execute-tool.ts'
import { defineTool } from '../define-tool.ts'
import { runCommand, SHELL } from './run-command.ts'
import { openWorkspace } from './workspace.ts'

/** Options of `openBashTool`. */
export interface BashToolOptions {
  /**
   * The folder that commands work in. Its `protect` and `hide` may also name absolute paths: `policy.protect`, as the
   * host gives it to its repertoire. What lies outside of the folder is not shown to commands.
   */
  readonly workspace: Workspace
  /**
   * Opens what runs the commands, over this workspace, with its real path and with what is to be protected there:
   * `(workspace) => openBubblewrapRunner({ workspace })`. The tool closes it.
   */
  readonly runner: (workspace: Workspace) => ScriptRunner | Promise<ScriptRunner>
  /**
   * Whether commands may change `.git` in the workspace. Git runs what its folder says: a hook that is written there
   * runs later, with the rights of whoever calls git. Default `read`.
   */
  readonly git?: 'read' | 'write' | undefined
  /** Whether commands may use the network, as far as the runner can forbid it. Default false. */
  readonly network?: boolean | undefined
  /** How much a command may use. Defaults are those of `ScriptLimits`. */
  readonly limits?: Partial<ScriptLimits> | undefined
  /** Variables that each command has. Nothing of the host's environment is added. Default: none. */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** What the tool is called. Default `Bash`, which the gate knows. */
  readonly name?: string | undefined
  /** Takes a runner without isolation: its commands have the host's rights, and nothing is protected. Default false. */
  readonly allowWithoutIsolation?: boolean | undefined
}

export const BASH_OPTIONS: OptionTable<BashToolOptions> = {
  workspace: required(
    tableOf<Workspace>({
      path: required(text),
      access: withDefault('read', oneOf('read', 'write')),
      protect: listOf(text, 'a list of paths'),
      hide: listOf(text, 'a list of paths'),
    }),
  ),
  runner: required(
    functionOf('a function that opens a runner, such as (workspace) => openBubblewrapRunner({ workspace })'),
  ),
  git: withDefault('read', oneOf('read', 'write')),
  network: withDefault(false, flag),
  limits: scriptLimitsKind,
  environment: recordOf(anyText, 'an object of variables'),
  name: withDefault('Bash', text),
  allowWithoutIsolation: withDefault(false, flag),
}

/** A tool for commands, with a runner behind it that is to be closed. */
export interface BashTool extends FunctionTool {
  /** What stands between a command and the host. */
  readonly isolation: ScriptIsolation
  /** Ends what still runs, and closes the runner. */
  close(): Promise<void>
}

/**
 * Opens the tool `Bash`: a shell over the host's working folder, inside a runner. Rules of skills and of the host judge
 * the text of a command before it runs; what they cannot see in a text, the sandbox holds. A first command runs before
 * this resolves.
 * @throws {TypeError} an option does not have the shape named here, or something cannot be protected
 * @throws {SkillError} SCRIPT_NOT_STARTED: the runner does not isolate, has no bash, or does not show the workspace
 */
export async function openBashTool(options: BashToolOptions): Promise<BashTool> {
  checkOptions('openBashTool', BASH_OPTIONS, options)
  const { name = 'Bash', network = false, environment = {} } = options
  const limits = resolveScriptLimits(options.limits)
  const settings = { network, environment, limits }
  const { access = 'read' } = options.workspace
  const runner = await options.runner(openWorkspace(options.workspace, options.git ?? 'read'))
  try {
    checkRunner(runner, options.allowWithoutIsolation ?? false)
    const { exitCode, signalName, stdout, stderr } = await runCommand(runner, 'echo ready', settings, undefined)
    if (exitCode !== 0 || stdout !== 'ready\n') {
      throw refused(
        `A first command in "${runner.name}" failed (${signalName ?? exitCode ?? 'no exit code'}): ${stderr.trim()} ` +
          'A runner for this tool is opened with the workspace that it is given.',
      )
    }
  } catch (error) {
    await runner.close?.()
    throw error
  }
  const tool = defineTool({
    name,
    description: describe(runner, access, network),
    risk: 'risky',
    input: z.strictObject({
      command: z
        .string()
        .min(1)
        .max(100_000)
        .refine((line) => !line.includes('\0'), 'it holds a character that no file of text has')
        .describe('What bash is to read.'),
      timeoutMs: z.int().min(1).max(limits.timeout).optional().describe('How long it may take, in milliseconds.'),
    }),
    run: ({ command, timeoutMs = limits.timeout }, signal): Promise<CommandResult> =>
      runCommand(runner, command, { ...settings, limits: { ...limits, timeout: timeoutMs } }, signal),
  })
  return { ...tool, isolation: runner.isolation, close: async () => runner.close?.() }
}

/** @throws {SkillError} SCRIPT_NOT_STARTED */
function checkRunner(runner: ScriptRunner, withoutIsolation: boolean): void {
  if (!runner.isolation.isolated && !withoutIsolation) {
    throw refused(
      `The runner "${runner.name}" does not isolate: its commands would have the rights of the host. ` +
        'Open one that does, or say `allowWithoutIsolation: true`.',
    )
  }
  const supported = runner.supports(SHELL)
  if (supported !== true) throw refused(supported)
}

function refused(reason: string): SkillError {
  return new SkillError('SCRIPT_NOT_STARTED', reason)
}

function describe({ isolation }: ScriptRunner, access: 'read' | 'write', network: boolean): string {
  const changes = access === 'read' ? 'can be read and not changed' : 'may be protected from changes'
  return `Runs a command line with bash (${isolation.name}) and returns its exit code and output. Each call is a new shell in the folder with the user's files: a working folder and variables do not stay. These files ${changes}. ${network ? '' : 'There is no network. '}$TMPDIR can be written to, and is removed afterwards.`
}
