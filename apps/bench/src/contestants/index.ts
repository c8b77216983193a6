import type { Prepare } from './contestant.ts'

/** A contestant in discovery. */
export interface Entry {
  readonly title: string
  /** `floor`: what is measured against; `own`: this project; `peer`: what a user would take instead. */
  readonly role: 'floor' | 'own' | 'peer'
  readonly load: () => Promise<{ readonly prepare: Prepare }>
}

/** In the order of the table. Each is loaded in its own process. */
export const CONTESTANTS = {
  floor: { title: 'floor: open, read 4 KB, close', role: 'floor', load: () => import('./floor.ts') },
  repertoire: { title: 'repertoire', role: 'own', load: () => import('./repertoire.ts') },
  grayMatter: {
    title: 'own code: gray-matter + zod',
    role: 'peer',
    load: async () => ({ prepare: (await import('./own-code.ts')).prepareGrayMatter }),
  },
  skillsRef: { title: 'skills-ref', role: 'peer', load: () => import('./skills-ref.ts') },
  deepagents: { title: 'deepagents', role: 'peer', load: () => import('./deepagents.ts') },
  yaml: {
    title: 'own code: yaml + zod',
    role: 'peer',
    load: async () => ({ prepare: (await import('./own-code.ts')).prepareYaml }),
  },
} as const satisfies Record<string, Entry>

export type ContestantId = keyof typeof CONTESTANTS
