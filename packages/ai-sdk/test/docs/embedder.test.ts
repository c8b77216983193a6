import { memorySource, openRepertoire } from '@repertoire/core'
import { MockEmbeddingModelV4 } from 'ai/test'
import { expect, test } from 'vitest'
import { embedderOf } from './embedder-example.ts'

test('[MATCH-3] a model of embeddings of the AI SDK is an embedder in two lines', async () => {
  const skill = (name: string, description: string) => ({
    'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`,
  })
  const model = new MockEmbeddingModelV4({
    doEmbed: async ({ values }) => ({
      embeddings: values.map((value) => [/audio|podcast/i.test(value) ? 1 : 0, 1]),
      warnings: [],
    }),
  })
  const skills = { mixer: skill('mixer', 'Edits audio.'), pdf: skill('pdf', 'Reads documents.') }
  const { catalog } = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    catalog: { embedder: embedderOf(model) },
  })
  const { hits, diagnostics } = await catalog.search('podcast', { limit: 1 })
  expect([hits[0]?.name, diagnostics]).toEqual(['mixer', []])
})
