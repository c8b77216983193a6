import type { ToolDefinition } from '@repertoire/core'
import { absent, type Fields, list, object, string, text } from './fields.ts'

/** Finds what a tool of a request says about itself. A schema that is left out is one without parameters. */
export type ToolReader = (tool: Fields, at: string) => Readonly<Record<'name' | 'description' | 'schema', unknown>>

/**
 * Returns the tools of a request.
 * @param names what the vendor takes as a name
 * @throws {TypeError} naming the tool
 */
export function readTools(value: unknown, names: RegExp, read: ToolReader): ToolDefinition[] {
  const seen = new Set<string>()
  return list(value ?? [], 'tools', (tool, at) => {
    const { name: given, description, schema } = read(tool, at)
    const name = string(given, `${at}.name`)
    if (!names.test(name)) {
      throw new TypeError(`${at}.name is ${JSON.stringify(name)}, which does not match ${names.source}.`)
    }
    if (seen.has(name)) throw new TypeError(`${at} is the second tool named "${name}". Offer each name once.`)
    seen.add(name)
    const inputSchema = absent(schema) ? { type: 'object', properties: {} } : object(schema, `${at}, its schema,`)
    if (inputSchema.type !== 'object') {
      throw new TypeError(`${at} has a schema of the type ${JSON.stringify(inputSchema.type)}, not "object".`)
    }
    return { name, description: absent(description) ? '' : text(description, `${at}.description`), inputSchema }
  })
}

/** @throws {TypeError} if a tool that the model must call is not offered */
export function checkChosen(names: readonly unknown[], tools: readonly ToolDefinition[], at: string): void {
  const unknown = names.find((name) => !tools.some((tool) => tool.name === name))
  if (unknown !== undefined) throw new TypeError(`${at} is ${JSON.stringify(unknown)}, which is not one of the tools.`)
}
