import type { Result } from '@repertoire/conformance'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the suite found of the adapter in one package, and of which sources that holds. */
export interface AdapterResults {
  /** What `fingerprint` gave before the first check ran. */
  readonly fingerprint: string
  readonly results: readonly Result[]
}

/** The folders of the packages that hold an adapter: those with a driver for the suite, by name. */
export function adapterFolders(root: string): readonly string[] {
  return packageFolders(root).filter((name) => {
    const { exports = {} } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
      exports?: Record<string, unknown>
    }
    return './conformance' in exports
  })
}

/**
 * A digest of everything that a result of the suite depends on: the packages' sources, tests, skills and manifests, and
 * the lockfile.
 */
export function fingerprint(root: string): string {
  const hash = createHash('sha256')
  const files = packageFolders(root).flatMap((name) => {
    const parts = ['src', 'test', 'skills'].flatMap((part) => filesBelow(root, join('packages', name, part)))
    return [join('packages', name, 'package.json'), ...parts]
  })
  for (const file of ['pnpm-lock.yaml', ...files]) {
    const bytes = orAbsent(() => readFileSync(join(root, file)))
    hash.update(`\0${file}\0${bytes?.length}\0`).update(bytes ?? '')
  }
  return hash.digest('hex')
}

/** Keeps the results of one adapter for who asks next; nobody but this machine sees them. */
export function keepResults(root: string, adapter: string, results: AdapterResults): void {
  mkdirSync(folderOf(root), { recursive: true })
  writeFileSync(fileOf(root, adapter), `${JSON.stringify(results)}\n`)
}

/** What was kept of an adapter, or undefined. */
export function keptResults(root: string, adapter: string): AdapterResults | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(root, adapter), 'utf8')) as AdapterResults
  } catch {
    // Nothing was kept, or a run was broken off while it wrote: either way there is nothing to go by.
    return undefined
  }
}

/** Forgets whatever was kept. */
export function forgetResults(root: string): void {
  rmSync(folderOf(root), { recursive: true, force: true })
}

function folderOf(root: string): string {
  return join(root, 'reports/conformance')
}

function fileOf(root: string, adapter: string): string {
  return join(folderOf(root), `${adapter}.json`)
}

function packageFolders(root: string): readonly string[] {
  return readdirSync(join(root, 'packages'), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? entry.name : []))
    .filter((name) => readdirSync(join(root, 'packages', name)).includes('package.json'))
    .toSorted()
}

function filesBelow(root: string, folder: string): readonly string[] {
  const entries = orAbsent(() => readdirSync(join(root, folder), { withFileTypes: true }))
  return (entries ?? [])
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesBelow(root, path)
      return entry.isFile() ? [path] : []
    })
}

/** What is not there, or no longer: somebody may be editing while this reads. */
function orAbsent<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
