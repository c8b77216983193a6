import { createHash } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import { keepPrivately, keptPrivately } from '../durable/private-state.ts'
import type { StoreFolders } from '../durable/swap.ts'
import type { FolderState } from '../lock/pin.ts'
import type { PinnedFile } from '../lock/skills-lock.ts'
import { type PlanStep, alsoOf } from './plan.ts'

/**
 * What copies for other clients held before their skills were replaced. The lock has only what is new: without this, a copy
 * that a killed program has not renewed could not be told from one that somebody has changed by hand.
 */
export type FormerCopies = Readonly<Record<string, readonly string[]>>

/** As many as are remembered of one skill: as often a program may have been killed behind the lock. */
const MAX_FORMER = 8

/** Remembers what is about to be replaced. It is on the disk before the lock is. */
export function noteFormerCopies({ system, path }: StoreFolders, steps: readonly PlanStep[]): void {
  const known = formerCopies(path)
  const noted = Object.fromEntries(
    steps.flatMap(({ skill: { name }, files, entryBefore }) => {
      const before = entryBefore?.repertoire?.files
      const isCopied = Object.values(alsoOf(entryBefore)).includes('copy')
      if (files === undefined || before === undefined || !isCopied) return []
      const digests = new Set([...(known[name] ?? []), digestOf(before)])
      return [[name, [...digests].slice(-MAX_FORMER)]]
    }),
  )
  if (Object.keys(noted).length > 0) keepPrivately(system, 'copies', path, { ...known, ...noted })
}

/**
 * Returns what was remembered, by the name of the skill. A copy of which nothing is remembered counts as changed by hand, and
 * stays.
 */
export function formerCopies(folder: string): FormerCopies {
  if (!existsSync(folder)) return {}
  const kept = keptPrivately('copies', realpathSync.native(folder))
  return typeof kept === 'object' && kept !== null ? onlyLists(kept) : {}
}

/** Whether a copy is one that was made here before. */
export function isFormer(former: FormerCopies, name: string, { files, unread }: FolderState): boolean {
  return unread.length === 0 && Object.hasOwn(former, name) && former[name]!.includes(digestOf(files))
}

function onlyLists(value: object): FormerCopies {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string[]] => Array.isArray(entry[1])),
  )
}

function digestOf(files: Readonly<Record<string, PinnedFile>>): string {
  const sorted = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const plain = sorted.map(([path, { sha256, executable = false }]) => [path, sha256, executable])
  return createHash('sha256').update(JSON.stringify(plain)).digest('hex')
}
