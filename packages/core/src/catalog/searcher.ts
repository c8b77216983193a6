import { type Diagnostic, findFrontmatter, MAX_BODY_CHARS, quoteName, type Skill } from '@repertoire/skill-md/internal'
import { createTierFinder } from '../search/tiers.ts'
import { buildTextIndex, scoresOf, type Query, readQuery, type SearchTexts } from '../search/text-index.ts'
import { messageOf } from '../text/message.ts'
import { inTime, runInTime, TIMED_OUT } from '../time-limit.ts'
import type { SearchOptions, SkillHit, SkillRank, SkillSearch } from '../ports/search.ts'
import { viewOf } from './view.ts'

const RANK_TIMEOUT_MS = 2_000

/**
 * Creates the search in the skills of one snapshot. The index is made with the first search.
 * @param skills sorted by name, those of one name by precedence
 */
export function createSearcher(
  skills: readonly Skill[],
  rank: SkillRank | undefined,
): (given: string | readonly string[], options: SearchOptions & { readonly limit: number }) => Promise<SkillSearch> {
  let index: ReturnType<typeof indexSkills> | undefined

  return async (given, { limit, viewer = {}, signal }) => {
    const query = readQuery(given)
    if (query === undefined) return { hits: [], diagnostics: [] }
    const visible = viewOf(skills, viewer).list()
    const ranked = rank === undefined ? undefined : await askRank(rank, query, visible, signal)
    if (ranked !== undefined && !('code' in ranked))
      return { hits: ranked.slice(0, limit).map((skill, at) => hitOf(skill, 1 - at / ranked.length)), diagnostics: [] }
    const { texts, findTiers, unread } = await (index ??= indexSkills(skills))
    const shown = new Set(visible)
    const scores = scoresOf(texts, query)
    // From 0 to 1 in each tier, so that no score reaches into the tier above.
    const highest = scores.reduce((most, score, at) => (shown.has(skills[at]!) ? Math.max(most, score) : most), 0)
    const tiers = findTiers(query)
    const found = skills
      .map((skill, at) => ({ skill, at, score: (tiers.get(at) ?? 0) + (highest === 0 ? 0 : scores[at]! / highest) }))
      .filter(({ skill, score }) => score > 0 && shown.has(skill))
      .toSorted((one, other) => other.score - one.score)
    const best = found[0]?.score ?? 1
    return {
      hits: found.slice(0, limit).map(({ skill, score }) => hitOf(skill, score / best)),
      // A viewer who may not see a skill learns nothing about its file either.
      diagnostics: [
        ...(ranked === undefined ? [] : [ranked]),
        ...unread.filter(({ path }) => visible.some((skill) => skill.path === path)),
      ],
    }
  }
}

/** Asks the host which skills fit; returns why its answer does not count where it fails. */
async function askRank(
  rank: SkillRank,
  { phrases }: Query,
  visible: readonly Skill[],
  signal: AbortSignal | undefined,
): Promise<readonly Skill[] | Diagnostic> {
  const byName = new Map(visible.map((skill) => [skill.name, skill]))
  try {
    const given = visible.map(({ name, manifest: { description } }) => ({ name, description }))
    const names: unknown = await runInTime(
      (stop) => rank(phrases.join('\n'), given, { signal: stop }),
      RANK_TIMEOUT_MS,
      'The search',
      signal,
    )
    if (names === TIMED_OUT) throw new Error(`it did not answer within ${RANK_TIMEOUT_MS} ms`)
    if (!Array.isArray(names)) throw new Error('it returned no list of names')
    return [...new Set<unknown>(names)].flatMap((name) => byName.get(name as string) ?? [])
  } catch (error) {
    signal?.throwIfAborted()
    return {
      code: 'RANK_FAILED',
      severity: 'warning',
      path: '',
      message: `The search went by words alone, since \`catalog.rank\` failed: ${messageOf(error)}`,
      hint: 'Return the names of the skills that fit, the best first.',
    }
  }
}

function hitOf({ name, manifest: { description } }: Skill, score: number): SkillHit {
  return { name, description, score }
}

async function indexSkills(skills: readonly Skill[]) {
  const unread: Diagnostic[] = []
  const texts = await buildTextIndex(textsOf(skills, unread))
  const names = skills.map(({ name }) => name)
  return { texts, findTiers: createTierFinder(texts, names), unread }
}

function headTexts({ name, manifest }: Skill): Omit<SearchTexts, 'body'> {
  const { description, whenToUse = '', tags, triggers } = manifest
  return {
    name,
    description: `${description}\n${whenToUse}`,
    tags: [...tags, ...triggers.keywords, ...triggers.verbs].join('\n'),
  }
}

const MAX_READS = 16

/** How long one file is waited for: a search is not held up by what an activation would wait for. */
const READ_TIMEOUT_MS = 2_000

/** How long all reads may take: where a source hangs, the rest of the skills are found without their bodies. */
const ALL_READS_TIMEOUT_MS = 10_000

/** @param unread gets a diagnostic for each body that cannot be read */
async function* textsOf(skills: readonly Skill[], unread: Diagnostic[]): AsyncGenerator<SearchTexts> {
  const end = performance.now() + ALL_READS_TIMEOUT_MS
  const read = async (skill: Skill): Promise<string> => {
    if (skill.folder.onDemand === true) return ''
    try {
      const limit = Math.max(0, Math.min(READ_TIMEOUT_MS, end - performance.now()))
      return bodyHead(await inTime(skill.folder.readManifest(), Math.round(limit), 'Its file'))
    } catch (error) {
      unread.push(bodyNotSearched(skill, error))
      return ''
    }
  }
  for (let from = 0; from < skills.length; from += MAX_READS) {
    const some = skills.slice(from, from + MAX_READS)
    const bodies = await Promise.all(some.map(read))
    for (const [at, body] of bodies.entries()) yield { ...headTexts(some[at]!), body }
  }
}

const decoder = new TextDecoder()

/** The most bytes of a character in UTF-8. */
const MAX_CHAR_BYTES = 4

function bodyHead(bytes: Uint8Array): string {
  const place = findFrontmatter(bytes, true)
  if ('code' in place) return ''
  const { bodyStart } = place
  const head = decoder.decode(bytes.subarray(bodyStart, bodyStart + MAX_BODY_CHARS * MAX_CHAR_BYTES))
  return head.slice(0, MAX_BODY_CHARS)
}

function bodyNotSearched({ name, path }: Skill, error: unknown): Diagnostic {
  return {
    code: 'BODY_NOT_SEARCHED',
    severity: 'warning',
    path,
    message: `The body of the skill ${quoteName(name)} is not searched: ${messageOf(error)}`,
    hint: 'It is found by its name, description and tags alone. Reload when its file can be read.',
  }
}
