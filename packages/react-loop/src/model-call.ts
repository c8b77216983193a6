import { partsUntilAborted } from '@repertoire/core/adapter'
import { unlessAborted } from './abort.ts'
import type { Model, ModelAnswer, ModelRequest } from './model.ts'
import type { Run } from './options.ts'
import type { Protocol } from './protocol/protocol.ts'

/**
 * Calls the model, and emits the text of a streamed answer piece by piece.
 * @throws the model's error, or the signal's reason if it has aborted
 */
export async function callModel(
  model: Model,
  protocol: Protocol,
  request: ModelRequest,
  { streamed, signal, emit }: Run,
): Promise<ModelAnswer> {
  try {
    if (!streamed) return protocol.read(await unlessAborted(async () => model.complete(request, { signal }), signal))
    let received = ''
    let shown = ''
    const show = (text: string): void => {
      if (text.length <= shown.length) return
      emit({ type: 'text-delta', text: text.slice(shown.length) })
      shown = text
    }
    for await (const part of partsUntilAborted(model.stream(request, { signal }), signal)) {
      if (part.type === 'answer') {
        const answer = protocol.read(part.answer)
        show(answer.text)
        return answer
      }
      received += part.text
      show(protocol.shown(received))
    }
    throw new TypeError('The model\'s stream ended without an answer. Its last part must be of the type "answer".')
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
