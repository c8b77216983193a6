import type { FunctionTool, ScriptIsolation } from '@repertoire/core'
import { checkOptions, either, off, tableOf } from '@repertoire/core/options'
import { BUILT_IN_OPTIONS, builtInTools, type BuiltInToolsOptions } from './built-in-tools.ts'
import { BASH_OPTIONS, type BashToolOptions, openBashTool } from './shell/bash-tool.ts'

/** Options of `openBuiltInTools`: those of each tool, or `false` to leave it out. */
export interface OpenBuiltInToolsOptions extends BuiltInToolsOptions {
  /** `Bash`. Left out unless the host names its workspace and what runs the commands. */
  readonly bash?: BashToolOptions | false | undefined
}

/** The tools of a host that wants a shell too, which has to be closed. */
export interface OpenedTools {
  readonly tools: readonly FunctionTool[]
  /** What stands between the commands of `Bash` and the host. Absent: it was left out. */
  readonly isolation?: ScriptIsolation
  /** Ends what still runs, and closes the runner of `Bash`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens all the tools that a host wants, the shell among them, in one list: once, at start. Those of `builtInTools` come
 * first, and nothing is opened where one of them cannot be made.
 * @throws {TypeError} an option does not have the shape named there
 * @throws {SkillError} SCRIPT_NOT_STARTED, as `openBashTool`
 */
export async function openBuiltInTools(options: OpenBuiltInToolsOptions = {}): Promise<OpenedTools> {
  checkOptions<OpenBuiltInToolsOptions>(
    'openBuiltInTools',
    { ...BUILT_IN_OPTIONS, bash: either(off, tableOf(BASH_OPTIONS)) },
    options,
  )
  const { bash = false, ...others } = options
  const tools = builtInTools(others)
  const shell = bash === false ? undefined : await openBashTool(bash)
  const close = async (): Promise<void> => shell?.close()
  return {
    tools: shell === undefined ? tools : [...tools, shell],
    isolation: shell?.isolation,
    close,
    [Symbol.asyncDispose]: close,
  }
}
