import { encodeMessage } from '../answer.ts'
import { checkArguments } from '../call-input.ts'
import {
  type Piece,
  readConversation,
  readPieces,
  readRefusal,
  readTextOrSkip,
  type Said,
  textOf,
} from '../conversation.ts'
import type { Dialect } from '../dialect.ts'
import { absent, type Fields, list, object, oneOf, pick, string, text } from '../fields.ts'
import { readTools, type ToolReader } from '../tools.ts'

/**
 * OpenAI chat completions with native tool calls: the default dialect. It refuses what OpenAI's API and other servers
 * of its protocol refuse, so that an adapter which passes here also works there.
 */
export const nativeTools: Dialect = {
  name: 'native tool calls',
  decode(body) {
    const { messages, tools, stream, response_format: format } = object(body, 'the body')
    const said = notEmpty(list(messages, 'messages', readMessage), 'messages')
    if (Array.isArray(tools)) notEmpty(tools, 'tools')
    return {
      ...readConversation(said, {}),
      tools: readTools(tools, /^[a-zA-Z0-9_-]{1,64}$/, readTool),
      stream: stream === true,
      ...(!absent(format) && { output: schemaOf(object(format, 'response_format')) }),
    }
  },
  encode: encodeMessage,
}

/** OpenAI API reference, "Create chat completion", `response_format`. */
function schemaOf({ type, json_schema: named }: Fields): unknown {
  return type === 'json_schema' ? object(named, 'response_format.json_schema').schema : undefined
}

/** OpenAI API reference, "Create chat completion", `messages`. */
const ROLES: Readonly<Record<string, readonly [Said['role'], (fields: Fields, at: string) => Piece[]]>> = {
  system: ['system', readContent],
  developer: ['system', readContent],
  user: ['user', readContent],
  assistant: ['assistant', readAssistant],
  tool: ['user', readResult],
}

function readMessage(fields: Fields, at: string): Said {
  const [role, read] = pick(ROLES, fields.role, `${at}.role`)
  return { at, role, pieces: notEmpty(read(fields, at), `${at}.content`) }
}

function readContent({ content }: Fields, at: string): Piece[] {
  return readPieces(content, `${at}.content`, readTextOrSkip)
}

function readResult({ tool_call_id: id, content }: Fields, at: string): Piece[] {
  const callId = string(id, `${at}.tool_call_id`)
  return [{ at, result: { callId, text: textOf(readPieces(content, `${at}.content`, readTextOrSkip)) } }]
}

function readAssistant(fields: Fields, at: string): Piece[] {
  const { content, refusal, tool_calls: calls, reasoning_content: thought } = fields
  const made = absent(calls) ? [] : notEmpty(list(calls, `${at}.tool_calls`, readCall), `${at}.tool_calls`)
  const others = [...(absent(refusal) ? [] : [readRefusal(fields, at)]), ...made]
  return [
    ...(absent(thought) ? [] : [{ at, thought: text(thought, `${at}.reasoning_content`) }]),
    // Only a message that has something else may lack a content.
    ...(absent(content) && others.length > 0 ? [] : readContent(fields, at)),
    ...others,
  ]
}

function readCall({ id, type, function: called }: Fields, at: string): Piece {
  oneOf(['function'], type, `${at}.type`)
  const { name, arguments: given } = object(called, `${at}.function`)
  const call = {
    id: string(id, `${at}.id`),
    tool: string(name, `${at}.function.name`),
    arguments: checkArguments(given, `${at}.function.arguments`),
  }
  return { at, call }
}

const readTool: ToolReader = ({ type, function: declared }, at) => {
  oneOf(['function'], type, `${at}.type`)
  const { name, description, parameters: schema } = object(declared, `${at}.function`)
  return { name, description, schema }
}

/** OpenAI refuses empty lists of messages, tools and calls: it wants them left out. */
function notEmpty<T>(items: readonly T[], at: string): readonly T[] {
  if (items.length > 0) return items
  throw new TypeError(`${at} is empty. It needs something in it, or is left out.`)
}
