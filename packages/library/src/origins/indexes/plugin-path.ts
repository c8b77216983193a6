import { storedPathProblem } from '@repertoire/core/stores'

/**
 * Reads a path that a plugin or a marketplace names, below its own folder.
 * @returns without `./` and without a slash at its end, empty for the folder itself; or why it is none
 */
export function pluginPath(value: unknown): { readonly path: string } | { readonly problem: string } {
  if (typeof value !== 'string') return { problem: 'it is not a path' }
  const plain = value.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  if (plain === '' || plain === '.') return { path: '' }
  const problem = storedPathProblem(plain)
  if (problem !== undefined) return { problem }
  // A part "." is taken for nothing by some and for a name by others.
  return plain.split('/').includes('.') ? { problem: 'it has a part "."' } : { path: plain }
}

/** Joins folders. Each may be empty. */
export function joinPath(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/')
}
