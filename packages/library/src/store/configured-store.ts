import { checkOptions } from '@repertoire/core/options'
import { SkillError, type SkillStore } from '@repertoire/core'
import type { Configuration } from '@repertoire/core/node'
import { CONFIGURED_STORE_OPTIONS, openFileStore, type FileStoreOptions } from './file-store.ts'

/**
 * Opens the store in the folder that a configuration writes to, its `writeRoot`, in the personal layer. A
 * repertoire of that configuration reads it as well where it is one of the folders that are read, as `skillsDir` always is.
 * @param configuration as `loadConfiguration` returns it
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} FOLDER_NOT_WRITABLE: it names none; and what `openFileStore` throws
 */
export async function openConfiguredStore(
  { writeRoot }: Pick<Configuration, 'writeRoot'>,
  options: Pick<FileStoreOptions, 'lockTimeout' | 'watch'> = {},
): Promise<SkillStore> {
  checkOptions('openConfiguredStore', CONFIGURED_STORE_OPTIONS, options)
  if (writeRoot !== false) return openFileStore({ ...options, root: writeRoot, layer: 'personal' })
  const message = 'No store is opened: the configuration names no folder to write to. Set skillsDir.'
  throw new SkillError('FOLDER_NOT_WRITABLE', message)
}
