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

/**
 * Returns a function that gives every call of an answer a unique id. It is called with every part, in their order, of
 * an answer or of its stream. Calls that the provider carries out keep theirs, by which their results are found.
 * @param makes called with the id of each call
 */
export function withUniqueIds<AnswerPart extends Part>(
  prompt: Prompt,
  makes: (callId: string) => void,
): (part: AnswerPart) => AnswerPart {
  const uniqueId = uniqueCallIds(callIdsOf(prompt))
  // By the id as it was sent: the calls whose input has begun and that are not complete.
  const begun = new Map<string, string[]>()
  return (part) => {
    const isRunByProvider = part.providerExecuted === true
    if (part.type === 'tool-input-start' && !isRunByProvider) {
      const id = uniqueId(String(part.id))
      begun.set(String(part.id), [...(begun.get(String(part.id)) ?? []), id])
      return { ...part, id }
    }
    if (part.type === 'tool-input-delta' || part.type === 'tool-input-end') {
      return { ...part, id: begun.get(String(part.id))?.at(-1) ?? part.id }
    }
    if (part.type !== 'tool-call') return part
    const sent = String(part.toolCallId)
    const toolCallId = isRunByProvider ? sent : (begun.get(sent)?.shift() ?? uniqueId(sent))
    makes(toolCallId)
    return { ...part, toolCallId }
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
