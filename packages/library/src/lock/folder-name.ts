import { storedSkillName } from '@repertoire/core/stores'

const ASCII = /^[\u0020-\u007E]*$/
const MAX_CHARS = 255

/**
 * The folder of a skill that a lock names. A lock of the `skills` command has the name as its SKILL.md writes it, and the
 * folder in the form that this command gives it: `next.js-caching` for `Next.js Caching`.
 */
export function folderNameOf(name: string): string {
  if (!ASCII.test(name)) return name
  const folder = name
    .toLowerCase()
    .replace(/[^a-z\d._]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .slice(0, MAX_CHARS)
  return folder === '' ? name : folder
}

/** The name that a lock has for what a person, or an origin, calls by a name. Undefined: it has none. */
export function lockedName(names: Iterable<string>, name: string): string | undefined {
  const all = [...names]
  return (
    all.find((each) => each === name) ??
    all.find((each) => folderNameOf(each) === name || storedSkillName(each) === name)
  )
}
