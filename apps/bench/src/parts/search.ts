import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { makeTree } from '../generator.ts'
import type { Jobs } from '../run.ts'
import { timeInTurns, usedMemory } from '../timing.ts'

const SKILLS = 2_760
const QUERIES = 50

export const jobs: Jobs = {
  async repertoire(folder) {
    const source = directorySource({ root: makeTree(folder, SKILLS), maxFolders: 1e6 })
    const { catalog } = await openRepertoire({ sources: [source] })
    const descriptions = catalog.list().map(({ manifest }) => manifest.description)
    const step = Math.floor(descriptions.length / QUERIES)
    // As many words as a person types.
    const phrases = Array.from({ length: QUERIES }, (_, index) =>
      descriptions[index * step]!.split(/\s+/).slice(0, 8).join(' '),
    )
    let count = 0
    const find = async (): Promise<void> => {
      const query = phrases[count++ % QUERIES]!
      const { hits } = await catalog.search(query, { limit: 10, viewer: { person: true } })
      if (hits.length === 0) throw new Error(`Nothing was found for ${JSON.stringify(query)}.`)
    }
    const before = await usedMemory()
    await find()
    const index = ((await usedMemory()) - before) / descriptions.length
    const { query } = await timeInTurns({ query: find }, { turns: 6, iterations: QUERIES })
    return { query, index }
  },
}
