import { openSkills } from '@repertoire/core/node'

export async function listSkills(folder: string, missing: string) {
  await using repertoire = await openSkills(folder)
  const viewer = { agent: 'coder' }
  for (const { name, manifest } of repertoire.catalog.list({ viewer })) console.log(name, manifest.description)
  console.log(repertoire.explain(missing, { viewer }).text)
}
