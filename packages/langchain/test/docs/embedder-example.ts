import type { EmbeddingsInterface } from '@langchain/core/embeddings'
import type { SkillEmbedder } from '@repertoire/core'

/** Searches by any model of embeddings of LangChain. */
export function embedderOf(embeddings: EmbeddingsInterface): SkillEmbedder {
  return {
    embed: (texts) => embeddings.embedDocuments([...texts]),
    embedQuery: (text) => embeddings.embedQuery(text),
  }
}
