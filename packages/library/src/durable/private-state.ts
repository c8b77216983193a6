import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import process, { env, platform } from 'node:process'
import { systemCodeOf } from '../system-code.ts'
import type { WritingSystem } from './system.ts'

/**
 * A project's files may come from anybody: a repository, an archive, a copy. What this user's programs rely on after a
 * crash is therefore kept outside of every project, in a folder that only this user can write.
 */
const FOLDER = 'repertoire'
const SECRET = 'secret'
const SECRET_BYTES = 32
const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600
const OTHERS = 0o077

/** What is kept: `change` is the unfinished change of a folder of skills, `copies` what its copies held before. */
export type PrivateKind = 'change' | 'copies'

/**
 * Keeps a value about a folder, on the disk when this returns. Does nothing on a machine without a private folder.
 * @param root the real path of the folder
 */
export function keepPrivately(system: WritingSystem, kind: PrivateKind, root: string, value: unknown): void {
  const folder = privateFolder('make')
  if (folder === undefined) return
  const file = fileOf(folder, kind, root)
  const staged = `${file}.staged`
  // Writers of a folder wait for each other, so that this one is a killed writer's.
  rmSync(staged, { force: true })
  const descriptor = system.createFile(staged, PRIVATE_FILE)
  try {
    system.write(descriptor, Buffer.from(JSON.stringify({ root, inode: inodeOf(root), value })))
    system.sync(descriptor)
  } finally {
    system.close(descriptor)
  }
  system.rename(staged, file)
  system.syncFolder(folder)
}

/**
 * Returns what was kept about a folder; undefined if nothing was, or if another folder has taken its path since.
 * @param root the real path of the folder
 */
export function keptPrivately(kind: PrivateKind, root: string): unknown {
  const folder = privateFolder()
  if (folder === undefined) return undefined
  try {
    const kept = JSON.parse(readFileSync(fileOf(folder, kind, root), 'utf8')) as Record<string, unknown>
    return kept['root'] === root && kept['inode'] === inodeOf(root) ? kept['value'] : undefined
  } catch {
    return undefined
  }
}

/** Removes what was kept about a folder. */
export function forgetPrivately(system: WritingSystem, kind: PrivateKind, root: string): void {
  const folder = privateFolder()
  if (folder === undefined || !existsSync(fileOf(folder, kind, root))) return
  system.removeFile(fileOf(folder, kind, root))
  system.syncFolder(folder)
}

/**
 * Returns text that only this user's programs can make for a folder, for the names of temporary files: 36 characters, of
 * which the first half is random. On a machine without a private folder all of it is random, and proves nothing.
 */
export function privateMark(root: string): string {
  const random = randomBytes(8).toString('hex')
  const secret = readSecret('make')
  return `${random}-${secret === undefined ? randomBytes(10).toString('hex').slice(1) : markOf(secret, root, random)}`
}

/** Whether this user's programs have made a mark, for that very folder. */
export function isPrivateMark(root: string, mark: string): boolean {
  const secret = readSecret()
  return secret !== undefined && mark.slice(17) === markOf(secret, root, mark.slice(0, 16))
}

function markOf(secret: Uint8Array, root: string, random: string): string {
  return createHmac('sha256', secret).update(`${random}\0${root}`).digest('hex').slice(0, 19)
}

function fileOf(folder: string, kind: PrivateKind, root: string): string {
  return join(folder, `${kind}-${createHash('sha256').update(root).digest('hex')}.json`)
}

function inodeOf(path: string): string {
  return String(lstatSync(path, { bigint: true }).ino)
}

function readSecret(make?: 'make'): Uint8Array | undefined {
  const folder = privateFolder(make)
  if (folder === undefined) return undefined
  const path = join(folder, SECRET)
  try {
    if (make !== undefined && !existsSync(path)) makeSecret(path)
    const secret = readFileSync(path)
    return secret.length === SECRET_BYTES ? secret : undefined
  } catch {
    return undefined
  }
}

/** Two programs may do this at once: the first one wins, and both use its secret. */
function makeSecret(path: string): void {
  const staged = `${path}-${randomUUID()}`
  writeFileSync(staged, randomBytes(SECRET_BYTES), { mode: PRIVATE_FILE, flag: 'wx' })
  try {
    linkSync(staged, path)
  } catch (error) {
    // Without hard links, the last one wins.
    if (systemCodeOf(error) !== 'EEXIST') renameSync(staged, path)
  } finally {
    rmSync(staged, { force: true })
  }
}

/**
 * The private folder: `repertoire` in `XDG_STATE_HOME`, in `~/.local/state`, on Windows in `LOCALAPPDATA`. Undefined where
 * it cannot be written, where others could write it, or where there is no home folder.
 */
function privateFolder(make?: 'make'): string | undefined {
  try {
    const { base, state } = statePlace()
    const path = join(state, FOLDER)
    if (!existsSync(path)) {
      // A folder that is not this user's, as with sudo, would get folders that its owner cannot use.
      if (make === undefined || !isOwn(lstatSync(base))) return undefined
      makeFolder(path)
    }
    const stats = lstatSync(path)
    if (!stats.isDirectory() || !isOwn(stats) || (platform !== 'win32' && (stats.mode & OTHERS) !== 0)) return undefined
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return path
  } catch {
    return undefined
  }
}

/** Where programs keep state, and the folder that has to be there already. */
function statePlace(): { readonly base: string; readonly state: string } {
  const given = platform === 'win32' ? env['LOCALAPPDATA'] : env['XDG_STATE_HOME']
  if (given !== undefined && isAbsolute(given))
    return { base: existsSync(given) ? given : dirname(given), state: given }
  const home = homedir()
  return { base: home, state: join(home, '.local/state') }
}

function isOwn(stats: Stats): boolean {
  return process.geteuid === undefined || stats.uid === process.geteuid()
}

function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER })
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  }
}
