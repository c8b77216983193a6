import type { AdapterDriver } from '@repertoire/conformance'
import { openAdapterSession } from '@repertoire/core/adapter'
import { createAgent } from './agent.ts'
import { openConversation, type SavedConversation } from './conversation.ts'

/** The agent alone: a handler is asked for consent, and nothing is stored. */
export const agentDriver: AdapterDriver = {
  name: 'careful agent',
  variants: [{ name: 'run' }],
  capabilities: {
    abort: true,
    parallelCalls: true,
    hiding: true,
    continuation: true,
    compaction: true,
    output: true,
    handoff: { absent: 'one agent runs a conversation' },
    suspend: { absent: 'consent is asked by a handler' },
    resume: { absent: 'conversations are not stored' },
    approval: true,
  },
  start: async ({ repertoire, session: options, ...task }) => {
    const hostTools = task.tools.map(({ name }) => name)
    const session = openAdapterSession(repertoire, { ...options, hostTools })
    const agent = createAgent({ ...task, session })
    return {
      send: async (text, { signal } = {}) => ({ status: 'done', text: await agent.run(text, signal) }),
      forget: async () => agent.forget(),
      active: async () => session.activeSkills,
      end: () => session.end(),
      answer: () => Promise.reject(new Error('There is nothing to answer.')),
      save: () => Promise.reject(new Error('There is nothing to save.')),
    }
  },
}

/** The conversation that stops for consent and goes on later, also elsewhere. */
export const conversationDriver: AdapterDriver = {
  name: 'careful conversation',
  variants: [{ name: 'run' }],
  capabilities: { ...agentDriver.capabilities, suspend: true, resume: true },
  start: async ({ session: options, saved, ...task }) => {
    const conversation = openConversation({ ...task, options, saved: saved as SavedConversation | undefined })
    const { session } = conversation
    return {
      send: (text, { signal, answers } = {}) => conversation.send(text, signal, answers),
      answer: (answers, { signal } = {}) => conversation.answer(answers, signal),
      save: async () => conversation.save(),
      forget: async () => conversation.forget(),
      active: async () => session.activeSkills,
      end: () => session.end(),
    }
  },
}
