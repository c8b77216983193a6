import type { ChatBody, ChatMessage } from '../loop-driver.ts'
import type { Part } from '../gemini-loop.ts'
import { STOPPED } from '../../src/checks/stopping.ts'
import { type Fault, inspecting } from './break.ts'

interface ChatCall {
  readonly id: string
  readonly type: string
  readonly function: { readonly name: string; readonly arguments: string }
}

const callsOf = (message: ChatMessage | undefined): readonly ChatCall[] =>
  (message?.['tool_calls'] ?? []) as readonly ChatCall[]

/** Changes the messages that are sent back. */
const messages =
  (change: (messages: readonly ChatMessage[]) => readonly ChatMessage[]) =>
  (body: ChatBody): ChatBody => ({ ...body, messages: change(body.messages) })

/** Changes every message that calls. */
const calling = (change: (message: ChatMessage, calls: readonly ChatCall[]) => ChatMessage) =>
  messages((all) => all.map((message) => (callsOf(message).length > 0 ? change(message, callsOf(message)) : message)))

/** Changes every call. */
const calls = (change: (call: ChatCall) => ChatCall) =>
  calling((message, made) => ({ ...message, tool_calls: made.map(change) }))

const called = (call: ChatCall, changed: Partial<ChatCall['function']>): ChatCall => ({
  ...call,
  function: { ...call.function, ...changed },
})

/** The results behind a message that calls several tools, changed. */
const resultsTogether = (change: (contents: readonly unknown[]) => readonly unknown[]) =>
  messages((all) =>
    all.map((message, index) => {
      if (message['role'] !== 'tool') return message
      const first = all.findLastIndex((each, at) => at < index && each['role'] !== 'tool') + 1
      const end = all.findIndex((each, at) => at > index && each['role'] !== 'tool')
      const contents = all.slice(first, end === -1 ? undefined : end).map(({ content }) => content)
      return contents.length < 2 ? message : { ...message, content: change(contents)[index - first] }
    }),
  )

/** Removes calls with their results. */
const withoutCalls = (isRemoved: (call: ChatCall, result: string) => boolean) =>
  messages((all) => {
    const results = new Map(all.map((message) => [message['tool_call_id'], String(message['content'])]))
    const removed = new Set(
      all.flatMap((message) =>
        callsOf(message).flatMap((call) => (isRemoved(call, results.get(call.id) ?? '') ? [call.id] : [])),
      ),
    )
    return all
      .filter((message) => !removed.has(String(message['tool_call_id'])))
      .map((message) => {
        const { tool_calls: _, ...rest } = message
        const left = callsOf(message).filter(({ id }) => !removed.has(id))
        return { ...rest, content: rest['content'] ?? '', ...(left.length > 0 && { tool_calls: left }) }
      })
  })

/** The results of calls whose run was aborted. */
const isOfAborted = (message: ChatMessage): boolean =>
  message['role'] === 'tool' && String(message['content']).includes(STOPPED)

/** The position of the last message that is not a skill's content. */
const lastSaid = (all: readonly ChatMessage[]): number =>
  all.findLastIndex(({ role, content }) => role === 'user' && !String(content).startsWith('<'))

/** Changes the messages in front of the last one of a person's: what has been sent once already. */
const earlier = (change: (message: ChatMessage) => readonly ChatMessage[]) =>
  messages((all) => {
    const last = lastSaid(all)
    return all.flatMap((message, index) => (index < last && message['role'] === 'user' ? change(message) : [message]))
  })

const HISTORY = ['history-steps', 'history-parallel', 'history-approval', 'history-consent', 'history-resumed'] as const

const REASONING = [
  'history-reasoning',
  'history-reasoning-answers',
  'history-reasoning-resumed',
  'history-reasoning-forks',
] as const

/** Changes the reasoning that is sent back. */
const reasoning = (change: (text: string) => string | undefined) =>
  messages((all) =>
    all.map(({ reasoning_content: text, ...message }) => {
      const changed = typeof text === 'string' ? change(text) : undefined
      return changed === undefined ? message : { ...message, reasoning_content: changed }
    }),
  )

/** Changes the parts that a model has sent over Gemini. */
const parts = (change: (parts: readonly Part[], index: number) => readonly Part[]) =>
  messages((all) =>
    all.map((message, index) =>
      message['parts'] === undefined ? message : { ...message, parts: change(message['parts'] as Part[], index) },
    ),
  )

