import { type ListingStyle, type Repertoire, type Skill } from '@repertoire/core'
import { renderListing } from '@repertoire/core/adapter'
import { createHash } from 'node:crypto'
import type { Corpus, Task } from './corpus.ts'

/** The most skills that a search is asked for: later hits do not count. */
const MAX_HITS = 20
/** The skills that one call of the model's search tool shows. */
const SHOWN_HITS = 5
/** Few enough tasks for one catalog to leave room for skills that are right for none of them. */
const TASKS_PER_CATALOG = 10

/** How often the right skill is found. */
export interface Recall {
  /** The share of the tasks whose right skill is the first, or among the first three or five. */
  readonly at: Readonly<Record<1 | 3 | 5, number>>
  /** The mean of 1 / the place of the right skill; 0 if it is not found. */
  readonly reciprocalRank: number
}

/** Measures the search by tasks whose right skills are known. */
export async function measureRecall({ catalog }: Pick<Repertoire, 'catalog'>, tasks: readonly Task[]): Promise<Recall> {
  const places: number[] = []
  for (const { phrases, right } of tasks) {
    const { hits } = await catalog.search(phrases, { limit: MAX_HITS, viewer: { person: true } })
    places.push(hits.findIndex(({ name }) => right.has(name)) + 1 || Infinity)
  }
  const within = (place: number): number => places.filter((each) => each <= place).length / places.length
  return {
    at: { 1: within(1), 3: within(3), 5: within(5) },
    reciprocalRank: places.reduce((sum, place) => sum + 1 / place, 0) / places.length,
  }
}

/** Splits tasks in halves by a hash of the right skill. Try changes on one half, and judge them by the other. */
export function splitTasks(tasks: readonly Task[]): {
  readonly tuned: readonly Task[]
  readonly heldOut: readonly Task[]
} {
  const { tuned = [], heldOut = [] } = Object.groupBy(tasks, ({ right }) => {
    const [first = ''] = [...right].toSorted()
    return createHash('sha256').update(first).digest()[0]! % 2 === 0 ? 'tuned' : 'heldOut'
  })
  return { tuned, heldOut }
}

/** A part of the published skills, and the tasks that it has the right skills of. */
export interface SampleCatalog {
  readonly skills: readonly Skill[]
  readonly tasks: readonly Task[]
}

/** Returns catalogs of one size: each has the right skills of a few tasks, and others spread evenly over all. */
export function sampleCatalogs(all: readonly Skill[], tasks: readonly Task[], size: number): readonly SampleCatalog[] {
  const groups = Array.from({ length: Math.ceil(tasks.length / TASKS_PER_CATALOG) }, (_, group) =>
    tasks.slice(group * TASKS_PER_CATALOG, (group + 1) * TASKS_PER_CATALOG),
  )
  return groups.map((group, index) => {
    const right = new Set(group.flatMap((task) => [...task.right]))
    const others = all.filter(({ name }) => !right.has(name))
    const wanted = Math.max(0, size - right.size)
    const chosen = new Set(
      Array.from(
        { length: wanted },
        (_, n) => others[(Math.floor((n * others.length) / wanted) + index * 7) % others.length],
      ),
    )
    return { tasks: group, skills: all.filter((skill) => right.has(skill.name) || chosen.has(skill)) }
  })
}

/** How often a model sees the right skill of a task: in the list next to a search, in one search, in either. */
export interface ListedOrFound {
  readonly listed: number
  readonly found: number
  readonly either: number
}

/** Measures the list and the search over catalogs of one size. The results are shares of the tasks. */
export async function measureListedOrFound(
  { repertoire: { catalog }, skills: all }: Corpus,
  tasks: readonly Task[],
  size: number,
): Promise<ListedOrFound> {
  const counts = { listed: 0, found: 0, either: 0 }
  for (const { skills, tasks: asked } of sampleCatalogs(all, tasks, size)) {
    const dropped = new Set(renderListing(skills, 'section', {}, [], { searchable: true }).cuts.dropped)
    const names = skills.map(({ name }) => name)
    for (const { phrases, right } of asked) {
      const { hits } = await catalog.search(phrases, { limit: SHOWN_HITS, viewer: { person: true, skills: names } })
      const isListed = names.some((name) => right.has(name) && !dropped.has(name))
      const isFound = hits.some(({ name }) => right.has(name))
      counts.listed += Number(isListed) / tasks.length
      counts.found += Number(isFound) / tasks.length
      counts.either += Number(isListed || isFound) / tasks.length
    }
  }
  return counts
}

/** Returns which share of the descriptions' text the budget of a list leaves. */
export function shownShare(skills: readonly Skill[], style: ListingStyle): number {
  const { text, tools } = renderListing(skills, style)
  const entries = text.matchAll(/>(.+)<\/(?:skill|description)>$|^- .+?: (.+)$|^Description: (.+)$/gm)
  const found = Array.from(entries, ([, xml, item, section]) => xml ?? item ?? section ?? '')
  const shown = style === 'tools' ? tools.map(({ description }) => description) : found
  const whole = skills.map(({ manifest: { description, whenToUse = '' } }) => description + whenToUse)
  // What is escaped for XML counts as one character.
  return shown.join('').replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, '&').length / whole.join('').length
}
