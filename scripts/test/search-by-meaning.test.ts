import { memorySource, openRepertoire, type SkillEmbedder } from '@repertoire/core'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { OpenedCorpus } from '../search-quality/corpus.ts'
import { loadEmbedder, searchByMeaning } from '../search-quality/embedder.ts'

it('[MATCH-5] measures a search with an embedder of the user', async () => {
  const asked: number[] = []
  const search = await searchByMeaning(
    await openWith({
      embed: async (texts) => {
        asked.push(texts.length)
        return texts.map((text) => (/feline|cats/.test(text) ? [1, 0] : [0, 1]))
      },
    }),
  )
  expect(new Set(asked)).toEqual(new Set([1, 2]))
  expect((await search(['feline']))[0]).toBe('memory:few/cats')
})

it('[MATCH-5] measures nothing where the embedder fails', async () => {
  const corpus = await openWith({
    embed: async (texts) => {
      if (texts.includes('broken')) throw new Error('no such model')
      return texts.map(() => [1])
    },
  })
  const search = await searchByMeaning(corpus)
  await expect(search(['cats'])).resolves.toContain('memory:few/cats')
  await expect(search(['broken'])).rejects.toThrow(/words alone.*no such model/)
})

it('[MATCH-5] loads the embedder that a module exports, and says where there is none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-embedder-'))
  try {
    const [file, without] = [join(folder, 'embedder.mjs'), join(folder, 'without.mjs')]
    writeFileSync(file, 'export const embedder = { embed: async (texts) => texts.map((text) => [text.length]) }\n')
    writeFileSync(without, 'export default {}\n')
    const embedder = await loadEmbedder(file)
    expect(await embedder.embed(['four'], new AbortController().signal)).toEqual([[4]])
    await expect(loadEmbedder(without)).rejects.toThrow(/without\.mjs exports no embedder\. Give it: export const/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function openWith(embedder: SkillEmbedder): Promise<OpenedCorpus> {
  const skill = (name: string, description: string) => ({
    'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`,
  })
  const skills = { cats: skill('cats', 'Feeds cats.'), dogs: skill('dogs', 'Walks dogs.') }
  const source = memorySource({ id: 'few', layer: 'project', skills })
  const repertoire = await openRepertoire({ sources: [source], embedder })
  return { repertoire, idOf: ({ location }) => location, bodies: new Map() }
}
