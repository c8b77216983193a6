export { httpRequestTool } from './http/request-tool.ts'
export type { HttpMethod, HttpRequestToolOptions, HttpResponse } from './http/request-tool.ts'
export type { ResolveName } from './http/connector.ts'
export type { ToolErrorCode, ToolResult } from './result.ts'
