/** The keys of one skill. */
export interface StoredKeys {
  readonly folderName: string
  /** The key of each file, by its path. */
  readonly files: ReadonlyMap<string, string>
}

/** A key that is not read, and the skill that it is in; absent: it is in none. */
export interface UnusableKey {
  readonly key: string
  readonly folderName?: string
  readonly reason: string
}

/**
 * Sorts the keys below a base into skills, by name in code-unit order. To `unstorage`, `:` and `/` are one separator; what
 * comes behind a `?` is cut; and a `$` at the end marks the metadata of another key. A key that means something else to a
 * storage than to its driver is not read.
 * @param base without separators at its ends; empty: all keys
 */
export function sortKeys(
  keys: readonly string[],
  base: string,
): { readonly skills: readonly StoredKeys[]; readonly unusable: readonly UnusableKey[] } {
  const all = new Set(keys)
  const skills = new Map<string, Map<string, string>>()
  const unusable: UnusableKey[] = []
  const prefix = base === '' ? [] : base.split(SEPARATORS)
  for (const key of [...all].toSorted((a, b) => (a < b ? -1 : 1))) {
    const parts = key.split(SEPARATORS)
    if (!prefix.every((part, index) => parts[index] === part)) continue
    const [folderName = '', ...rest] = parts.slice(prefix.length)
    const path = rest.join('/')
    if (path === '' || folderName.startsWith('.') || (key.endsWith('$') && all.has(key.slice(0, -1)))) continue
    const files = skills.get(folderName) ?? new Map<string, string>()
    const former = files.get(path)
    const reason =
      former === undefined ? keyProblem(key, parts) : `it is the same file as ${JSON.stringify(former)}, to a storage`
    if (reason === undefined) files.set(path, key)
    else unusable.push({ key, ...(folderName !== '' && { folderName }), reason })
    skills.set(folderName, files)
  }
  const sorted = [...skills].map(([folderName, files]) => ({ folderName, files }))
  return { skills: sorted.toSorted((a, b) => (a.folderName < b.folderName ? -1 : 1)), unusable }
}

const SEPARATORS = /[:/\\]/

function keyProblem(key: string, parts: readonly string[]): string | undefined {
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return 'a part of it is empty, "." or ".."'
  if (key.includes('?')) return 'a storage cuts a key at "?"'
  if (key.endsWith('$')) return 'a storage hides a key that ends in "$"'
  return undefined
}
