import { openFileStore, resolveOrigin } from '@repertoire/library'

/** Copies an origin's skills into a store. If one is refused, none is copied; it stops at one that is stored. */
export async function importSkills(from: string, root: string) {
  const store = await openFileStore({ root })
  const found = await resolveOrigin(from)
  const { skills } = await found.fetch({ onProgress: ({ kind, count }) => console.error(kind, count) })
  for (const { name, files, origin } of skills) await store.replace(name, files, { ifRevision: null, origin })
  return { from: found.resolved, names: skills.map(({ name }) => name) }
}
