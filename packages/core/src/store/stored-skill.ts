import {
  isSkillError,
  SkillError,
  parseSkill,
  withOrigin,
  type SkillFolder,
  quoteName,
  anyText,
  either,
  flag,
  foreign,
  checkOptions,
  type OptionTable,
} from '@repertoire/skill-md/internal'
import type {
  SkillStore,
  StoredSkill,
  StoreReplaceOptions,
  StoreResourceOptions,
  StoreWriteOptions,
} from '../ports/skill-store.ts'
import { digestFolder } from '../resources/digest.ts'
import { checkFileMap, checkSkillName, storedSkillName } from './skill-files.ts'
import { diagnosticText, firstError } from '../text/message.ts'

/**
 * Reads a stored skill with the revision of what was read. Its name is that of its manifest, as in a catalog.
 * @param key the name of its folder, or the key under which a store keeps it
 * @param origin where the store has it from; absent: it is not known
 * @throws {SkillError} SKILL_BROKEN, and what the folder refuses
 */
export async function readStored(key: string, folder: SkillFolder, origin?: string): Promise<StoredSkill> {
  const { bytes, revision } = await surveyed(folder)
  const path = `${folder.location}/SKILL.md`
  const { manifest, body, definition, diagnostics } = await parseSkill(bytes, { folderName: key, path })
  if (manifest !== undefined) {
    return {
      name: manifest.name,
      revision,
      manifest: withOrigin(manifest, origin),
      body: body!,
      definition: definition!,
      folder,
    }
  }
  const error = firstError(diagnostics)
  const message = `The stored skill ${quoteName(key)} cannot be read: ${diagnosticText(error)}`
  throw new SkillError('SKILL_BROKEN', message, { path, line: error.line })
}

/**
 * Returns the key under which a store keeps the skill of a name, for a store that finds skills by their keys. Mostly
 * that is the name itself; a skill named `PDF Forms` has the key `pdf-forms`.
 * @param get reads what is stored under a key
 * @throws {SkillError} MANIFEST_INVALID: no store keeps a skill under this name
 */
export async function storedKey(name: string, get: (key: string) => Promise<StoredSkill>): Promise<string> {
  const key = typeof name === 'string' ? storedSkillName(name) : name
  if (key !== name) {
    const found = await get(key).catch((error: unknown) => {
      if (!isSkillError(error)) throw error
    })
    if (found?.name === name) return key
  }
  checkSkillName(name)
  return name
}

/** The revision of what a folder holds: the digest of its content, so that a change by hand is one too. */
export async function revisionOf(folder: SkillFolder): Promise<string> {
  return (await surveyed(folder)).revision
}

async function surveyed(folder: SkillFolder): Promise<{ readonly bytes: Uint8Array; readonly revision: string }> {
  const survey = await folder.survey?.()
  if (survey !== undefined) return { bytes: survey.manifest, revision: survey.digest }
  const bytes = await folder.readManifest()
  return { bytes, revision: await digestFolder(folder, await folder.list(), bytes) }
}

/** Compares what a writer has seen with what is stored. @throws {SkillError} STORE_CONFLICT */
export function refuseConflict(name: string, expected: string | null | undefined, stored: string | undefined): void {
  if (expected === undefined || (expected ?? undefined) === stored) return
  const reason =
    expected === null
      ? 'a skill of that name is stored already. Choose another name, or get it and save with its revision'
      : stored === undefined
        ? 'it is not stored any more. Save it with the revision null if it should be there again'
        : 'it was changed since it was read. Get it again and repeat the change on what is there now'
  throw new SkillError('STORE_CONFLICT', `The skill "${name}" was not written: ${reason}.`)
}

const nothing = foreign('null', (value) => value === null)
const WRITE: OptionTable<StoreWriteOptions> = { ifRevision: either(anyText, nothing) }
const RESOURCE: OptionTable<StoreResourceOptions> = { ...WRITE, executable: flag }
const REPLACE: OptionTable<StoreReplaceOptions> = { ...WRITE, origin: anyText }

/** Returns the same store. Every write rejects with a `TypeError` before it begins if an option is not one. */
export function checkWrites(store: SkillStore): SkillStore {
  return {
    ...store,
    async save(skill, options) {
      checkOptions('save', WRITE, options)
      return store.save(skill, options)
    },
    async delete(name, options) {
      checkOptions('delete', WRITE, options)
      return store.delete(name, options)
    },
    async saveResource(name, path, bytes, options) {
      checkOptions('saveResource', RESOURCE, options)
      return store.saveResource(name, path, bytes, options)
    },
    async replace(name, files, options) {
      checkOptions('replace', REPLACE, options)
      checkFileMap(files)
      return store.replace(name, files, options)
    },
  }
}
