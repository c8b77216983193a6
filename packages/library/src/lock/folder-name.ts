import { lockedFolderName as folderNameOf, storedSkillName } from '@repertoire/core/stores'

export { folderNameOf }

/** The name that a lock has for what a person, or an origin, calls by a name. Undefined: it has none. */
export function lockedName(names: Iterable<string>, name: string): string | undefined {
  const all = [...names]
  return (
    all.find((each) => each === name) ??
    all.find((each) => folderNameOf(each) === name || storedSkillName(each) === name)
  )
}