export const historyFaults: readonly Fault[] = [
  {
    wrong: "drops the model's reasoning",
    caughtBy: REASONING,
    body: reasoning(() => undefined),
  },
  {
    wrong: "cuts the model's reasoning",
    caughtBy: REASONING,
    body: reasoning((text) => text.slice(0, -1)),
  },
  {
    wrong: "drops the model's reasoning before the current turn",
    caughtBy: ['history-reasoning', 'history-reasoning-answers', 'history-reasoning-resumed'],
    body: (body) => {
      const last = lastSaid(body.messages)
      return messages((all) =>
        all.map((message, index) => {
          const { reasoning_content: _, ...rest } = message
          return index < last ? rest : message
        }),
      )(body)
    },
  },
  {
    wrong: 'drops the signatures of earlier turns over Gemini',
    caughtBy: ['history-reasoning', 'history-reasoning-answers', 'history-reasoning-resumed'],
    protocol: 'gemini',
    body: (body) => {
      const last = lastSaid(body.messages)
      const unsigned = (part: Part): Part => {
        const { thoughtSignature: _, ...rest } = part
        return rest
      }
      return parts((given, index) => (index < last ? given.map(unsigned) : given))(body)
    },
  },
  {
    wrong: 'drops the files that the model made',
    caughtBy: ['history-files'],
    protocol: 'gemini',
    body: parts((given) => given.filter(({ inlineData }) => inlineData === undefined)),
  },
  {
    wrong: 'sends the files that the model made back under another type',
    caughtBy: ['history-files'],
    protocol: 'gemini',
    body: parts((given) =>
      given.map((part) =>
        part['inlineData'] ? { inlineData: { ...part['inlineData'], mimeType: 'image/jpeg' } } : part,
      ),
    ),
  },
  {
    wrong: 'attaches reasoning to every message of the model',
    caughtBy: ['history-reasoning', 'history-reasoning-resumed', 'history-steps'],
    body: messages((all) =>
      all.map((message) => (message['role'] === 'assistant' ? { reasoning_content: 'Hm.', ...message } : message)),
    ),
  },
  {
    wrong: 'sends every past call back with empty arguments',
    caughtBy: [...HISTORY, 'history-forks'],
    body: calls((call) => called(call, { arguments: '{}' })),
  },
  {
    wrong: 'drops the text beside calls',
    caughtBy: [...HISTORY, 'history-forks'],
    body: calling((message) => ({ ...message, content: null })),
  },
  {
    wrong: 'shows the model the name of an internal tool that carries its calls',
    caughtBy: [...HISTORY, 'history-forks'],
    body: calls((call) => called(call, { name: 'carrier' })),
  },
  {
    wrong: 'shows such a name for activations alone',
    caughtBy: ['history-parallel', 'history-consent', 'history-resumed', 'history-forks'],
    body: calls((call) => (call.function.name === 'activate_skill' ? called(call, { name: 'ask_person' }) : call)),
  },
  {
    wrong: 'merges two successive calls into one message',
    caughtBy: ['history-steps', 'history-parallel', 'history-forks'],
    body: messages((all) => {
      const merged: ChatMessage[] = []
      for (const message of all) {
        const at = merged.findLastIndex(({ role }) => role !== 'tool')
        const before = merged[at]
        if (callsOf(message).length === 0 || callsOf(before).length === 0) merged.push(message)
        else merged[at] = { ...before, tool_calls: [...callsOf(before), ...callsOf(message)] }
      }
      return merged
    }),
  },
  {
    wrong: 'gives every call of a message a message of its own',
    caughtBy: ['history-parallel', 'history-approval', 'history-consent'],
    body: messages((all) =>
      all.flatMap((message) => {
        if (message['role'] === 'tool') return []
        const made = callsOf(message)
        return made.length === 0
          ? [message]
          : made.flatMap((call, index) => [
              { ...message, content: index === 0 ? message['content'] : null, tool_calls: [call] },
              ...all.filter((each) => each['tool_call_id'] === call.id),
            ])
      }),
    ),
  },
  {
    wrong: 'sends the calls of a message back in another order',
    caughtBy: ['history-parallel', 'history-approval', 'history-consent'],
    body: calling((message, made) => ({ ...message, tool_calls: made.toReversed() })),
  },
  {
    wrong: 'swaps the results of calls of one message',
    caughtBy: ['history-parallel', 'history-approval', 'history-consent'],
    body: resultsTogether((contents) => contents.toReversed()),
  },
  {
    wrong: 'gives the first result to every call of a message',
    caughtBy: ['history-parallel', 'history-approval', 'history-consent'],
    body: resultsTogether((contents) => contents.map(() => contents[0])),
  },
  {
    wrong: 'forgets earlier turns',
    caughtBy: ['history-steps', 'history-parallel', 'history-resumed', 'history-forks'],
    body: messages((all) => {
      const last = all.findLastIndex(({ role }) => role === 'user')
      return all.filter(({ role }, index) => role === 'system' || index >= last)
    }),
  },
  {
    wrong: 'sends what the model answered back as a word of the person’s',
    caughtBy: ['history-steps', 'history-parallel', 'history-resumed', 'history-forks'],
    body: messages((all) =>
      all.map((message) =>
        message['role'] === 'assistant' && callsOf(message).length === 0 ? { ...message, role: 'user' } : message,
      ),
    ),
  },
  {
    wrong: 'gives every call a new id in every request',
    caughtBy: [...HISTORY, 'history-forks'],
    body(body) {
      const again = (id: unknown): string => `${String(id)}_${body.messages.length}`
      return {
        ...body,
        messages: body.messages.map((message) => ({
          ...message,
          ...(message['tool_call_id'] !== undefined && { tool_call_id: again(message['tool_call_id']) }),
          ...(callsOf(message).length > 0 && {
            tool_calls: callsOf(message).map((call) => ({ ...call, id: again(call.id) })),
          }),
        })),
      }
    },
  },
  {
    wrong: 'hides refused calls from the model behind its next answer',
    caughtBy: ['history-parallel', 'history-consent'],
    body(body) {
      const isNew = body.messages.at(-1)?.['role'] === 'tool'
      return isNew ? body : withoutCalls((_, result) => result.startsWith('{"error"'))(body)
    },
  },
  {
    wrong: 'cuts results that were shown before',
    caughtBy: ['history-steps', 'history-parallel', 'history-approval', 'history-resumed', 'history-forks'],
    body: messages((all) => {
      const last = all.findLastIndex(({ role }) => role !== 'tool')
      return all.map((message, index) =>
        message['role'] === 'tool' && index < last ? { ...message, content: '[cleared]' } : message,
      )
    }),
  },
  {
    wrong: 'makes up a result for a call that was aborted',
    caughtBy: ['history-abort'],
    body: messages((all) => all.map((each) => (isOfAborted(each) ? { ...each, content: 'done' } : each))),
  },
  {
    wrong: 'shows an empty result for a call that was aborted',
    caughtBy: ['history-abort'],
    body: messages((all) => all.map((each) => (isOfAborted(each) ? { ...each, content: '' } : each))),
  },
  {
    wrong: 'leaves a call that was aborted without a result',
    caughtBy: ['history-abort'],
    body: messages((all) => all.filter((each) => !isOfAborted(each))),
  },
  {
    wrong: 'drops the text beside calls that were aborted',
    caughtBy: ['history-abort'],
    body: messages((all) => {
      const aborted = new Set(all.filter(isOfAborted).map((each) => each['tool_call_id']))
      return all.map((each) => (callsOf(each).some(({ id }) => aborted.has(id)) ? { ...each, content: null } : each))
    }),
  },
  {
    wrong: 'forgets the calls that were done beside one that was aborted',
    caughtBy: ['history-abort'],
    body: messages((all) => {
      const aborted = new Set(all.filter(isOfAborted).map((each) => each['tool_call_id']))
      const beside = all.flatMap((each) => {
        const made = callsOf(each).map(({ id }) => id)
        return made.some((id) => aborted.has(id)) ? made.filter((id) => !aborted.has(id)) : []
      })
      return withoutCalls(({ id }) => beside.includes(id))({ messages: all }).messages
    }),
  },
  {
    wrong: 'forgets what it did in a run that was aborted while the model answered',
    caughtBy: ['history-abort'],
    conversation(conversation) {
      let failed = 0
      return {
        async send(text, options) {
          try {
            return await conversation.send(text, options)
          } catch (error) {
            failed += 1
            if (failed === 2) await conversation.forget?.()
            throw error
          }
        },
      }
    },
  },
  {
    wrong: 'sends a person’s `/name` back without the name',
    caughtBy: ['history-invocation'],
    body: earlier((message) => [{ ...message, content: String(message['content']).replace(/^\/[a-z]+ /, '') }]),
  },
  {
    wrong: 'moves what a `/name` brought in front of it, once the turn is over',
    caughtBy: ['history-invocation'],
    body: messages((all) => {
      const last = lastSaid(all)
      const moved = [...all]
      for (const [index, { role, content }] of all.entries()) {
        if (role !== 'user' || index >= last || !String(content).startsWith('<skill_content')) continue
        ;[moved[index - 1], moved[index]] = [all[index]!, all[index - 1]!]
      }
      return moved
    }),
  },
  {
    wrong: 'shows why a `/name` was refused in its own turn alone',
    caughtBy: ['history-invocation'],
    body: earlier((message) => (String(message['content']).includes('"error"') ? [] : [message])),
  },
  {
    wrong: 'saves calls without the texts beside them',
    caughtBy: ['history-resumed'],
    conversation: (conversation) => ({
      save: async () => {
        const saved = (await conversation.save()) as { readonly messages: readonly ChatMessage[] }
        const kept = saved.messages.map((each) => (callsOf(each).length > 0 ? { ...each, content: null } : each))
        return { ...saved, messages: kept }
      },
    }),
  },
  {
    wrong: 'lets a sub-agent forget what it did',
    caughtBy: ['history-forks'],
    body: messages((all) =>
      String(all[1]?.['content']).startsWith('<skill_content') && all.length > 4
        ? [...all.slice(0, 2), ...all.slice(-2)]
        : all,
    ),
  },
  {
    wrong: 'lets nobody be asked about any call beside one that needs no approval',
    caughtBy: ['consent-same-id'],
    session(session) {
      let preapproved = false
      return inspecting((inspected) => {
        preapproved ||= inspected.preapproved
        return { preapproved }
      })(session)
    },
  },
]
