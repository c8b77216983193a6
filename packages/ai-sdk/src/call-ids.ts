import { uniqueCallIds } from '@repertoire/core/adapter'
import type { CallOptions } from './call-settings.ts'

type Prompt = CallOptions['prompt']

/** A part of an answer or of its stream, as far as it names a call. */
interface Part {
  readonly type: string
  readonly id?: unknown
  readonly toolCallId?: unknown
  readonly providerExecuted?: boolean | undefined
}

/** The content of an answer whose calls all have different ids. */
export function idsOfAnswer<Content extends Part>(content: readonly Content[], prompt: Prompt): Content[] {
  const withUniqueIds = idsOfStream<Content>(prompt)
  return content.map((part) => withUniqueIds(part))
}

/**
 * Returns a function that gives every call of a stream a unique id. It is called with every part, in their order.
 * Calls that the provider carries out keep theirs, by which their results are found.
 */
export function idsOfStream<StreamPart extends Part>(prompt: Prompt): (part: StreamPart) => StreamPart {
  const uniqueId = uniqueCallIds(callIdsOf(prompt))
  // By the id as it was sent: the calls whose input has begun and that are not complete.
  const begun = new Map<string, string[]>()
  return (part) => {
    if (part.providerExecuted === true) return part
    if (part.type === 'tool-input-start') {
      const id = uniqueId(String(part.id))
      begun.set(String(part.id), [...(begun.get(String(part.id)) ?? []), id])
      return { ...part, id }
    }
    if (part.type === 'tool-input-delta' || part.type === 'tool-input-end') {
      return { ...part, id: begun.get(String(part.id))?.at(-1) ?? part.id }
    }
    if (part.type !== 'tool-call') return part
    return { ...part, toolCallId: begun.get(String(part.toolCallId))?.shift() ?? uniqueId(String(part.toolCallId)) }
  }
}

function callIdsOf(prompt: Prompt): readonly string[] {
  const ids: string[] = []
  for (const { role, content } of prompt) {
    if (role !== 'assistant') continue
    for (const part of content) if (part.type === 'tool-call') ids.push(part.toolCallId)
  }
  return ids
}
