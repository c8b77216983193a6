import { parse } from 'yaml'

/** The most characters of a frontmatter that is compared: a catalog reads no longer one. */
const MAX_CHARS = 32 * 1024

/** Reads the frontmatter of a SKILL.md for the comparison with a server's entry, as YAML 1.2 without aliases. */
export function parseFrontmatter(yaml: string): Record<string, unknown> {
  if (yaml.length > MAX_CHARS) throw new Error(`it has more than ${MAX_CHARS} characters`)
  const value: unknown = parse(yaml, { version: '1.2', schema: 'core', maxAliasCount: 0, logLevel: 'error' })
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is not a mapping')
  return value as Record<string, unknown>
}
