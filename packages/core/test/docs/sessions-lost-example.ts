import type { Step } from '@repertoire/core/adapter'

/** The system prompt of a model call, with what the conversation has lost of the active skills at its end. */
export async function systemWithLost(step: Step, system: string, messages: readonly string[]): Promise<string> {
  const lost = await step.reminder((text) => messages.some((message) => message.includes(text)))
  return lost === undefined ? system : `${system}\n\n${lost}`
}
