import type { ToolDefinition } from '@repertoire/core'
import { type Piece, readConversation, readText } from '../conversation.ts'
import type { SentMessage } from '../dialect.ts'
import { absent, array, type Fields, list, object, oneOf } from '../fields.ts'
import { checkChosen, readTools, type ToolReader } from '../tools.ts'
import type { WireRequest } from '../wire.ts'
import { readContents } from './contents.ts'
import { fieldsOf } from './fields.ts'
import { readSchema } from './schema.ts'

/** Gemini API reference, `models.generateContent`. */
const REQUEST = [
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
]
const DECLARATION = [
  'behavior',
  'description',
  'name',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseJsonSchema',
]

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
  const { contents, systemInstruction, tools: given, toolConfig, ...more } = fieldsOf(body, 'The body', REQUEST)
  const declared = list(given ?? [], 'tools', (tool, at) => {
    const { functionDeclarations } = fieldsOf(tool, at, ['functionDeclarations'])
    return array(functionDeclarations, `${at}.functionDeclarations`)
  })
  const tools = readTools(declared.flat(), /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/, readDeclaration)
  if (!absent(toolConfig)) checkToolConfig(toolConfig, tools)
  const prompt = absent(systemInstruction) ? [] : readInstruction(systemInstruction)
  const { responseSchema, responseJsonSchema = responseSchema } = object(
    more.generationConfig ?? {},
    'generationConfig',
  )
  const conversation = readConversation(readContents(contents, model, sent), { together: true }, prompt)
  return { ...conversation, tools, output: responseJsonSchema }
}

/** Parts of text, which the model reads as one. */
function readInstruction(instruction: unknown): Piece[] {
  const { parts } = fieldsOf(instruction, 'systemInstruction', ['parts', 'role'])
  return list(parts, 'systemInstruction.parts', (part, at) => readText(fieldsOf(part, at, ['text']), at))
}

const readDeclaration: ToolReader = (declaration, at) => {
  const { name, description, parameters, parametersJsonSchema } = fieldsOf(declaration, at, DECLARATION)
  if (absent(parameters)) return { name, description, schema: parametersJsonSchema }
  if (absent(parametersJsonSchema)) return { name, description, schema: readSchema(parameters, `${at}.parameters`) }
  throw new TypeError(`${at} has "parameters" and "parametersJsonSchema". Give one of the two.`)
}

const TOOL_CONFIG = ['functionCallingConfig', 'includeServerSideToolInvocations', 'retrievalConfig']
const CALLING = ['allowedFunctionNames', 'mode', 'streamFunctionCallArguments']
const MODES = ['AUTO', 'ANY', 'NONE', 'VALIDATED', 'MODE_UNSPECIFIED']

function checkToolConfig(config: unknown, tools: readonly ToolDefinition[]): void {
  const at = 'toolConfig.functionCallingConfig'
  const { functionCallingConfig = {} } = fieldsOf(config, 'toolConfig', TOOL_CONFIG)
  const { mode = 'AUTO', allowedFunctionNames = [] } = fieldsOf(functionCallingConfig, at, CALLING)
  oneOf(MODES, mode, `${at}.mode`)
  const names = `${at}.allowedFunctionNames`
  checkChosen(array(allowedFunctionNames, names), tools, names)
}
