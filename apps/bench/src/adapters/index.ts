import type { PrepareAgent } from './agent.ts'

interface Entry {
  readonly title: string
  readonly load: () => Promise<{ readonly prepareAgent: PrepareAgent }>
}

/** In the order of the table. Each is loaded in its own process. */
export const ADAPTERS = {
  'ai-sdk': { title: 'AI SDK', load: () => import('./ai-sdk.ts') },
  langchain: { title: 'LangChain', load: () => import('./langchain.ts') },
  mastra: { title: 'Mastra', load: () => import('./mastra.ts') },
  'openai-agents': { title: 'OpenAI Agents', load: () => import('./openai-agents.ts') },
  'react-loop': { title: 'ReAct loop', load: () => import('./react-loop.ts') },
} as const satisfies Record<string, Entry>

export type AdapterId = keyof typeof ADAPTERS
