import type { Prepare } from './contestant.ts'

/** A contestant in discovery. */
export interface Entry {
  readonly title: string
  /**
   * `floor`: what is measured against; `least`: the minimum of a safe reader; `own`: this project; `peer`: what a user
   * would take instead.
   */
  readonly role: 'floor' | 'least' | 'own' | 'peer'
  readonly load: () => Promise<{ readonly prepare: Prepare }>
}

/** In the order of the table. Each is loaded in its own process. */
export const CONTESTANTS = {
  floor: { title: 'floor: open, read 4 KB, close', role: 'floor', load: () => import('./floor.ts') },
  least: { title: 'the least: list, check, hash, grep', role: 'least', load: () => import('./least.ts') },
  repertoire: { title: 'repertoire', role: 'own', load: () => import('./repertoire.ts') },
  openskills: { title: 'openskills (greps)', role: 'peer', load: () => import('./openskills.ts') },
  grayMatter: { title: 'own code: gray-matter + zod', role: 'peer', load: () => import('./own-gray-matter.ts') },
  skillsRef: { title: 'skills-ref', role: 'peer', load: () => import('./skills-ref.ts') },
  deepagents: { title: 'deepagents', role: 'peer', load: () => import('./deepagents.ts') },
  yaml: { title: 'own code: yaml + zod', role: 'peer', load: () => import('./own-yaml.ts') },
  skills: { title: 'skills (the command)', role: 'peer', load: () => import('./skills-command.ts') },
  skillTools: { title: '@skill-tools/core', role: 'peer', load: () => import('./skill-tools.ts') },
} as const satisfies Record<string, Entry>

export type ContestantId = keyof typeof CONTESTANTS
