import type { Diagnostic } from '../ports/diagnostic.ts'
import type { SkillEmbedder } from '../ports/embedder.ts'
import type { Skill } from '../ports/skill.ts'
import { TIMED_OUT, waitFor } from '../time-limit.ts'
import { messageOf } from './scan-diagnostics.ts'

/** Texts that an embedder is given at once. Most services take at least as many. */
const MAX_TEXTS = 100

/** Requests for vectors of skills that run at once. */
const MAX_REQUESTS = 4

/** How long one answer of an embedder is waited for: a model on the same machine may take half a second for each text. */
const EMBED_TIMEOUT_MS = 60_000

/** An embedder that takes longer for its first answer gets one request at a time: one model may have to answer them all. */
const QUICK_MS = 5_000

/** How long a search waits for vectors. What comes later is there for later searches. */
const SEARCH_TIMEOUT_MS = 5_000

/** How long an embedder that has failed is not asked for the vectors of skills again. */
const RETRY_MS = 60_000

/** Far more numbers than any model gives. */
const MAX_DIMENSION = 65_536

/** What is known of an embedder's vectors, for all snapshots. */
interface Vectors {
  /** Of unit length, by their texts. */
  readonly byText: Map<string, Float32Array>
  /** The length of each; undefined: none is known yet. */
  dimension: number | undefined
  failed: { readonly at: number; readonly error: unknown } | undefined
  running: Promise<void> | undefined
  /** When that began. */
  since: number
}

// A reload finds most skills unchanged, and vectors cost money.
const known = new WeakMap<SkillEmbedder, Vectors>()

/**
 * Creates a function that compares what is searched for with skills in meaning.
 * @returns the similarities in the order of the skills, or why there are none
 */
export function createSimilarity(
  embedder: SkillEmbedder,
  skills: readonly Skill[],
): (query: string) => Promise<Float32Array | Diagnostic> {
  const vectors: Vectors = known.get(embedder) ?? {
    byText: new Map(),
    dimension: undefined,
    failed: undefined,
    running: undefined,
    since: 0,
  }
  known.set(embedder, vectors)
  const texts = skills.map(textOf)

  return async (query) => {
    // The searches before this one have waited.
    if (vectors.running !== undefined && performance.now() - vectors.since >= SEARCH_TIMEOUT_MS) return notInTime()
    const controller = new AbortController()
    try {
      const asked = Promise.all([embedAll(embedder, texts, vectors), embedQuery(embedder, query, controller.signal)])
      const answer = await waitFor(asked, SEARCH_TIMEOUT_MS)
      if (!Array.isArray(answer)) return notInTime()
      const [vector] = checked(answer[1], 1, vectors)
      return Float32Array.from(texts, (text) => product(vectors.byText.get(text), vector!))
    } catch (error) {
      if (error instanceof OtherDimension) fail(vectors, error)
      return embedderFailed(error)
    } finally {
      controller.abort()
    }
  }
}

/** What a skill is about, in its author's words. Its body would cost as much as a hundred of these. */
function textOf({ name, manifest: { description, whenToUse = '' } }: Skill): string {
  return `${name}\n${description}\n${whenToUse}`.trim()
}

/**
 * Embeds the texts that have no vector yet, one snapshot after the other: searches that come meanwhile share the requests,
 * and those of a later snapshot ask for what is missing then.
 */
async function embedAll(embedder: SkillEmbedder, texts: readonly string[], vectors: Vectors): Promise<void> {
  while (vectors.running !== undefined) await vectors.running
  const running = embedMissing(embedder, texts, vectors).finally(() => (vectors.running = undefined))
  vectors.running = running
  vectors.since = performance.now()
  await running
}

