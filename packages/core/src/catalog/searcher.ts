import type { Diagnostic, Skill, WithDefaults } from '@repertoire/skill-md/internal'
import type { SearchTexts } from '../search/fields.ts'
import {
  best,
  highestOf,
  lexicalScores,
  matchesIn,
  type Query,
  readQuery,
  type SearchMatch,
  sumOfScores,
} from '../search/rank.ts'
import type { TextIndex } from '../search/text-index.ts'
import {
  createNameFinder,
  foldedName,
  namesOfQuery,
  onlyWord,
  tierInMessage,
  TIERS,
  tiersOfWord,
} from '../search/tiers.ts'
import { readBodyHeads, indexOnce, type IndexMemory } from './search-index.ts'
import { createSimilarity } from './similarity.ts'
import { type Viewer, visibility } from './view.ts'
import type { SkillEmbedder } from '../ports/embedder.ts'

/** What a search may find. */
export interface SearchOptions {
  /** The most skills that are found, 1 or more. Default 10. */
  readonly limit?: number | undefined
  /** Who searches: the rest is not there for it. Default: one that sees what no scope and no allowlist hides. */
  readonly viewer?: Viewer | undefined
  /** The search is no longer waited for when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** A skill that was found. */
export interface SkillHit {
  readonly name: string
  readonly description: string
  /** More than 0, at most 1: how it compares with the others of the same search, and nothing else. */
  readonly score: number
  /** Which words of the query it has, and where. Empty: it was found by its meaning, or by a part of its name. */
  readonly why: readonly SearchMatch[]
  /** How near it is in meaning, -1 to 1. Absent: there is no embedder, or it failed. */
  readonly similarity?: number
}

/** What a search has found. */
export interface SkillSearch {
  /** Best first, skills that score the same by name. Empty: none fits. */
  readonly hits: readonly SkillHit[]
  /** What was not searched: bodies that cannot be read, an embedder that failed. */
  readonly diagnostics: readonly Diagnostic[]
}

/** What a search is made with. */
export interface SearchSettings {
  readonly embedder: SkillEmbedder | undefined
  /** Shared by the snapshots of a repertoire. */
  readonly memory: IndexMemory
}

/** What a search is made with. */
type Asked = WithDefaults<Pick<SearchOptions, 'limit'>> & { readonly viewer: Viewer }

/** Creates the search in the skills of one snapshot. The index is made with the first search. */
export function createSearcher(
  skills: readonly Skill[],
  { embedder, memory }: SearchSettings,
): (query: string | readonly string[], asked: Asked) => Promise<SkillSearch> {
  const { heads, diagnostics } = readBodyHeads(skills)
  let index: Promise<TextIndex> | undefined
  const names = skills.map(({ name }) => foldedName(name))
  const findNames = createNameFinder(names)
  // They are read for the index, and kept for nothing else.
  const bodies: string[] | undefined = (embedder?.bodyChars ?? 0) > 0 ? [] : undefined
  const indexed = (): Promise<TextIndex> => (index ??= indexOnce(memory, textsOf(skills, heads, bodies)))
  const similarity =
    embedder &&
    createSimilarity(embedder, {
      skills,
      bodies: async () => {
        await indexed()
        return bodies?.splice(0) ?? []
      },
      until: () => (memory.begun ??= new AbortController()).signal,
    })

  return async (given, { limit, viewer }) => {
    const query = readQuery(given)
    if (query === undefined) return { hits: [], diagnostics: [] }
    const [texts, meaning] = await Promise.all([indexed(), similarity?.(query.phrases.join('\n'))])
    const isVisible = visibility(viewer)
    // 1 for each skill that the viewer may see, and 0 for all others.
    const isShown = new Uint8Array(skills.map((skill) => (isVisible(skill) ? 1 : 0)))
    const failure = meaning !== undefined && 'code' in meaning ? [meaning] : []
    const similarities = meaning instanceof Float32Array ? meaning : undefined
    const hits = hitsOf({ skills, texts, query, names, findNames, isShown, similarities, limit })
    return { hits, diagnostics: [...shownDiagnostics(diagnostics, skills, isShown), ...failure] }
  }
}

/** Who may not see a skill is told nothing of its file either. */
function shownDiagnostics(
  diagnostics: readonly Diagnostic[],
  skills: readonly Skill[],
  isShown: Uint8Array,
): readonly Diagnostic[] {
  if (diagnostics.length === 0) return diagnostics
  const paths = new Set(skills.flatMap(({ path }, document) => (isShown[document] === 1 ? [path] : [])))
  return diagnostics.filter(({ path }) => paths.has(path))
}

/** @param bodies if given, gets what the body of each begins with */
async function* textsOf(
  skills: readonly Skill[],
  heads: AsyncIterable<string>,
  bodies: string[] | undefined,
): AsyncGenerator<SearchTexts> {
  let document = 0
  for await (const body of heads) {
    bodies?.push(body)
    yield { ...headTexts(skills[document++]!), body }
  }
}

/** The texts of a skill that its manifest holds. */
function headTexts({ name, manifest }: Skill): Omit<SearchTexts, 'body'> {
  const { description, whenToUse = '', tags, triggers } = manifest
  return {
    name,
    description: `${description}\n${whenToUse}`,
    tags: [...tags, ...triggers.keywords, ...triggers.verbs].join('\n'),
  }
}

interface Ranking {
  readonly skills: readonly Skill[]
  readonly texts: TextIndex
  readonly query: Query
  /** The name of each skill, as queries may have it. */
  readonly names: readonly string[]
  readonly findNames: ReturnType<typeof createNameFinder>
  /** 1 for each skill that the viewer may see. */
  readonly isShown: Uint8Array
  readonly similarities: Float32Array | undefined
  readonly limit: number
}

function hitsOf(ranking: Ranking): readonly SkillHit[] {
  const { skills, texts, query, isShown, similarities, limit } = ranking
  const lexical = lexicalScores(texts, query, isShown)
  const scores = similarities === undefined ? lexical : sumOfScores(lexical, similarities, isShown)
  const highest = best(scores, isShown)
  // From 0 to 1 in each tier, so that no score reaches into the tier above.
  if (highest > 0) for (let document = 0; document < scores.length; document++) scores[document]! /= highest
  const tiers = tiersOf(ranking)
  for (const [document, tier] of tiers) scores[document]! += tier
  // The best of a tier need not be the best by its texts.
  const total = best(scores, isShown)
  return highestOf(scores, isShown, limit).map((document) => {
    const similarity = similarities?.[document]
    const { name, manifest } = skills[document]!
    return {
      name,
      description: manifest.description,
      score: scores[document]! / total,
      why: matchesIn(texts, query, document),
      similarity,
    }
  })
}

/**
 * The skills that come before all others, whatever these score: one that is named, and for a query of one word all by
 * where they have it.
 */
function tiersOf({ skills, texts, query, isShown, names, findNames }: Ranking): ReadonlyMap<number, number> {
  const only = onlyWord(query)
  const tiers = new Map(only === undefined ? [] : tiersOfWord(texts, only, names))
  for (const named of query.message === undefined ? [] : findNames(query.message)) {
    const tier = tierInMessage(texts, named, isShown)
    if (tier !== undefined) tiers.set(named.document, tier)
  }
  const named = namesOfQuery(query)
  for (let document = 0; document < names.length; document++) {
    if (isShown[document] === 0 || !named.has(names[document]!)) continue
    // Several may be one in this form: `pdf_forms` and `pdf-forms`.
    const isSame = query.phrases.includes(skills[document]!.name)
    tiers.set(document, isSame ? TIERS.sameName : TIERS.exactName)
  }
  for (const document of tiers.keys()) if (isShown[document] === 0) tiers.delete(document)
  return tiers
}
