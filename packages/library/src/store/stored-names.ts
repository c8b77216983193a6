import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { openRepertoire, showName, SkillError, type Skill, type SkillSource } from '@repertoire/core'
import { storedSkillName } from '@repertoire/core/stores'

/** Which folder of a store holds which skill, by the names that a catalog of the same folders shows. */
export interface StoredNames {
  /** The folders of the active skills, sorted by the name of the skill. Of two skills with one name, the listed one. */
  readonly active: readonly string[]
  /** Every name that can be asked for, sorted. */
  readonly names: readonly string[]
  /** Where the skill in a folder was installed from; undefined: it is not known. */
  originOf(folder: string): string | undefined
  /** The folder of the skill that a catalog shows under a name; undefined if there is no such skill. */
  toRead(name: string): string | undefined
  /** The same folder for a write. @throws {SkillError} STORE_CONFLICT: several folders have a skill of that name */
  toWrite(name: string): string | undefined
  /** @throws {SkillError} STORE_CONFLICT: the folder that a new skill would get holds another skill */
  refuseOccupied(name: string, folder: string): void
}

/** A skill, or a manifest that cannot be read, and its folder. */
interface StoredName {
  readonly name: string
  readonly folder: string
}

/** Reads the names in a store as a catalog reads them, so that both use the same name for a skill. */
export async function readNames(root: string, source: SkillSource): Promise<StoredNames> {
  const { catalog } = await openRepertoire({ sources: [source] })
  const listed = catalog.list().map(stored)
  // Skills that a catalog lists come first, as in a search by name.
  const all = [...catalog.list(), ...catalog.inactive, ...catalog.shadowed.map(({ skill }) => skill)]
  const skills = all.map(stored)
  const origins = new Map(all.map((skill) => [stored(skill).folder, skill.origin]))
  const broken = catalog.broken.flatMap(({ folderName, declared }): StoredName[] => [
    { name: folderName, folder: folderName },
    ...(declared === undefined ? [] : [{ name: declared, folder: folderName }]),
  ])
  const known = new Set([...skills, ...broken].map(({ folder }) => folder))
  /** Several only if it is not certain which one is meant. */
  const named = (name: string): readonly string[] => {
    const exact = skills.filter((skill) => skill.name === name)
    if (exact.length > 0) return exact.map(({ folder }) => folder)
    // A name that no store can keep as a key, such as `PDF Forms`, is stored as `pdf-forms`.
    const key = skills.find((skill) => skill.folder === name && storedSkillName(skill.name) === name)
    const found = key ?? broken.find((each) => each.name === name)
    if (found !== undefined) return [found.folder]
    // Something else is in its place, such as a link: whoever opens it says what is wrong.
    return known.has(name) ? [] : entriesIn(root).filter((entry) => entry === name)
  }
  return {
    active: listed.map(({ folder }) => folder),
    names: [...new Set([...skills, ...broken].map(({ name }) => name))].toSorted(),
    originOf: (folder) => origins.get(folder),
    toRead: (name) => named(name)[0],
    toWrite(name) {
      const [folder, ...others] = named(name)
      if (others.length === 0) return folder
      const places = [folder, ...others].map((each) => `"${showName(each!)}"`).join(' and ')
      throw conflict(
        name,
        `the folders ${places} both have a skill of that name. Rename one of the skills, or move its folder away`,
      )
    },
    refuseOccupied(name, folder) {
      const other = [...skills, ...broken].find((each) => each.folder === folder)
      if (other === undefined) return
      const reason = `its folder "${showName(folder)}" holds the skill "${showName(other.name)}". Rename that folder, or choose another name`
      throw conflict(name, reason)
    },
  }
}

function stored({ name, path }: Skill): StoredName {
  return { name, folder: basename(dirname(path)) }
}

function conflict(name: string, reason: string): SkillError {
  return new SkillError('STORE_CONFLICT', `The skill "${showName(name)}" was not written: ${reason}.`)
}

/** Everything that is where a skill's folder could be. */
function entriesIn(root: string): readonly string[] {
  try {
    return readdirSync(root).filter((name) => !name.startsWith('.') && name !== 'node_modules')
  } catch {
    return []
  }
}
