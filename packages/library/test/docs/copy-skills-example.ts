import type { SkillFiles, SkillStore } from '@repertoire/core'

/** Copies the active skills of a store into another one, byte for byte. Skills that it already has stay as they are. */
export async function copySkills(from: SkillStore, to: SkillStore): Promise<readonly string[]> {
  const there = new Set((await to.listActive()).map(({ name }) => name))
  const missing = (await from.listActive()).filter(({ name }) => !there.has(name))
  for (const { name, folder } of missing) {
    const { files, withheld } = await folder.list()
    const copied: [string, { bytes: Uint8Array; executable: boolean }][] = []
    for (const { path, executable } of [...files, ...withheld.files]) {
      copied.push([path, { bytes: await folder.read(path, { withheld: true }), executable }])
    }
    await to.replace(name, new Map(copied) satisfies SkillFiles, { ifRevision: null })
  }
  return missing.map(({ name }) => name)
}
