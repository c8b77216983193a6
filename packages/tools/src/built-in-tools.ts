import type { FunctionTool, ScriptIsolation } from '@repertoire/core'
import { checkOptions, either, off, type OptionTable, tableOf } from '@repertoire/core/options'
import { EXECUTE_COMMAND_OPTIONS, executeCommandTool, type ExecuteCommandToolOptions } from './command/execute-tool.ts'
import { FILE_OPERATIONS_OPTIONS, fileOperationsTool, type FileOperationsToolOptions } from './files/operations-tool.ts'
import { HTTP_REQUEST_OPTIONS, httpRequestTool, type HttpRequestToolOptions } from './http/request-tool.ts'
import { BASH_OPTIONS, type BashToolOptions, openBashTool } from './shell/bash-tool.ts'
import { EXECUTE_SQL_OPTIONS, executeSqlTool, type ExecuteSqlToolOptions } from './sql/execute-tool.ts'

/** Options of `builtInTools`: those of each tool, or `false` to leave it out. */
export interface BuiltInToolsOptions {
  /** `http_request`. Default: public addresses. */
  readonly http?: HttpRequestToolOptions | false | undefined
  /** `file_operations`. Default: the process's working folder. */
  readonly files?: FileOperationsToolOptions | false | undefined
  /** `execute_command`. Left out unless the host names its programs. */
  readonly command?: ExecuteCommandToolOptions | false | undefined
  /** `execute_sql`. Left out unless the host has a connection. */
  readonly sql?: ExecuteSqlToolOptions | false | undefined
}

const BUILT_IN_OPTIONS: OptionTable<BuiltInToolsOptions> = {
  http: either(off, tableOf(HTTP_REQUEST_OPTIONS)),
  files: either(off, tableOf(FILE_OPERATIONS_OPTIONS)),
  command: either(off, tableOf(EXECUTE_COMMAND_OPTIONS)),
  sql: either(off, tableOf(EXECUTE_SQL_OPTIONS)),
}

/**
 * All the tools that a host wants, in one list: to be made once, at start, and given to its agents.
 * @throws {TypeError} an option does not have the shape named there
 */
export function builtInTools(options: BuiltInToolsOptions = {}): readonly FunctionTool[] {
  checkOptions('builtInTools', BUILT_IN_OPTIONS, options)
  const { http = {}, files = {}, command = false, sql = false } = options
  return [
    ...(http === false ? [] : [httpRequestTool(http)]),
    ...(files === false ? [] : [fileOperationsTool(files)]),
    ...(command === false ? [] : [executeCommandTool(command)]),
    ...(sql === false ? [] : [executeSqlTool(sql)]),
  ]
}

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
 * Opens all the tools that a host wants, the shell among them, in one list: once, at start. Those of `builtInTools`
 * come first, and nothing is opened where one of them cannot be made.
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
