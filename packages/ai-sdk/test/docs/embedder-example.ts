import type { SkillEmbedder } from '@repertoire/core'
import { type EmbeddingModel, embedMany } from 'ai'

/** Searches by any model of embeddings of the AI SDK. */
export function embedderOf(model: EmbeddingModel): SkillEmbedder {
  return {
    embed: async (texts, abortSignal) => (await embedMany({ model, values: [...texts], abortSignal })).embeddings,
  }
}
