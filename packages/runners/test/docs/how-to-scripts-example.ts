import { openSkills } from '@repertoire/core/node'
import { openBubblewrapRunner } from '@repertoire/runners'

export async function countWords(folder: string, text: string) {
  await using repertoire = await openSkills(folder, { scripts: { runner: await openBubblewrapRunner() } })
  return repertoire.runTask({ consent: () => true }, async (session) => {
    const activated = await session.activate('word-counter')
    const counted = activated.ok ? await session.runScript('scripts/count.sh', { args: [text] }) : activated
    return counted.text
  })
}
