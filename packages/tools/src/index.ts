export { builtInTools } from './built-in-tools.ts'
export type { BuiltInToolsOptions } from './built-in-tools.ts'
export { openBuiltInTools } from './open-built-in-tools.ts'
export type { OpenBuiltInToolsOptions, OpenedTools } from './open-built-in-tools.ts'
export { httpRequestTool } from './http/request-tool.ts'
export type { HttpMethod, HttpRequestToolOptions, HttpResponse } from './http/request-tool.ts'
export type { ResolveName } from './http/connector.ts'
export type { ToolErrorCode, ToolResult } from './result.ts'
export { executeCommandTool } from './command/execute-tool.ts'
export type { CommandResult, ExecuteCommandToolOptions } from './command/execute-tool.ts'
export { openBashTool } from './shell/bash-tool.ts'
export type { BashTool, BashToolOptions } from './shell/bash-tool.ts'
export type { CommandWorkspace } from './shell/workspace.ts'
export { fileOperationsTool } from './files/operations-tool.ts'
export type { FileOperationsResult, FileOperationsToolOptions, ReadFile } from './files/operations-tool.ts'
export type { WrittenFile } from './files/change.ts'
export type { FileOperation } from './files/input.ts'
export type { FolderEntries, ListedEntry } from './files/list.ts'
export { executeSqlTool } from './sql/execute-tool.ts'
export type { ExecuteSqlToolOptions } from './sql/execute-tool.ts'
export type {
  PostgresClient,
  PostgresConnection,
  PostgresPool,
  PostgresQuery,
  PostgresResult,
} from './sql/postgres-connection.ts'
export type { SqliteConnection } from './sql/sqlite.ts'
export type { SqlAccess, SqlResult } from './sql/statement.ts'
