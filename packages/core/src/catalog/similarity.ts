import type { Diagnostic, Skill } from '@repertoire/skill-md/internal'
import type { SkillEmbedder } from '../ports/embedder.ts'
import { TIMED_OUT, waitFor } from '../time-limit.ts'
import { messageOf } from './scan-diagnostics.ts'
import { lateAnswer, vectorsOf } from './vectors.ts'

/** How long a search waits for vectors. What comes later is there for later searches. */
const SEARCH_TIMEOUT_MS = 5_000

/**
 * How much it counts that a body is nearer to what is searched for than the skill's description is. A body alone finds less
 * than a description does.
 */
const BODY_WEIGHT = 0.3

/** What is compared with what is searched for. */
export interface Compared {
  readonly skills: readonly Skill[]
  /** What the body of each begins with, where the embedder is given that, too. Empty: it has none, or it cannot be read. */
  readonly bodies: () => Promise<readonly string[]>
  /** Aborts where the repertoire is closed: what is asked for then is no longer needed. */
  readonly until: () => AbortSignal
}

/**
 * Creates a function that compares what is searched for with skills in meaning.
 * @returns the similarities in the order of the skills, or why there are none
 */
export function createSimilarity(
  embedder: SkillEmbedder,
  { skills, bodies, until }: Compared,
): (query: string) => Promise<Float32Array | Diagnostic> {
  const vectors = vectorsOf(embedder)
  let texts: Promise<SkillTexts> | undefined

  async function compare(query: string, signal: AbortSignal): Promise<Float32Array> {
    if (skills.length === 0) return new Float32Array()
    texts ??= textsOf(skills, embedder, bodies)
    const { all, bodyAt } = await texts
    const ofSkills = await vectors.of(all, SEARCH_TIMEOUT_MS, until())
    // The search may have gone by words meanwhile: then nobody needs the answer.
    const ofQuery = await vectors.ofQuery(query, signal)
    return Float32Array.from(skills, (_, index) => {
      const similarity = product(ofSkills[index]!, ofQuery)
      const body = bodyAt[index]!
      if (body === -1) return similarity
      return similarity + BODY_WEIGHT * Math.max(0, product(ofSkills[body]!, ofQuery) - similarity)
    })
  }

  return async (query) => {
    const controller = new AbortController()
    try {
      const similarities = await waitFor(compare(query, controller.signal), SEARCH_TIMEOUT_MS)
      if (similarities === TIMED_OUT) throw lateAnswer(SEARCH_TIMEOUT_MS)
      return similarities as Float32Array
    } catch (error) {
      return embedderFailed(error)
    } finally {
      controller.abort()
    }
  }
}

/** What an embedder is given of the skills of a snapshot. */
interface SkillTexts {
  /** The text of each, in their order, and then the bodies. */
  readonly all: readonly string[]
  /** Where the body of each is in that; -1: it has none. */
  readonly bodyAt: readonly number[]
}

async function textsOf(
  skills: readonly Skill[],
  { bodyChars = 0 }: SkillEmbedder,
  bodies: Compared['bodies'],
): Promise<SkillTexts> {
  const all = skills.map(textOf)
  if (bodyChars === 0) return { all, bodyAt: skills.map(() => -1) }
  const bodyAt = (await bodies()).map((body) => {
    const head = body.trim().slice(0, bodyChars)
    return head === '' ? -1 : all.push(head) - 1
  })
  return { all, bodyAt }
}

/** What a skill is about, in its author's words. */
function textOf({ name, manifest: { description, whenToUse = '' } }: Skill): string {
  return `${name}\n${description}\n${whenToUse}`.trim()
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!
  return sum
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
