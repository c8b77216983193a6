import { createSdkMcpServer } from '@anthropic-ai/claude-agent-sdk'
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { FunctionTool, StepView, ToolCall, ToolDefinition } from '@repertoire/core'
import { failureText } from '@repertoire/core/adapter'
import type { ShownResult } from './calls.ts'

/** The name of the MCP server that has the skill tools and the host's functions. */
export const SERVER = 'skills'

const PREFIX = `mcp__${SERVER}__`

/** Returns the name that a tool of this server has for the session; undefined for tools of others. */
export function ownName(tool: string): string | undefined {
  return tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : undefined
}

/** Returns the name by which the model calls a tool of this server. */
export function wireName(tool: string): string {
  return `${PREFIX}${tool}`
}

/** Claude Code saves longer results in files, which the model would have to read. */
const MAX_RESULT_CHARS = 500_000

/** How long Claude Code may take to read a changed list of tools. */
const LIST_MS = 2_000

/**
 * Creates the MCP server of a query. It runs in this process; Claude Code calls it over its own pipe.
 * @param run carries a call out, and returns what the model is shown
 */
export function createSkillServer(functions: readonly FunctionTool[], run: (call: ToolCall) => Promise<ShownResult>) {
  const config = createSdkMcpServer({ name: SERVER, alwaysLoad: true })
  const { server } = config.instance
  server.registerCapabilities({ tools: { listChanged: true } })
  // What Claude Code has offered once, it goes on offering: a call of it must reach the session.
  const offered = new Map(functions.map((each) => [each.name, asTool(each, each.risk === 'safe')]))
  let tools: readonly object[] = []
  let isRead = false
  let onRead: (() => void) | undefined
  // By the schemas of core, which `tool()` would take as those of Zod alone.
  server.setRequestHandler(ListToolsRequestSchema, () => {
    isRead = true
    onRead?.()
    return { tools: tools as any[] }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const { name, arguments: input = {}, _meta } = params
    const id = _meta?.['claudecode/toolUseId']
    const call = { id: typeof id === 'string' ? id : crypto.randomUUID(), tool: name, input }
    const { ok, text } = await run(call).catch((error: unknown) => ({ ok: false, text: failureText(error) }))
    return { content: [{ type: 'text', text }], isError: !ok }
  })
  return {
    config,
    /** Offers the tools of a step. Resolves when Claude Code has read a list that has changed. */
    async show(view: StepView): Promise<void> {
      for (const tool of view.tools) offered.set(tool.name, asTool(tool, true))
      const shown = [...offered.values()]
      const isSame = JSON.stringify(shown) === JSON.stringify(tools)
      tools = shown
      if (isSame || !isRead) return
      const read = new Promise<void>((resolve) => (onRead = resolve))
      await server.sendToolListChanged()
      await Promise.race([read, new Promise<void>((resolve) => void setTimeout(resolve, LIST_MS).unref())])
    },
  }
}

function asTool({ name, description, inputSchema }: ToolDefinition, readOnlyHint: boolean): object {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    annotations: { readOnlyHint },
    _meta: { 'anthropic/alwaysLoad': true, 'anthropic/maxResultSizeChars': MAX_RESULT_CHARS },
  }
}
