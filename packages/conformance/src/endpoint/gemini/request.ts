import type { ToolDefinition } from '@repertoire/core'
import type { SentMessage } from '../dialect.ts'
import { absent, array, type Fields, object, string } from '../fields.ts'
import type { WireRequest } from '../wire.ts'
import { decodeContents } from './contents.ts'
import { fieldsOf, names } from './names.ts'
import { parametersSchema } from './schema.ts'

/** Gemini API reference, `models.generateContent`. */
const REQUEST = names(
  'cachedContent',
  'contents',
  'continuationToken',
  'generationConfig',
  'labels',
  'model',
  'safetySettings',
  'serviceTier',
  'store',
  'systemInstruction',
  'toolConfig',
  'tools',
)
const TOOL = names('functionDeclarations')
const DECLARATION = names(
  'behavior',
  'description',
  'name',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
)
const INSTRUCTION = names('parts', 'role')
const TEXT = names('text')

/**
 * Reads the body of a request.
 * @param model as the address names it
 * @throws {TypeError} if Gemini's API answers with 400
 */
export function decodeRequest(
  body: Fields,
  model: string,
  sent: readonly SentMessage[],
): Omit<WireRequest, 'raw' | 'stream'> {
  const { contents, systemInstruction, tools, toolConfig } = fieldsOf(body, '', REQUEST)
  const declared = tools === undefined ? [] : decodeTools(array(tools, 'tools'))
  checkToolConfig(toolConfig, declared)
  return {
    system: decodeInstruction(systemInstruction),
    tools: declared,
    messages: decodeContents(array(contents, 'contents'), { model, sent }),
  }
}

/** Parts of text, which the model reads as one. */
function decodeInstruction(instruction: unknown): string {
  if (instruction === undefined) return ''
  const { parts } = fieldsOf(instruction, 'system_instruction', INSTRUCTION)
  return array(parts, 'system_instruction.parts')
    .map((part, index) => {
      const at = `system_instruction.parts[${index}]`
      const { text } = fieldsOf(part, at, TEXT)
      if (typeof text !== 'string') throw new TypeError(`${at}.text is not a string.`)
      return text
    })
    .join('')
}

function decodeTools(tools: readonly unknown[]): ToolDefinition[] {
  const seen = new Set<string>()
  return tools.flatMap((tool, index) => {
    const at = `tools[${index}]`
    const { functionDeclarations } = fieldsOf(tool, at, TOOL)
    return array(functionDeclarations, `${at}.function_declarations`).map((declaration, n) => {
      const here = `${at}.function_declarations[${n}]`
      const decoded = decodeDeclaration(fieldsOf(declaration, here, DECLARATION), here)
      if (seen.has(decoded.name)) {
        throw new TypeError(`${here} is the second declaration of "${decoded.name}". Declare each function once.`)
      }
      seen.add(decoded.name)
      return decoded
    })
  })
}

function decodeDeclaration(fields: Fields, at: string): ToolDefinition {
  const name = string(fields.name, `${at}.name`)
  if (!/^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/.test(name)) {
    throw new TypeError(
      `${at}.name is ${JSON.stringify(name)}. A name starts with a letter or "_", and has up to 64 letters, digits, ` +
        '"_", ".", ":" or "-".',
    )
  }
  const { description = '', parameters, parametersJsonSchema: schema } = fields
  if (typeof description !== 'string') throw new TypeError(`${at}.description is not a string.`)
  if (parameters !== undefined && schema !== undefined) {
    throw new TypeError(`${at} has "parameters" and "parametersJsonSchema". Give one of the two.`)
  }
  return { name, description, inputSchema: inputSchema(parameters, schema, at) }
}

/** If both are left out, the function has no parameters. */
function inputSchema(parameters: unknown, jsonSchema: unknown, at: string): Fields {
  if (parameters !== undefined) return parametersSchema(parameters, `${at}.parameters`)
  if (jsonSchema === undefined) return { type: 'object', properties: {} }
  const schema = object(jsonSchema, `${at}.parameters_json_schema`)
  if (schema.type === 'object') return schema
  throw new TypeError(`${at}.parameters_json_schema.type is ${JSON.stringify(schema.type)}, not "object".`)
}

const TOOL_CONFIG = names('functionCallingConfig', 'includeServerSideToolInvocations', 'retrievalConfig')
const CALLING = names('allowedFunctionNames', 'mode', 'streamFunctionCallArguments')
const MODES: ReadonlySet<unknown> = new Set(['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED'])

function checkToolConfig(config: unknown, tools: readonly ToolDefinition[]): void {
  if (config === undefined) return
  const { functionCallingConfig } = fieldsOf(config, 'tool_config', TOOL_CONFIG)
  if (functionCallingConfig === undefined) return
  const at = 'tool_config.function_calling_config'
  const { mode, allowedFunctionNames } = fieldsOf(functionCallingConfig, at, CALLING)
  if (mode !== undefined && !MODES.has(mode)) {
    throw new TypeError(`${at}.mode is ${JSON.stringify(mode)}. Known are AUTO, ANY, NONE and VALIDATED.`)
  }
  const known = new Set(tools.map(({ name }) => name))
  const unknown = absent(allowedFunctionNames)
    ? undefined
    : array(allowedFunctionNames, `${at}.allowed_function_names`).find((name) => !known.has(name as string))
  if (unknown !== undefined) {
    throw new TypeError(`${at}.allowed_function_names has ${JSON.stringify(unknown)}, which is not declared.`)
  }
}
