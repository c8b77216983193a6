import type { AdapterSession } from '@repertoire/core/adapter'

/** The system prompt of a model call, with what the conversation has lost of the active skills at its end. */
export async function systemWithLost(
  session: AdapterSession,
  system: string,
  messages: readonly string[],
): Promise<string> {
  const lost = await session.reminder((text) => messages.some((message) => message.includes(text)))
  return lost === undefined ? system : `${system}\n\n${lost}`
}
