import { memorySessions, type SessionStore } from '@repertoire/core'
import type { UIMessage } from 'ai'

// Pages and routes are bundled apart, so they share what one process keeps by `globalThis`. With several machines, keep
// the sessions in `openSessions` of `@repertoire/storage`, and the messages in your database.
const shared = globalThis as { chats?: { sessions: SessionStore; messages: Map<string, UIMessage[]> } }
shared.chats ??= { sessions: memorySessions(), messages: new Map() }
export const { sessions, messages: savedMessages } = shared.chats
