import type { FunctionTool } from '@repertoire/core'
import { show } from './failure.ts'

/**
 * The bench's host tools. They have no effects: each returns a text made from its input, such as `ran: git status`, so
 * that a check can tell which call a result belongs to.
 */
export const benchTools: readonly FunctionTool[] = [
  benchTool('Bash', 'Runs a command in a shell.', { command: 'The command line.' }, ({ command }) => `ran: ${command}`),
  benchTool(
    'Read',
    'Reads a file.',
    { file_path: 'The path of the file.' },
    ({ file_path }) => `content of ${file_path}`,
  ),
  benchTool(
    'Write',
    'Writes a file.',
    { file_path: 'The path of the file.', content: 'The whole new content.' },
    ({ file_path, content }) => `wrote ${content?.length} characters to ${file_path}`,
  ),
  benchTool('WebFetch', 'Fetches a page.', { url: 'The address of the page.' }, ({ url }) => `fetched ${url}`),
]

/** A host tool that really ran. */
export interface ToolRun {
  readonly tool: string
  readonly input: unknown
  readonly callId: string
}

/** Copies of the tools that record each run in `runs` before it begins. */
export function recordRuns(tools: readonly FunctionTool[], runs: ToolRun[]): FunctionTool[] {
  return tools.map((tool) => ({
    ...tool,
    execute(input, options) {
      // A copy, since a tool may change its input.
      runs.push({ tool: tool.name, input: structuredClone(input), callId: options.callId })
      return tool.execute(input, options)
    },
  }))
}

function benchTool(
  name: string,
  description: string,
  parameters: Readonly<Record<string, string>>,
  answer: (input: Readonly<Record<string, string>>) => string,
): FunctionTool {
  const required = Object.keys(parameters)
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([parameter, text]) => [parameter, { type: 'string', description: text }]),
  )
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    execute(input) {
      const fields = new Map(Object.entries(input ?? {}))
      const missing = required.find((parameter) => typeof fields.get(parameter) !== 'string')
      if (missing !== undefined)
        throw new TypeError(`${name} needs "${missing}" as a string, and was given ${show(input)}.`)
      return answer(input as Readonly<Record<string, string>>)
    },
  }
}
