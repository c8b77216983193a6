import { baseFolder, isOnDrive, readPath } from '../path.ts'
import { argumentNames } from '../arguments.ts'
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
  const real = { ...input } as Record<string, unknown>
  const translate = (value: unknown): unknown => (typeof value === 'string' ? realPath(value, root, cwd) : value)
  for (const name of argumentNames(argument)) {
    const value = real[name]
    if (value !== undefined) real[name] = Array.isArray(value) ? value.map(translate) : translate(value)
  }
  return real
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
