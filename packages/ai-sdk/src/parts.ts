import type { ModelMessage } from 'ai'

/** A part of a message. */
export type Part = Exclude<Exclude<ModelMessage, { role: 'system' }>['content'], string>[number]

/** The parts of a message; empty if it is plain text. */
export function partsOf(message: ModelMessage | undefined): readonly Part[] {
  return message === undefined || typeof message.content === 'string' ? [] : message.content
}
