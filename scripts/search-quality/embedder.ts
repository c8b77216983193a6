import type { SkillEmbedder } from '@repertoire/core'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { MAX_HITS } from './searches.ts'
import type { OpenedCorpus } from './corpus.ts'
import type { Search } from './recall.ts'

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

/** An embedder whose answers can be waited for: a search waits for five seconds, and a model may take minutes for all. */
export interface Awaitable extends SkillEmbedder {
  /** Resolves when nothing is asked any more, to whether there are vectors of texts that had none at the last call. */
  readonly answered: () => Promise<boolean>
}

/** Returns the same embedder. */
export function awaitable(embedder: SkillEmbedder): Awaitable {
  const asked = new Set<Promise<unknown>>()
  const known = new Set<string>()
  let before = 0
  /** What is no longer waited for has ended, whatever becomes of it. */
  const noted = <T>(texts: readonly string[], answer: PromiseLike<T>, signal: AbortSignal): PromiseLike<T> => {
    const once = Promise.resolve(answer)
    const given = once.then(
      () => texts.forEach((text) => known.add(text)),
      () => undefined,
    )
    const ended = Promise.race([given, new Promise((end) => signal.addEventListener('abort', end))])
    asked.add(ended)
    void ended.then(() => asked.delete(ended))
    return once
  }
  return {
    bodyChars: embedder.bodyChars ?? 0,
    embed: (texts, signal) => noted(texts, embedder.embed(texts, signal), signal),
    ...(embedder.embedQuery !== undefined && {
      embedQuery: (text, signal) => noted([text], embedder.embedQuery!(text, signal), signal),
    }),
    async answered() {
      while (asked.size > 0) {
        await Promise.all(asked)
        // The next request follows an answer.
        await setImmediate()
      }
      const isMore = known.size > before
      before = known.size
      return isMore
    },
  }
}

/**
 * Returns our search over skills that were opened with an embedder, once it has given a vector for each of them. Each
 * search throws where the embedder fails: what went by words alone says nothing of it.
 */
export async function searchByMeaning(
  { repertoire: { catalog }, idOf }: OpenedCorpus,
  { answered }: Pick<Awaitable, 'answered'>,
): Promise<Search> {
  const search = async (phrases: readonly string[]) => {
    const { hits, diagnostics } = await catalog.search(phrases, { limit: MAX_HITS, view: { person: true } })
    return { hits, failure: diagnostics.find(({ code }) => code === 'EMBEDDER_FAILED') }
  }
  // An embedder that fails gives no more vectors, however often it is asked.
  while ((await search(['warm up'])).failure !== undefined && (await answered()));
  return async (phrases) => {
    const { hits, failure } = await search(phrases)
    if (failure !== undefined) throw new Error(failure.message)
    return hits.map(({ name }) => idOf(catalog.get(name)))
  }
}
