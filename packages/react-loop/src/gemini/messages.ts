import type { ToolCall } from '@repertoire/core'
import { argumentsAsObject } from '@repertoire/core/adapter'
import type { Content, GenerateContentConfig, Part } from '@google/genai/web'
import type { AssistantMessage, Message, ModelRequest, ToolMessage } from '../model.ts'

interface RequestBody {
  readonly contents: Content[]
  readonly config: GenerateContentConfig
}

/** A request in the format of `generateContent`. */
export function requestBody({ system, messages, tools, stop }: ModelRequest, model: string): RequestBody {
  return {
    contents: contentsOf(messages, needsSignatures(model)),
    config: {
      ...(system !== undefined && system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
      ...(tools.length > 0 && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, inputSchema }) => ({
              name,
              description,
              // `parameters` supports only a part of JSON Schema.
              parametersJsonSchema: inputSchema,
            })),
          },
        ],
      }),
      ...(stop !== undefined && { stopSequences: [...stop] }),
    },
  }
}

function contentsOf(messages: readonly Message[], signed: boolean): Content[] {
  const contents: { readonly role: string; readonly parts: Part[]; readonly isResults: boolean }[] = []
  for (const message of messages) {
    if (message.role === 'user') contents.push({ role: 'user', parts: [{ text: message.content }], isResults: false })
    else if (message.role === 'assistant') {
      const parts = modelParts(message, signed)
      if (parts.length > 0) contents.push({ role: 'model', parts, isResults: false })
    } else {
      const last = contents.at(-1)
      // All results of one message are in one content, in the order of its calls.
      if (last?.isResults === true) last.parts.push(wireResult(message))
      else contents.push({ role: 'user', parts: [wireResult(message)], isResults: true })
    }
  }
  return contents.map(({ role, parts }) => ({ role, parts }))
}

function modelParts(message: AssistantMessage, signed: boolean): Part[] {
  const { content, calls = [] } = message
  const kept = keptParts(message)
  if (kept !== undefined) {
    const left = [...calls]
    return kept.map((part) => {
      const call = part.functionCall === undefined ? undefined : left.shift()
      return call === undefined ? part : { ...part, ...wireCall(call) }
    })
  }
  return [
    ...(content === '' ? [] : [{ text: content }]),
    ...calls.map((call, n) => ({ ...wireCall(call), ...(signed && n === 0 && { thoughtSignature: NO_SIGNATURE }) })),
  ]
}

/** The vendor's parts, if they still match the message. */
function keptParts({ content, calls = [], provider }: AssistantMessage): readonly Part[] | undefined {
  if (provider?.vendor !== 'gemini') return undefined
  const parts = provider.content as readonly Part[]
  const text = parts.map((part) => textOf(part)).join('')
  const tools = parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall.name]))
  const fits = text === content && tools.length === calls.length && calls.every(({ tool }, n) => tool === tools[n])
  return fits ? parts : undefined
}

/** The text of a part for the user; not the summary of a thought. */
export function textOf({ text, thought }: Part): string {
  return thought === true ? '' : (text ?? '')
}

// Gemini API guide, "Thought signatures": a placeholder for the signature of another model's call.
const NO_SIGNATURE = 'skip_thought_signature_validator'

/** From Gemini 3 on, a call of the current turn is rejected if the first call of its message has no signature. */
function needsSignatures(model: string): boolean {
  return /(?:^|\/)gemini-(?![12][.-])/.test(model)
}

function wireCall({ id, tool, input }: ToolCall): Part {
  return { functionCall: { id, name: wireName(tool), args: { ...argumentsAsObject(input) } } }
}

function wireResult({ callId, tool, content, isError }: ToolMessage): Part {
  return {
    functionResponse: {
      id: callId,
      name: wireName(tool),
      response: isError ? { error: content } : { output: content },
    },
  }
}

/**
 * A tool name that the API accepts. Models invent names, text protocols allow any, and with one such name every later
 * request would fail.
 */
function wireName(name: string): string {
  const allowed = name.replaceAll(/[^\w.:-]/g, '_').slice(0, 64)
  return /^[A-Za-z_]/.test(allowed) ? allowed : `_${allowed.slice(0, 63)}`
}
