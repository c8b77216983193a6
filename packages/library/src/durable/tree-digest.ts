import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import type { SkillFiles } from '@repertoire/core'
import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { withFolder } from './open-folder.ts'

const CHUNK_BYTES = 256 * 1024

/** Levels below which folders are not entered: a skill has no more. */
const MAX_LEVELS = 32

/** Returns the digest that a folder with these files will have, see `treeDigest`. */
export function filesDigest(files: SkillFiles): string {
  return digestOf([...files].map(([path, { bytes }]) => [path, createHash('sha256').update(bytes).digest('hex')]))
}

/**
 * Returns a digest of all files of a folder, by path and content; undefined if nothing of that name is there. Links and
 * other entries count by their kind and are not followed.
 */
export function treeDigest(parent: OpenFolder, name: string): string | undefined {
  try {
    const found: [string, string][] = []
    addTree(found, parent, name, '', MAX_LEVELS)
    return digestOf(found)
  } catch (error) {
    if (error instanceof OpenError && error.kind === 'missing') return undefined
    throw error
  }
}

function addTree(found: [string, string][], parent: OpenFolder, name: string, path: string, levels: number): void {
  try {
    const stats = parent.stat(name)
    if (stats.isFile()) found.push([path, hashOf(parent, name)])
    else if (stats.isDirectory() && levels > 0) addEntries(found, parent.folder(name), path, levels)
    else found.push([path, stats.isSymbolicLink() ? 'link' : 'other'])
  } catch (error) {
    // What this user cannot read counts as such.
    if (path === '' || !(error instanceof OpenError)) throw error
    found.push([path, error.kind])
  }
}

function addEntries(found: [string, string][], folder: OpenFolder, path: string, levels: number): void {
  withFolder(folder, () => {
    for (const { name } of folder.entries()) {
      addTree(found, folder, name, path === '' ? name : `${path}/${name}`, levels - 1)
    }
  })
}

function hashOf(folder: OpenFolder, name: string): string {
  const { fd } = folder.file(name)
  try {
    const hash = createHash('sha256')
    const chunk = new Uint8Array(CHUNK_BYTES)
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) hash.update(chunk.subarray(0, read))
    return hash.digest('hex')
  } finally {
    closeSync(fd)
  }
}

function digestOf(files: readonly (readonly [string, string])[]): string {
  const sorted = files.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex')
}
