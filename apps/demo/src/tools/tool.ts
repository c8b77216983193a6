import type { FunctionTool } from '@repertoire/core'

/** A tool whose parameters are all strings. */
export interface ToolParts {
  readonly name: string
  readonly description: string
  /** Name → description for the model. All are required. */
  readonly parameters: Readonly<Record<string, string>>
  /** Returns what the model is shown. If it throws, the model is shown the error's message. */
  readonly run: (input: Readonly<Record<string, string>>) => Promise<string> | string
}

/**
 * A host tool that never throws: each framework words the failure of a tool differently, and here all must show the
 * same text.
 */
export function createTool({ name, description, parameters, run }: ToolParts): FunctionTool {
  const names = Object.keys(parameters)
  const properties = Object.fromEntries(
    Object.entries(parameters).map(([key, text]) => [key, { type: 'string', description: text }]),
  )
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: names, additionalProperties: false },
    async execute(input) {
      const fields = new Map<string, unknown>(Object.entries(input ?? {}))
      const missing = names.find((key) => typeof fields.get(key) !== 'string')
      if (missing !== undefined) return `${name} needs "${missing}", a text.`
      try {
        return await run(Object.fromEntries(fields) as Readonly<Record<string, string>>)
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
    },
  }
}
