import type { Show } from './system.ts'

interface Entry {
  readonly title: string
  /** `own`: this project; `peer`: what a user would take instead. */
  readonly role: 'own' | 'peer'
  readonly load: () => Promise<{ readonly show: Show }>
}

/**
 * Systems that show skills to a model, in the order of the table. Each is loaded in its own process.
 *
 * Peers that install more than 60 MB are left out: Mastra, VoltAgent, ADK, Genkit and pi. So is Strands, which would
 * change the optional dependencies that our packages are tested with.
 */
export const SYSTEMS = {
  repertoire: {
    title: 'repertoire',
    role: 'own',
    load: async () => ({ show: (await import('./repertoire.ts')).show }),
  },
  repertoireFiles: {
    title: 'repertoire, the agent has Read and Bash',
    role: 'own',
    load: async () => ({ show: (await import('./repertoire.ts')).showWithFileTools }),
  },
  cloudflare: { title: 'Cloudflare agents', role: 'peer', load: () => import('./cloudflare.ts') },
  openai: { title: 'OpenAI Agents', role: 'peer', load: () => import('./openai.ts') },
  deepagents: { title: 'deepagents', role: 'peer', load: () => import('./deepagents.ts') },
  bashTool: { title: 'bash-tool', role: 'peer', load: () => import('./bash-tool.ts') },
} as const satisfies Record<string, Entry>

export type SystemId = keyof typeof SYSTEMS
