import type { FunctionTool } from '@repertoire/core'
import { checkOptions, either, off, type OptionTable, tableOf } from '@repertoire/core/options'
import { EXECUTE_COMMAND_OPTIONS, executeCommandTool, type ExecuteCommandToolOptions } from './command/execute-tool.ts'
import { FILE_OPERATIONS_OPTIONS, fileOperationsTool, type FileOperationsToolOptions } from './files/operations-tool.ts'
import { HTTP_REQUEST_OPTIONS, httpRequestTool, type HttpRequestToolOptions } from './http/request-tool.ts'
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

export const BUILT_IN_OPTIONS: OptionTable<BuiltInToolsOptions> = {
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
