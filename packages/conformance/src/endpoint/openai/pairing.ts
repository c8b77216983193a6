/**
 * Checks that every call has its result. OpenAI API, error "An assistant message with 'tool_calls' must be followed by
 * tool messages responding to each 'tool_call_id'": nothing may come between a call and its results, no result may
 * be missing, be there twice, or answer a call that was not made.
 *
 * @param messages chat-completions messages whose single fields have been checked
 * @throws {TypeError} naming the message and the call
 */
export function checkPairing(messages: readonly Readonly<Record<string, unknown>>[]): void {
  let open = new Set<string>()
  let called = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    if (message.role === 'tool') {
      const id = message.tool_call_id as string
      if (open.delete(id)) continue
      if (called.has(id)) throw new TypeError(`${at} is a second result of the call "${id}".`)
      throw new TypeError(`${at} answers the call "${id}", which the assistant message before it does not make.`)
    }
    refuseOpen(open, at)
    const calls = (message.role === 'assistant' ? (message.tool_calls ?? []) : []) as readonly { readonly id: string }[]
    called = new Set(calls.map((call) => call.id))
    if (called.size < calls.length) throw new TypeError(`${at} makes two calls of one id.`)
    open = new Set(called)
  }
  refuseOpen(open, 'the end of the messages')
}

function refuseOpen(open: ReadonlySet<string>, at: string): void {
  if (open.size === 0) return
  const ids = [...open].map((id) => `"${id}"`).join(', ')
  throw new TypeError(`${ids} ${open.size === 1 ? 'is a call' : 'are calls'} without a tool message before ${at}.`)
}
