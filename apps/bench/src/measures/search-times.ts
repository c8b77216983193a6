import type { Skill } from '@repertoire/core'
import MiniSearch from 'minisearch'
import { readFileSync } from 'node:fs'
import type { Answers, SearchEngine } from '../job.ts'
import { used } from './heap.ts'
import { openTree } from './skills.ts'

/** Finds what fits a query, and says how much it has found. */
type Find = (query: string) => number | Promise<number>

/** Queries of each kind, over and over in one process. */
const QUERIES = 50
const ROUNDS = 6

const MAX_HITS = 10
/** Of a body, as much as ours reads, in UTF-16 code units. */
const MAX_BODY_CHARS = 2_000

/**
 * Builds the index of a search over the skills of a tree, weighs it, and times queries.
 * @throws {Error} if a query finds nothing: what finds nothing has not searched; or unless Node runs with `--expose-gc`
 */
export async function timeSearch(engine: SearchEngine, root: string): Promise<Answers['search']> {
  const { catalog } = await openTree(root)
  const skills = catalog.list()
  // Parsed by now, whatever searches them.
  const texts = skills.map(({ manifest }) => manifest.description)
  const before = await used()
  const start = performance.now()
  const find: Find =
    engine === 'minisearch'
      ? miniSearch(skills)
      : async (query) => (await catalog.search(query, { limit: MAX_HITS, view: { person: true } })).hits.length
  // Ours is built with the first search.
  await find('first')
  const build = performance.now() - start
  const bytes = (await used()) - before
  const step = Math.max(1, Math.floor(texts.length / QUERIES))
  const asked = texts.filter((_, index) => index % step === 0).slice(0, QUERIES)
  return {
    skills: skills.length,
    build,
    bytes,
    phrases: await timeQueries(find, asked.map(phraseOf)),
    words: await timeQueries(find, asked.map(wordOf)),
  }
}

/** MiniSearch with its defaults, over the same fields. */
function miniSearch(skills: readonly Skill[]): Find {
  const index = new MiniSearch<Record<string, string>>({ fields: ['name', 'description', 'tags', 'body'] })
  index.addAll(
    skills.map(({ name, path, manifest: { description, whenToUse = '', tags } }) => ({
      id: path,
      name,
      description: `${description}\n${whenToUse}`,
      tags: tags.join('\n'),
      body: bodyOf(readFileSync(path, 'utf8')),
    })),
  )
  return (query) => index.search(query).slice(0, MAX_HITS).length
}

function bodyOf(text: string): string {
  const [, body = ''] = /^---[\s\S]*?\n---([\s\S]*)$/.exec(text) ?? []
  return body.slice(0, MAX_BODY_CHARS)
}

/** Times each query, those of a round one after the other: milliseconds for one. */
async function timeQueries(find: Find, queries: readonly string[]): Promise<readonly number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries) {
      const start = performance.now()
      const found = await find(query)
      times.push(performance.now() - start)
      if (found === 0) throw new Error(`Error: nothing was found for ${JSON.stringify(query)}.`)
    }
  }
  return times
}

/** What describes a skill, in as many words as a person types. */
function phraseOf(description: string): string {
  return description.split(/\s+/).slice(0, 8).join(' ')
}

/** The longest word: it says most. */
function wordOf(description: string): string {
  const words = description.toLowerCase().match(/[a-z]{2,20}/g) ?? []
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
