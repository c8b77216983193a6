import type { SkillRank } from '@repertoire/core'
import { cosineSimilarity, embed, embedMany, type EmbeddingModel } from 'ai'

/** Ranks skills by their meaning, with any model of embeddings of the AI SDK. */
export function rankBy(model: EmbeddingModel): SkillRank {
  const vectors = new Map<string, number[]>()
  return async (query, skills, { signal: abortSignal }) => {
    // Not aborted: what comes too late for this search serves the next one.
    const values = skills.map(({ description }) => description).filter((text) => !vectors.has(text))
    const { embeddings } = values.length === 0 ? { embeddings: [] } : await embedMany({ model, values })
    for (const [at, text] of values.entries()) vectors.set(text, embeddings[at]!)
    const { embedding } = await embed({ model, value: query, abortSignal })
    const fit = skills.map(
      (skill) => [cosineSimilarity(embedding, vectors.get(skill.description)!), skill.name] as const,
    )
    return fit.toSorted(([a], [b]) => b - a).map(([, name]) => name)
  }
}
