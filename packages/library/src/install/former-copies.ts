import { createHash } from 'node:crypto'
import { closeSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { openPinnedFolder } from '@repertoire/core/node'
import { stagedName, stageFile } from '../durable/staging.ts'
import type { StoreFolders } from '../durable/swap.ts'
import type { FolderState } from '../lock/pin.ts'
import type { PinnedFile } from '../lock/skills-lock.ts'
import { STATE_FOLDER } from '../store/store-folder.ts'
import type { PlanStep } from './plan.ts'
import { alsoOf } from './step.ts'

/**
 * What copies for other clients held before their skills were replaced. The lock has only what is new: without this, a copy
 * that a killed program has not renewed could not be told from one that somebody has changed by hand.
 */
export type FormerCopies = Readonly<Record<string, readonly string[]>>

const NAME = 'copies.json'

/** As many as are remembered of one skill: as often a program may have been killed behind the lock. */
const MAX_FORMER = 8

/** Remembers what is about to be replaced. It is on the disk before the lock is. */
export function noteFormerCopies(folders: StoreFolders, steps: readonly PlanStep[]): void {
  const { system, state, path } = folders
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
  if (Object.keys(noted).length === 0) return
  const staged = stagedName()
  stageFile(system, state, staged, { bytes: Buffer.from(`${JSON.stringify({ ...known, ...noted })}\n`) })
  state.at(staged, (from) => state.at(NAME, (to) => system.rename(from, to)))
}

/** Returns what was remembered, by the name of the skill; nothing where that cannot be read. */
export function formerCopies(folder: string): FormerCopies {
  try {
    const state = openPinnedFolder(join(realpathSync.native(folder), STATE_FOLDER))
    try {
      const { fd } = state.file(NAME)
      try {
        const value: unknown = JSON.parse(readFileSync(fd, 'utf8'))
        return typeof value === 'object' && value !== null ? onlyLists(value) : {}
      } finally {
        closeSync(fd)
      }
    } finally {
      state.close()
    }
  } catch {
    // A copy is then taken for one that was changed by hand, and stays.
    return {}
  }
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
