import { memorySource, openRepertoire } from '@repertoire/core'
import { MockEmbeddingModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { rankBy } from './rank-example.ts'

test('[MATCH-3] a model of embeddings of the AI SDK ranks skills in ten lines', async () => {
  const skill = (name: string, description: string) => ({
    'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`,
  })
  const embedded: string[] = []
  const model = new MockEmbeddingModelV4({
    doEmbed: async ({ values }) => {
      embedded.push(...values)
      return { embeddings: values.map((value) => [/audio|podcast/i.test(value) ? 1 : 0, 1]), warnings: [] }
    },
  })
  const skills = { mixer: skill('mixer', 'Edits audio.'), pdf: skill('pdf', 'Reads documents.') }
  const { catalog } = await openRepertoire({ sources: [memorySource({ skills })], catalog: { rank: rankBy(model) } })
  for (const task of ['podcast', 'sound']) {
    const { hits, diagnostics } = await catalog.search(task)
    expect([hits.map(({ name }) => name), diagnostics]).toEqual([
      task === 'podcast' ? ['mixer', 'pdf'] : ['pdf', 'mixer'],
      [],
    ])
  }
  // The descriptions once, and each task.
  expect(embedded).toEqual(['Edits audio.', 'Reads documents.', 'podcast', 'sound'])
})
