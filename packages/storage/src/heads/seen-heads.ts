import type { SkillError } from '@repertoire/core'
import { LRUCache } from 'lru-cache'
import type { Head } from './head.ts'

/** What is stored under a name: a skill, or what is not one. */
export interface StoredNow {
  readonly token: string
  readonly head: Head | SkillError
}

/**
 * What a process has seen last of the skills of a tenant. A write that is based on it needs no question before it: if
 * somebody has come between, the engine says so.
 */
export interface SeenHeads {
  of(name: string): StoredNow | undefined
  /** @param stored undefined if nothing is stored, or if it is unknown */
  set(name: string, stored: StoredNow | undefined): void
}

const MAX_SKILLS = 1_000
const MAX_FILES = 20_000

/** Remembers the heads seen last, over all tenants together. */
export function seenHeads(): (tenant: string) => SeenHeads {
  const kept = new LRUCache<string, StoredNow>({
    max: MAX_SKILLS,
    maxSize: MAX_FILES,
    sizeCalculation: ({ head }) => 1 + ('files' in head ? head.files.size : 0),
  })
  return (tenant) => ({
    of: (name) => kept.get(`${tenant}/${name}`),
    set(name, stored) {
      if (stored === undefined) kept.delete(`${tenant}/${name}`)
      else kept.set(`${tenant}/${name}`, stored)
    },
  })
}
