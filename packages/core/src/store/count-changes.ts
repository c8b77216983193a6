import { anyText, either, flag, foreign, checkOptions, type OptionTable } from '@repertoire/skill-md/internal'
import type { SkillStore, StoreReplaceOptions, StoreResourceOptions, StoreWriteOptions } from '../ports/skill-store.ts'

const nothing = foreign('null', (value) => value === null)
const WRITE: OptionTable<StoreWriteOptions> = { ifRevision: either(anyText, nothing) }
const RESOURCE: OptionTable<StoreResourceOptions> = { ...WRITE, executable: flag }
const REPLACE: OptionTable<StoreReplaceOptions> = { ...WRITE, origin: anyText }

/**
 * Returns the same store with `changes`: how often it was written through this object. Every write rejects with a
 * `TypeError` before it begins if an option is unknown or has the wrong type.
 */
export function countChanges(store: Omit<SkillStore, 'changes'>): SkillStore {
  let changes = 0
  const counted = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    try {
      return await write()
    } finally {
      // A write that fails may have happened nevertheless, such as one whose answer was lost.
      changes++
    }
  }
  return {
    ...store,
    changes: () => changes,
    async save(skill, options) {
      checkOptions('save', WRITE, options)
      return counted(() => store.save(skill, options))
    },
    async delete(name, options) {
      checkOptions('delete', WRITE, options)
      return counted(() => store.delete(name, options))
    },
    async saveResource(name, path, bytes, options) {
      checkOptions('saveResource', RESOURCE, options)
      return counted(() => store.saveResource(name, path, bytes, options))
    },
    async replace(name, files, options) {
      checkOptions('replace', REPLACE, options)
      return counted(() => store.replace(name, files, options))
    },
  }
}
