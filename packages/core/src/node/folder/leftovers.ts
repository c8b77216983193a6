import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { OpenError, errorCode } from './open-error.ts'
import type { OpenFolder } from './safe-open.ts'

/** The folder for what is being written, in the folder that is written to. Hidden, so that no scan searches it. */
export const STATE_FOLDER = '.repertoire'

/**
 * Something that is there only while a folder is changed. `old`: the former folder, whole, the only copy as long as
 * none is in its place. `new`: what was to take its place, perhaps half of it. `gone`: a former folder, half removed.
 */
export interface FolderLeftover {
  readonly kind: 'old' | 'new' | 'gone'
  /** The name of the folder that was changed. */
  readonly name: string
}

const LEFTOVER = /^(old|new|gone)-(.+)$/s

/** The name that a leftover has in `.repertoire`. */
export function leftoverName({ kind, name }: FolderLeftover): string {
  return `${kind}-${name}`
}

/** Reads the leftovers of a folder. A state folder that is a link or a file is an error. @throws {OpenError} */
export function leftoversIn(root: OpenFolder): readonly FolderLeftover[] {
  let state: OpenFolder
  try {
    state = root.folder(STATE_FOLDER)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
  try {
    return toLeftovers(state.entries().map(({ name }) => name))
  } finally {
    state.close()
  }
}

function toLeftovers(names: readonly string[]): readonly FolderLeftover[] {
  return names.toSorted().flatMap((entry) => {
    const [, kind, name] = LEFTOVER.exec(entry) ?? []
    return kind === undefined || name === undefined ? [] : [{ kind: kind as FolderLeftover['kind'], name }]
  })
}

/** A reader waits 100 ms for a folder between two places: in rounds, since it may itself be stopped meanwhile. */
const ROUNDS = 20
const PAUSE_MS = 5

/** Whether a folder has left its place, and nothing has taken it. @param root the path of the folder that it is in */
export function isMoving(root: string, name: string): boolean {
  return isBeingChanged(root, name) && !existsSync(join(root, name))
}

/** Whether a writer has a folder's former content: until it has changed the lock as well, or has left it for good. */
export function isBeingChanged(root: string, name: string): boolean {
  return existsSync(join(root, STATE_FOLDER, `old-${name}`))
}

/** Waits until something is in a folder's place again. @returns whether something is */
export async function waitOutSwap(root: string, name: string): Promise<boolean> {
  return waitOut(() => isMoving(root, name))
}

/** Waits for a writer. @returns whether it is no longer at work */
export async function waitOut(isAtWork: () => boolean): Promise<boolean> {
  for (let round = 0; isAtWork(); round++) {
    if (round === ROUNDS) return false
    await wait(PAUSE_MS)
  }
  return true
}

/** A leftover as a scan reports it. */
export interface SeenLeftover extends FolderLeftover {
  readonly isMissing: boolean
}

/** A writer that is at work changes its leftovers more often than this, in milliseconds. */
const QUIET_MS = 10_000

/** What no writer seems to work on any more. Of missing folders, all that still are after the time of a swap. */
export async function abandonedLeftovers(root: string): Promise<readonly SeenLeftover[]> {
  const state = join(root, STATE_FOLDER)
  let names: readonly string[]
  try {
    names = readdirSync(state)
  } catch {
    return []
  }
  const found: SeenLeftover[] = []
  for (const leftover of toLeftovers(names)) {
    const isOut = leftover.kind === 'old' && !(await waitOutSwap(root, leftover.name))
    const stats = lstatSync(join(state, leftoverName(leftover)), { throwIfNoEntry: false })
    if (stats === undefined) continue
    if (isOut || stats.ctimeMs < Date.now() - QUIET_MS) found.push({ ...leftover, isMissing: isOut })
  }
  return found
}

export function isMissing(error: unknown): boolean {
  return errorCode(error instanceof OpenError ? (error.cause ?? error) : error) === 'ENOENT'
}
