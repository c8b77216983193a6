import MiniSearch from 'minisearch'
import type { OpenedCorpus } from './corpus.ts'
import type { Search } from './recall.ts'

/** As much as a search is asked for at most: what comes later does not count. */
export const MAX_HITS = 20

/** The searches that are compared, by name; the first is ours. */
export function searchesOf(corpus: OpenedCorpus): ReadonlyMap<string, Search> {
  return new Map([
    ['catalog.search', ours(corpus)],
    ['keywords: name, part of a name, description', keywords(corpus)],
    ['MiniSearch, its defaults', miniSearch(corpus)],
  ])
}

function ours({ repertoire: { catalog }, idOf }: OpenedCorpus): Search {
  return async (phrases) => {
    const { hits } = await catalog.search(phrases, { limit: MAX_HITS, view: { person: true } })
    return hits.map(({ name }) => idOf(catalog.get(name)))
  }
}

/** Counts words: one that is a skill's name most, then one that is a part of it, then one of its description. */
function keywords({ repertoire: { catalog }, idOf }: OpenedCorpus): Search {
  const skills = catalog.list().map((skill) => ({
    id: idOf(skill),
    name: skill.name.toLowerCase(),
    description: new Set(wordsOf(skill.manifest.description)),
  }))
  return (phrases) => {
    const words = [...new Set(wordsOf(phrases.join(' ')))]
    const scored = skills.map(({ id, name, description }) => ({
      id,
      score: words.reduce(
        (sum, word) => sum + (name === word ? 100 : name.includes(word) ? 10 : description.has(word) ? 1 : 0),
        0,
      ),
    }))
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MAX_HITS)
      .map(({ id }) => id)
  }
}

function miniSearch(corpus: OpenedCorpus): Search {
  let index: MiniSearch | undefined
  return (phrases) =>
    // Not every comparison asks it, and thousands of whole skills take seconds.
    (index ??= miniIndex(corpus))
      .search(phrases.join(' '))
      .slice(0, MAX_HITS)
      .map(({ id }) => String(id))
}

function miniIndex({ repertoire: { catalog }, idOf, bodies }: OpenedCorpus): MiniSearch {
  const index = new MiniSearch<Record<string, string>>({ fields: ['name', 'description', 'tags', 'body'] })
  index.addAll(
    catalog.list().map((skill) => {
      const id = idOf(skill)
      const { description, whenToUse = '', tags } = skill.manifest
      const body = bodies.get(id)!.slice(0, 2_000)
      return { id, name: skill.name, description: `${description}\n${whenToUse}`, tags: tags.join('\n'), body }
    }),
  )
  return index
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
}
