import type { AssistantMessage, ProviderPart } from '../model.ts'

/**
 * Where servers put what a model thinks: DeepSeek, Qwen and older vLLM, and Ollama, OpenRouter and newer vLLM. It is
 * sent back under the name that it came with.
 */
const FIELDS = ['reasoning_content', 'reasoning'] as const

type Detail = Readonly<Record<string, unknown>>

/** The reasoning in a message, by the field that it came in. */
export type Reasoning = { readonly [field in (typeof FIELDS)[number]]?: string } & {
  /** OpenRouter's: reasoning in parts, with signatures or encrypted. */
  readonly reasoning_details?: readonly Detail[]
}

/** Joins the reasoning of a message, which may come in pieces. */
export function reasoningPieces(): { readonly whole: Reasoning; add(piece: object): void } {
  const whole: { [field in (typeof FIELDS)[number]]?: string } & { reasoning_details?: Detail[] } = {}
  return {
    whole,
    add(piece) {
      const given = piece as Readonly<Record<string, unknown>>
      for (const field of FIELDS) {
        const text = given[field]
        if (typeof text === 'string' && text !== '') whole[field] = (whole[field] ?? '') + text
      }
      const details = given['reasoning_details']
      if (Array.isArray(details)) whole.reasoning_details = joined(whole.reasoning_details ?? [], details as Detail[])
    },
  }
}

/** Adds parts. The first may be a piece of the last part before it: it then has that part's index and type. */
function joined(before: readonly Detail[], [first, ...others]: readonly Detail[]): Detail[] {
  const last = before.at(-1)
  if (first === undefined) return [...before]
  const continues = last?.['index'] !== undefined && last['index'] === first['index'] && last['type'] === first['type']
  return continues ? [...before.slice(0, -1), continued(last, first), ...others] : [...before, first, ...others]
}

function continued(last: Detail, piece: Detail): Detail {
  const fields = Object.entries(piece)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => {
      const before = last[name]
      return [name, PIECED.has(name) && typeof before === 'string' ? `${before}${String(value)}` : value] as const
    })
  return { ...last, ...Object.fromEntries(fields) }
}

/** The fields of a part that are streamed in pieces. */
const PIECED: ReadonlySet<string> = new Set(['text', 'summary', 'data'])

/**
 * Reasoning, and what came beside each call, as a message keeps them; undefined if there is neither. Another model is
 * not sent them: its server may refuse the fields.
 * @param extras the `extra_content` of each call, where Gemini's endpoint for chat completions signs calls
 */
export function keptPart(reasoning: Reasoning, extras: readonly unknown[], model: string): ProviderPart | undefined {
  const content = [
    ...(Object.keys(reasoning).length > 0 ? [reasoning] : []),
    ...(extras.some((extra) => extra !== undefined) ? [{ call_extras: extras.map((extra) => extra ?? null) }] : []),
  ]
  return content.length === 0 ? undefined : { vendor: vendorOf(model), content }
}

/** What is sent back with a message: the reasoning that the same model wrote in it. */
export function keptReasoning(message: AssistantMessage, model: string): Reasoning {
  const kept = reasoningPieces()
  for (const part of partsOf(message, model)) kept.add(part)
  return kept.whole
}

/** The `extra_content` of each call of a message. Empty: the message has none, or its calls are no longer the same. */
export function keptExtras(message: AssistantMessage, model: string): readonly unknown[] {
  for (const part of partsOf(message, model)) {
    const { call_extras: extras } = part as { readonly call_extras?: unknown }
    if (Array.isArray(extras) && extras.length === message.calls?.length) return extras
  }
  return []
}

function partsOf({ provider }: AssistantMessage, model: string): readonly object[] {
  return provider?.vendor === vendorOf(model) ? (provider.content as readonly object[]) : []
}

function vendorOf(model: string): string {
  return `openai-compatible:${model}`
}
