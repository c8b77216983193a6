import type { SkillStore } from '../ports/skill-store.ts'

/** Returns the same store with `changes`: how often it was written through this object. */
export function countChanges(store: Omit<SkillStore, 'changes'>): SkillStore {
  let changes = 0
  const counted =
    <Args extends readonly unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        return await write(...args)
      } finally {
        // A write that fails may have happened nevertheless, such as one whose answer was lost.
        changes++
      }
    }
  return {
    ...store,
    changes: () => changes,
    save: counted((skill, options) => store.save(skill, options)),
    delete: counted((name, options) => store.delete(name, options)),
    saveResource: counted((name, path, bytes, options) => store.saveResource(name, path, bytes, options)),
    replace: counted((name, files, options) => store.replace(name, files, options)),
  }
}
