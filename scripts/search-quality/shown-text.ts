import type { Skill } from '@repertoire/core'
import { LISTING_RULES, type ListingRule } from './listing-rules.ts'
import { textScorer } from './text-scorer.ts'

/** A task, in the words that describe it, and the skills that are right for it. */
export interface ShownTextQuery {
  readonly phrases: readonly string[]
  /** The names of the skills. */
  readonly right: ReadonlySet<string>
}

/** How often the right skill is found from what one rule shows. */
interface ShownTextRow {
  readonly rule: string
  readonly skills: number
  /** Shares of the queries: the right skill is in the list at all, is the first by its text, is among the first three. */
  readonly listed: number
  readonly first: number
  readonly firstThree: number
  /** The share of the descriptions' text that is shown. */
  readonly text: number
}

/** The sizes of catalogs for which lists are made. */
const CATALOG_SIZES: readonly number[] = [30, 100, 300, 1_000]

/** Queries that are asked of one catalog: as many as leave room for skills that are right for none of them. */
const QUERIES_PER_CATALOG = 10

/** The queries with which catalogs are made and asked. */
export interface ShownTextOptions {
  readonly skills: readonly Skill[]
  readonly queries: readonly ShownTextQuery[]
  readonly sizes?: readonly number[]
  readonly rules?: readonly ListingRule[]
}

/**
 * Returns how often the right skill is found from the shown text alone, for catalogs of growing sizes. Each catalog holds
 * the right skills of a few queries, and others that are spread evenly over all; the same in every run.
 */
export function measureShownText({
  skills,
  queries,
  sizes = CATALOG_SIZES,
  rules = LISTING_RULES,
}: ShownTextOptions): readonly ShownTextRow[] {
  return sizes.flatMap((size) => {
    const catalogs = catalogsOf(skills, queries, size)
    return rules.map((rule) => rowOf(rule, size, catalogs))
  })
}

/** Returns catalogs of a size that have the right skills of all queries, a few queries each. */
export function catalogsOf(
  skills: readonly Skill[],
  queries: readonly ShownTextQuery[],
  size: number,
): readonly AskedCatalog[] {
  const groups = Array.from({ length: Math.ceil(queries.length / QUERIES_PER_CATALOG) }, (_, group) =>
    queries.slice(group * QUERIES_PER_CATALOG, (group + 1) * QUERIES_PER_CATALOG),
  )
  return groups.map((asked, group) => ({ asked, catalog: catalogOf(skills, asked, size, group) }))
}

/** A catalog, and the queries that are asked of it. */
export interface AskedCatalog {
  readonly asked: readonly ShownTextQuery[]
  readonly catalog: readonly Skill[]
}

function rowOf(rule: ListingRule, size: number, catalogs: readonly AskedCatalog[]): ShownTextRow {
  let [listed, first, firstThree, all, shownText, wholeText] = [0, 0, 0, 0, 0, 0]
  for (const { asked, catalog } of catalogs) {
    const list = rule.list(catalog)
    const names = new Set(list.map(({ name }) => name))
    const find = textScorer(list)
    shownText += list.reduce((sum, { description = '' }) => sum + description.length, 0)
    wholeText += catalog.reduce((sum, { manifest }) => sum + manifest.description.length, 0)
    for (const { phrases, right } of asked) {
      const found = find(phrases.join(' ')).slice(0, 3)
      const isRight = (name: string | undefined): boolean => name !== undefined && right.has(name)
      all++
      if ([...right].some((name) => names.has(name))) listed++
      if (isRight(found[0])) first++
      if (found.some(isRight)) firstThree++
    }
  }
  return {
    rule: rule.name,
    skills: size,
    listed: listed / all,
    first: first / all,
    firstThree: firstThree / all,
    text: Math.min(1, shownText / wholeText),
  }
}

/** The right skills of some queries among others, by name, as a catalog lists them. */
function catalogOf(
  skills: readonly Skill[],
  asked: readonly ShownTextQuery[],
  size: number,
  seed: number,
): readonly Skill[] {
  const right = new Set(asked.flatMap(({ right: names }) => [...names]))
  const others = skills.filter(({ name }) => !right.has(name))
  const wanted = Math.max(0, size - right.size)
  const spread = Array.from(
    { length: wanted },
    (_, n) => others[(Math.floor((n * others.length) / wanted) + seed * 7) % others.length]!,
  )
  const chosen = new Set([...right, ...spread.map(({ name }) => name)])
  return skills.filter(({ name }) => chosen.has(name))
}

/** Skills, and what names each of them in queries. */
interface NamedCorpus {
  readonly repertoire: { readonly catalog: { readonly list: () => readonly Skill[] } }
  readonly idOf: (skill: Skill) => string
}

/** Returns the part of the report on lists, for queries as people write them and as models do, each with the right ids. */
export function shownTextReport(
  { repertoire, idOf }: NamedCorpus,
  { written, rewritten }: Readonly<Record<'written' | 'rewritten', readonly ShownTextQuery[]>>,
): string {
  const skills = repertoire.catalog.list()
  const nameOf = new Map(skills.map((skill) => [idOf(skill), skill.name]))
  const named = ({ phrases, right }: ShownTextQuery): ShownTextQuery => ({
    phrases,
    right: new Set([...right].flatMap((id) => nameOf.get(id) ?? [])),
  })
  const tableOf = (queries: readonly ShownTextQuery[]): string =>
    shownTextTable(measureShownText({ skills, queries: queries.map(named) }))
  return [
    '## Found from the text that is shown',
    "A scorer of words looks at what each list shows, and at nothing else. A model knows more; but what is not there, it cannot find either. In people's words:",
    tableOf(written),
    "In a model's phrases:",
    tableOf(rewritten),
  ].join('\n\n')
}

/** Returns the rows as a table of Markdown, in percent. */
function shownTextTable(rows: readonly ShownTextRow[]): string {
  return [
    '| skills | list | text shown % | right one listed % | first % | in the first three % |',
    '| --: | --- | --: | --: | --: | --: |',
    ...rows.map(
      ({ skills, rule, text, listed, first, firstThree }) =>
        `| ${skills} | ${rule} | ${percent(text)} | ${percent(listed)} | ${percent(first)} | ${percent(firstThree)} |`,
    ),
  ].join('\n')
}

function percent(share: number): string {
  return `${Math.round(share * 100)}`
}
