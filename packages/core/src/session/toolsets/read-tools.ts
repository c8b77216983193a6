import type { FunctionTool } from '@repertoire/gate/internal'
import { isObject, quote } from '@repertoire/skill-md/internal'

/** Tools of one skill. */
const MAX_TOOLS = 64

/** Characters of a tool's description and schema together. */
const MAX_DEFINITION_CHARS = 20_000

/** Names that every provider takes. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Reads what a toolset gave as tools. What is shown of them is copied: it stays what it was when it was read.
 * @throws {TypeError} it is not a list of tools, with what is wrong as the end of a sentence
 */
export function readTools(value: unknown): readonly FunctionTool[] {
  if (!Array.isArray(value)) throw new TypeError('it is not a list of tools, nor a function that gives one')
  if (value.length > MAX_TOOLS) throw new TypeError(`it has ${value.length} tools, of at most ${MAX_TOOLS}`)
  return value.map((tool: unknown, index) => readTool(tool, index + 1))
}

function readTool(tool: unknown, number: number): FunctionTool {
  if (!isObject(tool)) throw new TypeError(`tool ${number} is not an object`)
  const { name, description, inputSchema } = tool
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new TypeError(
      `tool ${number} has no name of at most 64 letters, digits, "_" and "-"${typeof name === 'string' ? `: ${quote(name)}` : ''}`,
    )
  }
  if (typeof description !== 'string') throw new TypeError(`the tool ${quote(name)} has no description`)
  if (typeof tool['execute'] !== 'function') throw new TypeError(`the tool ${quote(name)} has no \`execute\``)
  const schema = copySchema(inputSchema)
  if (schema === undefined) {
    throw new TypeError(`the tool ${quote(name)} has no \`inputSchema\` that is the JSON Schema of an object`)
  }
  if (description.length + JSON.stringify(schema).length > MAX_DEFINITION_CHARS) {
    throw new TypeError(`the tool ${quote(name)} is described in more than ${MAX_DEFINITION_CHARS} characters`)
  }
  return {
    name,
    description,
    inputSchema: schema,
    group: 'toolset',
    // Not taken out of its object: it may be a method.
    execute: (input, options) => (tool as unknown as FunctionTool).execute(input, options),
  }
}

function copySchema(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(schema) ?? 'null')
    return isObject(copy) && copy['type'] === 'object' ? copy : undefined
  } catch {
    return undefined
  }
}
