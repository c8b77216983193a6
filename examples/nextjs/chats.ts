import { memorySessions, type SessionStore } from '@repertoire/core'
import type { UIMessage } from 'ai'

// Pages and routes are bundled apart, and share `globalThis`. With several machines, use `@repertoire/storage`.
const shared = globalThis as { chats?: { sessions: SessionStore; messages: Map<string, UIMessage[]> } }
shared.chats ??= { sessions: memorySessions(), messages: new Map() }
export const { sessions, messages: savedMessages } = shared.chats
