import type { Session } from '@repertoire/core'

/** The system prompt of a model call, with what the conversation has lost of the active skills at its end. */
export async function systemWithLost(session: Session, system: string, messages: readonly string[]): Promise<string> {
  const lost = await session.reminder((text) => messages.some((message) => message.includes(text)))
  return lost === undefined ? system : `${system}\n\n${lost}`
}
