import { Embeddings } from '@langchain/core/embeddings'
import { memorySource, openRepertoire } from '@repertoire/core'
import { expect, test } from 'vitest'
import { embedderOf } from './embedder-example.ts'

class Sounds extends Embeddings {
  async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map((text) => [/audio|podcast/i.test(text) ? 1 : 0, 1])
  }

  async embedQuery(text: string): Promise<number[]> {
    return (await this.embedDocuments([text]))[0]!
  }
}

test('[MATCH-3] a model of embeddings of LangChain is an embedder in one line', async () => {
  const skill = (name: string, description: string) => ({
    'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`,
  })
  const skills = { mixer: skill('mixer', 'Edits audio.'), pdf: skill('pdf', 'Reads documents.') }
  const { catalog } = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    catalog: { embedder: embedderOf(new Sounds({})) },
  })
  const { hits, diagnostics } = await catalog.search('podcast', { limit: 1 })
  expect([hits[0]?.name, diagnostics]).toEqual(['mixer', []])
})
