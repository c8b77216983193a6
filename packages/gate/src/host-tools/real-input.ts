import { baseFolder, isOnDrive, readPath } from '../path.ts'
import type { KnownTool } from './toolset.ts'

/**
 * The input of a tool that sees a file system of its own, with its paths as they are in the real one: below the working
 * folder, or relative where that is not known. Undefined: the tool sees the real one, or is not given paths.
 */
export function realInput(
  input: unknown,
  { root, argument }: Pick<KnownTool, 'root' | 'argument'>,
  cwd: string | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (root === undefined || argument?.kind !== 'path' || typeof input !== 'object' || input === null) return undefined
  const translate = (value: unknown): unknown => {
    if (typeof value === 'string') return realPath(value, root, cwd)
    if (Array.isArray(value)) return value.map(translate)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, translate(item)]))
  }
  // Any text may be a path, or a folder that one is relative to.
  return translate(input) as Readonly<Record<string, unknown>>
}

function realPath(value: string, root: string, cwd: string | undefined): string {
  const windows = isOnDrive(root)
  const base = baseFolder(root, windows)
  const path = readPath(value, windows)
  if (base === undefined || 'problem' in path || path.root !== base.root) return value
  if (base.parts.some((part, index) => part !== path.parts[index])) return value
  const inside = path.parts.slice(base.parts.length).join('/')
  return cwd === undefined ? inside || '.' : `${cwd.replace(/[/\\]$/, '')}/${inside}`
}
