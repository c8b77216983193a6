import type { FunctionTool } from '@repertoire/core'
import type { ToolErrorCode, ToolResult } from '../src/index.ts'

/** Calls a tool as a framework does. */
export function run<T>(tool: FunctionTool, input: unknown, signal?: AbortSignal): Promise<ToolResult<T>> {
  return tool.execute(input, { callId: 'call-1', signal }) as Promise<ToolResult<T>>
}

/** The result of a call that succeeds. */
export async function resultOf<T>(tool: FunctionTool, input: unknown): Promise<T> {
  const outcome = await run<T>(tool, input)
  if (!outcome.success) throw new Error(`${outcome.error.code}: ${outcome.error.message}`)
  return outcome.result
}

/** The code of a call that fails. */
export async function codeOf(tool: FunctionTool, input: unknown): Promise<ToolErrorCode> {
  return (await errorOf(tool, input)).code
}

/** Code and message of a call that fails. */
export async function errorOf(
  tool: FunctionTool,
  input: unknown,
): Promise<{ readonly code: ToolErrorCode; readonly message: string }> {
  const outcome = await run(tool, input)
  if (outcome.success) throw new Error(`It succeeded: ${JSON.stringify(outcome.result)}`)
  return outcome.error
}
