import {
  chmodSync,
  closeSync,
  fstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  type Dirent,
  type Stats,
} from 'node:fs'
import { SkillError, showName } from '@repertoire/skill-md/internal'
import type { SkillFiles, StoredFile } from '../../ports/skill-store.ts'
import { isSameName } from '../../store/path-rules.ts'
import { isMissing, leftoverName, leftoversIn, type FolderLeftover, STATE_FOLDER } from './leftovers.ts'
import { childPath } from './names.ts'
import { OpenError, refuseUnlessFile } from './open-error.ts'
import { openPinnedFolder, type OpenFolder } from './safe-open.ts'
import { writeNew } from './writing.ts'

/** The folder of a skill in a change of several. */
export interface FolderChange {
  readonly name: string
  /** What it holds afterwards. Absent: it is removed. */
  readonly files?: SkillFiles | undefined
}

/**
 * A folder whose folders are read and changed without following a link, also while another process swaps them for
 * links: by descriptors on Linux, elsewhere by checks before and after. It is not a lock: writers agree on one.
 */
export interface SafeFolder {
  /** Its path without links. */
  readonly path: string
  /** Its own entries, in no order. @throws {OpenError} */
  list(): readonly Dirent[]
  /** Reads a file. @param path below the folder, with `/` @throws {OpenError} */
  read(path: string, maxBytes?: number): Uint8Array
  /**
   * Creates or replaces a file in one step, with the folders on the way. Its permissions stay.
   * @throws {OpenError}
   * @throws {SkillError} RESOURCE_REFUSED: a name beside it is the same one to some file systems; FOLDER_NOT_WRITABLE:
   * an earlier change is unfinished
   */
  write(path: string, file: StoredFile): void
  /** Puts a folder in the place of another, or if none is. As `change`. */
  replace(name: string, files: SkillFiles): void
  /** Removes a folder. As `change`. */
  remove(name: string): void
  /**
   * Changes several folders. The new ones are complete and on the disk before the first one moves, and the old ones are
   * kept until `commit` has returned: an error puts all of them back. A process that is killed leaves some of it, which
   * `leftovers` names; nothing of that is acted on by itself.
   * @throws {OpenError}
   * @throws {SkillError} FOLDER_NOT_WRITABLE: an earlier change is unfinished
   */
  change(changes: readonly FolderChange[], commit?: () => void): void
  /** What a process that was killed has left, or what came with the folder and looks like it. */
  leftovers(): readonly FolderLeftover[]
  /** Puts a former folder back whose place is free, or removes a leftover. @returns whether it was put back */
  settle(leftover: FolderLeftover): boolean
  close(): void
}

/** Opens a folder. @throws {OpenError} */
export function openFolder(path: string): SafeFolder {
  const real = realpathSync.native(path)
  const root = openPinnedFolder(real)
  let opened: OpenFolder | undefined
  const state = (): OpenFolder => (opened ??= root.makeFolder(STATE_FOLDER))
  const leftovers = (): readonly FolderLeftover[] => leftoversIn(root)

  const refuseUnfinished = (name: string): void => {
    const found = leftovers().find((each) => each.name === name)
    if (found !== undefined) throw unfinished(childPath(childPath(real, STATE_FOLDER), leftoverName(found)), name)
  }
  const moveAll = (changes: readonly FolderChange[], undo: (() => void)[]): void => {
    for (const { name, files } of changes) {
      if (exists(root, name)) {
        root.folder(name).close()
        root.move(name, state(), `old-${name}`)
        undo.unshift(() => state().move(`old-${name}`, root, name))
      }
      if (files === undefined) continue
      state().move(`new-${name}`, root, name)
      undo.unshift(() => root.move(name, state(), `new-${name}`))
    }
    root.sync()
    state().sync()
  }
  const change: SafeFolder['change'] = (changes, commit = () => {}) => {
    for (const { name } of changes) refuseUnfinished(name)
    const undo: (() => void)[] = []
    try {
      for (const { name, files } of changes) {
        if (files !== undefined) writeTree(state(), `new-${name}`, files, modeOf(root, name))
      }
      state().sync()
      moveAll(changes, undo)
      commit()
    } catch (error) {
      for (const step of undo) attempt(step)
      for (const { name } of changes) attempt(() => removeTree(state(), `new-${name}`))
      throw error
    }
    for (const { name, files } of changes) {
      // A removed folder with the name of a former one would count as the only copy.
      if (files === undefined) setAside(state(), name)
      // What cannot be removed now is named by `leftovers`.
      attempt(() => discard(state(), name))
    }
  }
  return {
    path: real,
    list: () => root.entries(),
    read: (file, maxBytes = Infinity) => readIn(root, file.split('/'), maxBytes),
    write(file, stored) {
      const parts = file.split('/')
      refuseUnfinished(parts[0]!)
      writeFileIn(root, state(), parts, stored)
    },
    replace: (name, files) => change([{ name, files }]),
    remove: (name) => change([{ name }]),
    change,
    leftovers,
    settle(leftover) {
      const name = leftoverName(leftover)
      const isBack = leftover.kind === 'old' && !exists(root, leftover.name)
      if (isBack) {
        state().move(name, root, leftover.name)
        root.sync()
      } else if (leftover.kind === 'old') discard(state(), leftover.name)
      else removeTree(state(), name)
      state().sync()
      return isBack
    },
    close() {
      opened?.close()
      root.close()
    },
  }
}

