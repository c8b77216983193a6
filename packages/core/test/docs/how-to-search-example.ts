import { openSkills } from '@repertoire/core/node'

export async function printFitting(folder: string, task: string) {
  await using repertoire = await openSkills(folder)
  const { hits } = await repertoire.catalog.search(task, { limit: 3, viewer: { agent: 'coder' } })
  for (const { name, description } of hits) console.log(name, description)
}
