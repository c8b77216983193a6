import type { SkillEmbedder } from '../ports/embedder.ts'
import { ABORTED, waitFor } from '../time-limit.ts'
import { messageOf } from './scan-diagnostics.ts'

/** Texts that an embedder is given at once. Most services take at least as many. */
const MAX_TEXTS = 100

/** Requests for vectors of skills that run at once. */
const MAX_REQUESTS = 4

/** How long one answer of an embedder is waited for: a model on the same machine may take half a second for each text. */
const EMBED_TIMEOUT_MS = 60_000

/** An embedder that takes longer for its first answer gets one request at a time: one model may have to answer them all. */
const QUICK_MS = 5_000

/** How long an embedder that has failed is not asked for the vectors of skills again. */
const RETRY_MS = 60_000

/** The vectors of an embedder. */
export interface Vectors {
  /**
   * Returns the vectors of texts of skills, in their order and of unit length. Of what has none yet the embedder is asked,
   * in one row of requests at a time: searches that come meanwhile wait for them, too.
   * @param texts the same list for the same snapshot: as long as it is referenced, its vectors are kept
   * @param patience how long requests that are running are waited for, in milliseconds since they began
   * @param until aborts where they are no longer needed by who asks; others who wait for them go on
   * @throws {EmbedderError} they cannot be had
   */
  of(texts: readonly string[], patience: number, until: AbortSignal): Promise<readonly Float32Array[]>
  /** Returns the vector of what is searched for. @throws {EmbedderError} it cannot be had */
  ofQuery(query: string, until: AbortSignal): Promise<Float32Array>
}

/** Why there are no vectors. */
class EmbedderError extends Error {}

/** An embedder's vectors are not of one length: another model answers now. */
class OtherDimension extends EmbedderError {}

// A reload finds most skills unchanged, several repertoires may have one embedder, and vectors cost money.
const known = new WeakMap<SkillEmbedder, Vectors>()

/** Returns what is known of an embedder's vectors, for all snapshots of all repertoires. */
export function vectorsOf(embedder: SkillEmbedder): Vectors {
  const found = known.get(embedder) ?? createVectors(embedder)
  known.set(embedder, found)
  return found
}

function createVectors(embedder: SkillEmbedder): Vectors {
  const byText = new Map<string, Float32Array>()
  /** The texts of each snapshot that may be searched. */
  const snapshots = new Set<WeakRef<readonly string[]>>()
  const registered = new WeakSet<readonly string[]>()
  /** The length of each vector; undefined: none is known yet. */
  let dimension: number | undefined
  let failed: { readonly at: number; readonly error: EmbedderError } | undefined
  /** Never rejects. */
  let running: Promise<void> | undefined
  let since = 0

  function register(texts: readonly string[]): void {
    if (registered.has(texts)) return
    registered.add(texts)
    snapshots.add(new WeakRef(texts))
  }

  /** At once: what another search drops or finds out later changes nothing for this one. */
  function lookUp(texts: readonly string[]): readonly Float32Array[] | undefined {
    const vectors: Float32Array[] = []
    for (const text of texts) {
      const vector = byText.get(text)
      if (vector === undefined) return undefined
      vectors.push(vector)
    }
    return vectors
  }

  async function embedMissing(texts: readonly string[], until: AbortSignal): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !byText.has(text))
    forgetOthers()
    const controller = new AbortController()
    const signal = AbortSignal.any([until, controller.signal])
    const batches: (readonly string[])[] = []
    for (let from = 0; from < missing.length; from += MAX_TEXTS) batches.push(missing.slice(from, from + MAX_TEXTS))
    const ask = async (batch: readonly string[]): Promise<void> => {
      // A copy: it may be the embedder's to change.
      const vectors = checked(await answerOf((own) => embedder.embed([...batch], own), signal), batch.length)
      for (const [index, vector] of vectors.entries()) byText.set(batch[index]!, vector)
    }
    const work = async (): Promise<void> => {
      for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) await ask(batch)
    }
    try {
      const began = performance.now()
      await ask(batches.pop()!)
      const isQuick = performance.now() - began < QUICK_MS
      await Promise.all(Array.from({ length: isQuick ? MAX_REQUESTS : 1 }, work))
      failed = undefined
    } catch (error) {
      if (!until.aborted) fail(ownError(error))
    } finally {
      batches.length = 0
      controller.abort()
    }
  }

  /** Remembers that vectors cannot be had. Where they do not fit together, it cannot be known which of them are right. */
  function fail(error: EmbedderError): void {
    failed = { at: performance.now(), error }
    if (error instanceof OtherDimension) byText.clear()
    if (byText.size === 0) dimension = undefined
  }

  /** Drops the vectors of texts that no snapshot has any more, once they are as many as the others. */
  function forgetOthers(): void {
    const current: (readonly string[])[] = []
    for (const reference of snapshots) {
      const texts = reference.deref()
      if (texts === undefined) snapshots.delete(reference)
      else current.push(texts)
    }
    if (byText.size <= 2 * current.reduce((sum, { length }) => sum + length, 0)) return
    const used = new Set(current.flat())
    for (const text of byText.keys()) if (!used.has(text)) byText.delete(text)
  }

  /** Returns an embedder's answer as vectors of unit length. @throws where one cannot be compared with the others */
  function checked(answer: unknown, count: number): readonly Float32Array[] {
    if (!Array.isArray(answer) || answer.length !== count) {
      const given = Array.isArray(answer) ? `${answer.length}` : 'something else than a list'
      throw new EmbedderError(
        `it gave ${given} for ${count} ${count === 1 ? 'text' : 'texts'}. Give one vector for each.`,
      )
    }
    // By index: `map` passes over holes.
    return Array.from({ length: count }, (_, index) => {
      const unit = unitVector((answer as readonly unknown[])[index])
      if (unit === undefined) {
        throw new EmbedderError(
          'it gave what is not a vector: each has to be a list of finite numbers that are not all 0',
        )
      }
      dimension ??= unit.length
      if (unit.length === dimension) return unit
      throw new OtherDimension(`it gave a vector of ${unit.length} numbers, after one of ${dimension}`)
    })
  }

  return {
    async of(texts, patience, until) {
      register(texts)
      for (;;) {
        const found = lookUp(texts)
        if (found !== undefined) return found
        if (until.aborted) throw stopped(until)
        if (failed !== undefined && performance.now() - failed.at < RETRY_MS) throw failed.error
        if (running === undefined) {
          since = performance.now()
          running = embedMissing(texts, until).finally(() => (running = undefined))
        }
        // Searches before this one have waited, and what is there by now is not enough for it.
        if (performance.now() - since >= patience) throw lateAnswer(patience)
        // Where they were asked for by somebody else, those of this snapshot are asked for next.
        await running
      }
    },
    async ofQuery(query, until) {
      const answer =
        embedder.embedQuery === undefined
          ? await answerOf((signal) => embedder.embed([query], signal), until)
          : [await answerOf((signal) => embedder.embedQuery!(query, signal), until)]
      try {
        return checked(answer, 1)[0]!
      } catch (error) {
        const own = ownError(error)
        if (own instanceof OtherDimension) fail(own)
        throw own
      }
    },
  }
}

