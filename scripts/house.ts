import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import type { House, WorkspacePackage } from './floor-violations.ts'

interface PackageJson {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** Reads the sources of all packages and apps of a repository. */
export function readHouse(root: string): House {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const find = (pattern: string): readonly string[] => globSync(pattern, { cwd: root }).toSorted()
  return {
    sources: new Map(find('{packages,apps}/*/src/**/*.ts').map((file) => [file, read(file)])),
    packages: find('{packages,apps}/*/package.json').map((file) =>
      workspacePackage(dirname(file), JSON.parse(read(file)) as PackageJson),
    ),
  }
}

function workspacePackage(folder: string, { name, exports = {} }: PackageJson): WorkspacePackage {
  const entries = Object.entries(exports).map(([entry, target]) => [
    entry,
    typeof target === 'string' ? target : (target['@repertoire/source'] ?? target['default'] ?? ''),
  ])
  return { name, folder, entries: Object.fromEntries(entries) }
}
