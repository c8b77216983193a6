import type { WindowFit } from './request.ts'

/**
 * Returns the messages that are sent, in a framework's own form. For adapters.
 * @param asMessage makes a summary a message in the user's role
 */
export function sentMessages<Message>(
  fit: WindowFit | undefined,
  messages: readonly Message[],
  asMessage: (summary: string) => Message,
): readonly Message[] {
  if (fit === undefined) return messages
  return fit.messages.map((each) => (typeof each === 'number' ? messages[each]! : asMessage(each.summary)))
}
