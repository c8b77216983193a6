import * as fs from 'node:fs'
import { platform } from 'node:process'

/**
 * Every call with which this package changes a disk, so that a test can end the program at each of them, or let it fail.
 * Reads are not part of it.
 */
export interface WritingSystem {
  /** Creates a file that is not there yet, and follows no link. Returns its descriptor. */
  createFile(path: string, mode: number): number
  /** Writes all bytes. */
  write(descriptor: number, bytes: Uint8Array): void
  /** Sets permissions whatever the process takes away from new files. */
  setMode(descriptor: number, mode: number): void
  /** Returns when the file's content is on the disk. */
  sync(descriptor: number): void
  close(descriptor: number): void
  /** Returns when the folder's entries are on the disk. */
  syncFolder(path: string): void
  makeFolder(path: string): void
  setFolderMode(path: string, mode: number): void
  rename(from: string, to: string): void
  /** Makes a link to a folder: what it leads to, from where it lies. */
  makeLink(target: string, path: string): void
  removeFile(path: string): void
  removeFolder(path: string): void
}

const { O_WRONLY, O_CREAT, O_EXCL } = fs.constants
const NEW_FILE = O_WRONLY | O_CREAT | O_EXCL | ((fs.constants as Partial<typeof fs.constants>).O_NOFOLLOW ?? 0)

/** The file system of this machine. */
export const writingSystem: WritingSystem = {
  createFile: (path, mode) => fs.openSync(path, NEW_FILE, mode),
  // `writeFileSync` writes until all is written; one `write` may write less, on a full disk without an error.
  write: (descriptor, bytes) => fs.writeFileSync(descriptor, bytes),
  setMode: (descriptor, mode) => fs.fchmodSync(descriptor, mode),
  sync: (descriptor) => fs.fsyncSync(descriptor),
  close: (descriptor) => fs.closeSync(descriptor),
  syncFolder,
  makeFolder: (path) => fs.mkdirSync(path),
  setFolderMode: (path, mode) => fs.chmodSync(path, mode),
  rename: (from, to) => fs.renameSync(from, to),
  // A junction needs no rights on Windows; elsewhere the word means nothing.
  makeLink: (target, path) => fs.symlinkSync(target, path, 'junction'),
  removeFile: (path) => fs.unlinkSync(path),
  removeFolder: (path) => fs.rmdirSync(path),
}

function syncFolder(path: string): void {
  // Windows opens no folder, and keeps its entries by itself.
  if (platform === 'win32') return
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY)
  try {
    fs.fsyncSync(descriptor)
  } catch (error) {
    // File systems that cannot do this keep entries in order by themselves, or promise nothing.
    if (!['EINVAL', 'ENOTSUP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    fs.closeSync(descriptor)
  }
}