async function embedMissing(embedder: SkillEmbedder, texts: readonly string[], vectors: Vectors): Promise<void> {
  const { byText, failed } = vectors
  const missing = [...new Set(texts)].filter((text) => !byText.has(text))
  if (missing.length === 0) return
  if (failed !== undefined && performance.now() - failed.at < RETRY_MS) throw failed.error
  forgetOthers(byText, texts)
  const controller = new AbortController()
  const batches: (readonly string[])[] = []
  for (let from = 0; from < missing.length; from += MAX_TEXTS) batches.push(missing.slice(from, from + MAX_TEXTS))
  const ask = async (batch: readonly string[]): Promise<void> => {
    const answer = await answerOf((signal) => embedder.embed(batch, signal), controller.signal)
    for (const [index, vector] of checked(answer, batch.length, vectors).entries()) byText.set(batch[index]!, vector)
  }
  const work = async (): Promise<void> => {
    for (let batch = batches.pop(); batch !== undefined; batch = batches.pop()) await ask(batch)
  }
  try {
    const since = performance.now()
    await ask(batches.pop()!)
    const isQuick = performance.now() - since < QUICK_MS
    await Promise.all(Array.from({ length: isQuick ? MAX_REQUESTS : 1 }, work))
    vectors.failed = undefined
  } catch (error) {
    fail(vectors, error)
    throw error
  } finally {
    batches.length = 0
    controller.abort()
  }
}

/** Remembers that vectors cannot be had. Where they do not fit together, it cannot be known which of them are right. */
function fail(vectors: Vectors, error: unknown): void {
  vectors.failed = { at: performance.now(), error }
  if (error instanceof OtherDimension) vectors.byText.clear()
  if (vectors.byText.size === 0) vectors.dimension = undefined
}

/** An embedder's vectors are not of one length: another model answers now. */
class OtherDimension extends Error {}

/** Drops the vectors of texts that are no longer there, once they are as many as those that are. */
function forgetOthers(byText: Map<string, Float32Array>, texts: readonly string[]): void {
  if (byText.size <= 2 * texts.length) return
  const current = new Set(texts)
  for (const text of byText.keys()) if (!current.has(text)) byText.delete(text)
}

/** Returns what is to be a list of one vector. */
async function embedQuery(embedder: SkillEmbedder, query: string, signal: AbortSignal): Promise<unknown> {
  return embedder.embedQuery === undefined
    ? answerOf((until) => embedder.embed([query], until), signal)
    : [await answerOf((until) => embedder.embedQuery!(query, until), signal)]
}

/** @param ask its signal aborts where the answer is no longer waited for */
async function answerOf(ask: (signal: AbortSignal) => PromiseLike<unknown>, signal: AbortSignal): Promise<unknown> {
  const own = new AbortController()
  try {
    const asked = (async () => ask(AbortSignal.any([signal, own.signal])))()
    const answer = await waitFor(asked, EMBED_TIMEOUT_MS, signal)
    if (answer === TIMED_OUT) throw new Error(`it did not answer within ${EMBED_TIMEOUT_MS} ms`)
    return answer
  } finally {
    own.abort()
  }
}

/** Returns an embedder's answer as vectors of unit length. @throws where one cannot be compared with the others */
function checked(answer: unknown, count: number, vectors: Vectors): readonly Float32Array[] {
  if (!Array.isArray(answer) || answer.length !== count) {
    const given = Array.isArray(answer) ? `${answer.length}` : 'something else than a list'
    throw new Error(`it gave ${given} for ${count} ${count === 1 ? 'text' : 'texts'}. Give one vector for each.`)
  }
  return (answer as readonly unknown[]).map((vector) => {
    const unit = unitVector(vector)
    vectors.dimension ??= unit.length
    if (unit.length === vectors.dimension) return unit
    throw new OtherDimension(`it gave a vector of ${unit.length} numbers, after one of ${vectors.dimension}`)
  })
}

function unitVector(vector: unknown): Float32Array {
  const numbers = Float64Array.from(isArrayLike(vector) && vector.length <= MAX_DIMENSION ? vector : [])
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0))
  if (numbers.length > 0 && Number.isFinite(length) && length > 0) {
    return Float32Array.from(numbers, (number) => number / length)
  }
  throw new Error('it gave what is not a vector: each has to be a list of finite numbers that are not all 0')
}

function isArrayLike(value: unknown): value is ArrayLike<number> {
  return typeof value === 'object' && value !== null && 'length' in value
}

function product(a: Float32Array | undefined, b: Float32Array): number {
  if (a === undefined) return 0
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
}

function notInTime(): Diagnostic {
  return embedderFailed(new Error(`it did not answer within ${SEARCH_TIMEOUT_MS} ms`))
}

function embedderFailed(error: unknown): Diagnostic {
  return {
    code: 'EMBEDDER_FAILED',
    severity: 'warning',
    path: 'embedder',
    message: `The search went by words alone, since its embedder failed: ${messageOf(error)}`,
    hint: 'Skills are found by their words meanwhile. Fix the embedder.',
  }
}