function unfinished(path: string, name: string): SkillError {
  const message = `Nothing was written: an earlier change of ${showName(name)} is unfinished, and ${showName(path)} is left of it. "repertoire recover" shows what it is, and finishes or undoes it.`
  return new SkillError('FOLDER_NOT_WRITABLE', message, { path })
}

const FILE_MODE = 0o644
const PROGRAM_MODE = 0o755
const OWNER_MAY_CHANGE = 0o700
const PERMISSIONS = 0o777
const EXECUTABLE = 0o111

/** The permissions of a folder that takes the place of another: one that only its owner enters stays one. */
function modeOf(root: OpenFolder, name: string): number | undefined {
  const mode = statIn(root, name)?.mode
  return mode === undefined ? undefined : (mode & PERMISSIONS) | OWNER_MAY_CHANGE
}

/** Writes a folder with all its files, which are on the disk when this returns. */
function writeTree(parent: OpenFolder, name: string, files: SkillFiles, mode?: number): void {
  const folder = parent.makeFolder(name)
  try {
    if (mode !== undefined) folder.at('.', (path) => chmodSync(path, mode))
    const below = new Map<string, Map<string, StoredFile>>()
    for (const [path, file] of files) {
      const [first = '', ...rest] = path.split('/')
      if (rest.length > 0)
        below.set(first, (below.get(first) ?? new Map<string, StoredFile>()).set(rest.join('/'), file))
      else folder.at(first, (at) => writeNew(at, file.bytes, file.executable === true ? PROGRAM_MODE : FILE_MODE))
    }
    for (const [part, inside] of below) writeTree(folder, part, inside)
    folder.sync()
  } finally {
    folder.close()
  }
}

function writeFileIn(root: OpenFolder, state: OpenFolder, parts: readonly string[], file: StoredFile): void {
  const staged = `new-${parts[0]!}`
  const name = parts.at(-1)!
  const opened: OpenFolder[] = [root]
  try {
    for (const part of parts.slice(0, -1)) {
      const folder = opened.at(-1)!
      refuseTwin(folder, part)
      opened.push(folder.makeFolder(part))
      folder.sync()
    }
    const folder = opened.at(-1)!
    refuseTwin(folder, name)
    const before = statIn(folder, name)
    if (before !== undefined) refuseUnlessFile(before)
    try {
      state.at(staged, (path) => writeNew(path, file.bytes, modeAfter(before, file.executable), before))
      state.at(staged, (from) => folder.at(name, (to) => renameSync(from, to)))
    } catch (error) {
      attempt(() => removeTree(state, staged))
      throw error
    }
    folder.sync()
  } finally {
    for (const folder of opened.slice(1)) folder.close()
  }
}

/** Every user who may read a file may also execute it, or no user may. A private file stays private. */
export function modeAfter(before: Stats | undefined, executable: boolean | undefined): number {
  if (before === undefined) return executable === true ? PROGRAM_MODE : FILE_MODE
  const mode = before.mode & PERMISSIONS
  if (executable === undefined || executable === ((mode & EXECUTABLE) !== 0)) return mode
  return executable ? mode | ((mode >> 2) & EXECUTABLE) : mode & ~EXECUTABLE
}

/** Refuses a name beside another one that some file systems take for it. @throws {SkillError} RESOURCE_REFUSED */
export function refuseTwin(folder: OpenFolder, name: string): void {
  const other = folder.entries().find((entry) => entry.name !== name && isSameName(entry.name, name))
  if (other === undefined) return
  const message = `"${name}" is not written: "${other.name}" is there, and to some file systems both are one. Use that name, or rename it.`
  throw new SkillError('RESOURCE_REFUSED', message, { path: name })
}

function readIn(root: OpenFolder, parts: readonly string[], maxBytes: number): Uint8Array {
  const [first = '', ...rest] = parts
  if (rest.length > 0) {
    const below = root.folder(first)
    try {
      return readIn(below, rest, maxBytes)
    } finally {
      below.close()
    }
  }
  const { fd } = root.file(first)
  try {
    if (fstatSync(fd).size > maxBytes) throw new OpenError('special')
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Gives a former folder the name of one that is not needed any more, so that it is never taken for a whole one. */
function setAside(state: OpenFolder, name: string): void {
  if (!exists(state, `old-${name}`)) return
  state.move(`old-${name}`, state, `gone-${name}`)
  state.sync()
}

function discard(state: OpenFolder, name: string): void {
  setAside(state, name)
  removeTree(state, `gone-${name}`)
}

/** Removes an entry of any kind with all that is in it; of a link, not its target. @throws {OpenError} */
export function removeTree(folder: OpenFolder, name: string): void {
  const stats = statIn(folder, name)
  if (stats === undefined) return
  if (stats.isDirectory()) {
    // Its owner may have taken away the own rights.
    if ((stats.mode & OWNER_MAY_CHANGE) !== OWNER_MAY_CHANGE) {
      folder.at(name, (path) => chmodSync(path, OWNER_MAY_CHANGE))
    }
    const inner = folder.folder(name)
    try {
      for (const entry of inner.entries()) removeTree(inner, entry.name)
    } finally {
      inner.close()
    }
  } else if (process.platform === 'win32' && !stats.isSymbolicLink()) {
    // Windows does not remove read-only files.
    folder.at(name, (path) => chmodSync(path, 0o600))
  }
  folder.remove(name)
}

/** What an entry is; undefined if it is missing. @throws {OpenError} */
export function statIn(folder: OpenFolder, name: string): Stats | undefined {
  try {
    return folder.stat(name)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function exists(folder: OpenFolder, name: string): boolean {
  return statIn(folder, name) !== undefined
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // The change has succeeded, or has thrown its own error.
  }
}
