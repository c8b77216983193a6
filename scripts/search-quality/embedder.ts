import type { SkillEmbedder } from '@repertoire/core'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MAX_HITS } from './searches.ts'
import type { OpenedCorpus } from './corpus.ts'
import type { Search } from './recall.ts'

/** Searches that may pass until a slow embedder has given a vector for each skill: one waits for five seconds at most. */
const MAX_WARM_UPS = 1_000

/**
 * Loads the embedder that a module exports under the name `embedder`.
 * @param file relative to the working directory
 * @throws {Error} if the module exports none
 */
export async function loadEmbedder(file: string): Promise<SkillEmbedder> {
  const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly embedder?: Partial<SkillEmbedder> }
  const embedder = module.embedder
  if (typeof embedder?.embed === 'function') return embedder as SkillEmbedder
  throw new Error(`${file} exports no embedder. Give it: export const embedder = { embed: async (texts) => … }`)
}

/**
 * Returns our search over skills that were opened with an embedder, once it has given a vector for each of them. Each
 * search throws where the embedder fails: what went by words alone says nothing of it.
 * @throws {Error} if the embedder fails
 */
export async function searchByMeaning({ repertoire: { catalog }, idOf }: OpenedCorpus): Promise<Search> {
  const search = async (phrases: readonly string[]) => {
    const { hits, diagnostics } = await catalog.search(phrases, { limit: MAX_HITS, view: { person: true } })
    return { hits, failure: diagnostics.find(({ code }) => code === 'EMBEDDER_FAILED') }
  }
  // A failure is remembered for a while and returned at once; an answer that is late comes for a later search.
  for (let count = 1; count < MAX_WARM_UPS && (await search(['warm up'])).failure !== undefined;) count++
  return async (phrases) => {
    const { hits, failure } = await search(phrases)
    if (failure !== undefined) throw new Error(failure.message)
    return hits.map(({ name }) => idOf(catalog.get(name)))
  }
}