/**
 * @param ask its signal aborts where the answer is no longer waited for
 * @throws {EmbedderError} whatever foreign code has thrown
 */
async function answerOf(ask: (signal: AbortSignal) => PromiseLike<unknown>, until: AbortSignal): Promise<unknown> {
  if (until.aborted) throw stopped(until)
  const own = new AbortController()
  const signal = AbortSignal.any([until, own.signal])
  const timer: unknown = setTimeout(() => own.abort(), EMBED_TIMEOUT_MS)
  // A program that has ended is not kept alive by it. In browsers a timer is a number, which keeps nothing alive.
  ;(timer as { unref?: () => void } | null | undefined)?.unref?.()
  try {
    const answer = await waitFor((async () => ask(signal))(), Infinity, signal)
    if (answer !== ABORTED) return answer
  } catch (error) {
    throw until.aborted ? stopped(until) : ownError(error)
  } finally {
    clearTimeout(timer as number)
    own.abort()
  }
  throw until.aborted ? stopped(until) : lateAnswer(EMBED_TIMEOUT_MS)
}

/** What an embedder says that has not answered in time. */
export function lateAnswer(ms: number): EmbedderError {
  return new EmbedderError(`it did not answer within ${ms} ms`)
}

/** Characters of a foreign error's message. */
const MAX_MESSAGE_CHARS = 1_000

/** Whatever foreign code has thrown, also while its answer was read. */
function ownError(error: unknown): EmbedderError {
  try {
    if (error instanceof EmbedderError) return error
  } catch {
    // It has a prototype that throws.
  }
  return new EmbedderError(messageOf(error).slice(0, MAX_MESSAGE_CHARS))
}

function stopped({ reason }: AbortSignal): EmbedderError {
  return new EmbedderError(messageOf(reason))
}

/** Far more numbers than any model gives. */
const MAX_DIMENSION = 65_536

/**
 * Returns a vector of the same direction whose length is 1.
 * @param vector foreign: anything
 * @returns undefined if it is not a list of finite numbers that are not all 0
 */
function unitVector(vector: unknown): Float32Array | undefined {
  if (typeof vector !== 'object' || vector === null || !('length' in vector)) return undefined
  const { length } = vector as ArrayLike<unknown>
  if (!Number.isSafeInteger(length) || length < 1 || length > MAX_DIMENSION) return undefined
  const numbers = new Float64Array(length)
  let largest = 0
  for (let index = 0; index < length; index++) {
    const number = (vector as ArrayLike<unknown>)[index]
    if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
    numbers[index] = number
    largest = Math.max(largest, Math.abs(number))
  }
  if (largest === 0) return undefined
  // In parts of the largest first: the squares of very large and very small numbers are none.
  let sum = 0
  for (let index = 0; index < length; index++) sum += (numbers[index]! /= largest) ** 2
  const size = Math.sqrt(sum)
  return Float32Array.from(numbers, (number) => number / size)
}
