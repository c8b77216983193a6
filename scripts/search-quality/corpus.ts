import {
  memorySource,
  openRepertoire,
  parseSkill,
  type Repertoire,
  type Skill,
  type SkillEmbedder,
} from '@repertoire/core'
import { existsSync, readFileSync } from 'node:fs'

/** Published skills, and tasks with the skill that fits each. They are not part of the repository. */
const CORPUS = new URL('../../../shared/corpus/', import.meta.url)

/** Whether the skills and the queries are beside the repository. */
export const hasCorpus: boolean = existsSync(new URL('queries.jsonl', CORPUS))

/** A task, and what is searched for to find the skills that fit it. */
export interface LabelledQuery {
  readonly phrases: readonly string[]
  /** The ids of the skills that are right. */
  readonly right: ReadonlySet<string>
}

/** The skills as a host opens them, each under a name of its own. */
export interface OpenedCorpus {
  readonly repertoire: Repertoire
  /** Returns the id of a skill, as queries name it. */
  readonly idOf: (skill: Pick<Skill, 'location'>) => string
  /** What the body of a skill begins with, by its id. */
  readonly bodies: ReadonlyMap<string, string>
}

/** Tasks, each in the words of people and in the search phrases of a strong model. */
export interface LabelledQueries {
  readonly written: readonly LabelledQuery[]
  readonly rewritten: readonly LabelledQuery[]
}

interface SkillLine {
  readonly id: string
  readonly file: string
}

interface QueryLine {
  readonly query: string
  readonly queries?: readonly string[]
  readonly skill: string
  readonly skills?: readonly string[]
}

/**
 * Opens the published skills. Of those that share a name, all but one get a number behind it, so that none hides another.
 * @param embedder lets searches go by meaning, too
 */
export async function openCorpus(embedder?: SkillEmbedder): Promise<OpenedCorpus> {
  const used = new Set<string>()
  const bodies = new Map<string, string>()
  const skills: Record<string, Record<string, string>> = {}
  for (const { id, file } of readLines('manifest.jsonl') as readonly SkillLine[]) {
    const text = readFileSync(new URL(`skills/${id}/${file}`, CORPUS), 'utf8')
    const { manifest, body = '' } = await parseSkill(text, { profile: 'lenient' })
    if (manifest === undefined) continue
    let { name } = manifest
    for (let number = 2; used.has(name); number++) name = `${manifest.name}-${number}`
    used.add(name)
    bodies.set(id, body)
    skills[encodeURIComponent(id)] = {
      'SKILL.md': name === manifest.name ? text : text.replace(/^name:.*$/m, () => `name: ${name}`),
    }
  }
  const source = memorySource({ id: 'corpus', layer: 'project', skills })
  const repertoire = await openRepertoire({
    sources: [source],
    profile: 'lenient',
    listingBudget: false,
    ...(embedder !== undefined && { embedder }),
  })
  return { repertoire, idOf, bodies }
}

function idOf({ location }: Pick<Skill, 'location'>): string {
  return decodeURIComponent(location.slice('memory:corpus/'.length))
}

/** The tasks in the words of people, and in the search phrases of a strong model. */
export function readQueries(): LabelledQueries {
  const lines = readLines('queries.jsonl') as readonly QueryLine[]
  const right = new Map(lines.map(({ query, skill, skills = [] }) => [query, new Set([skill, ...skills])]))
  return {
    written: lines.map(({ query }) => ({ phrases: [query], right: right.get(query)! })),
    rewritten: (readLines('queries-rewritten.jsonl') as readonly QueryLine[]).map(({ query, queries = [], skill }) => ({
      phrases: queries,
      right: right.get(query) ?? new Set([skill]),
    })),
  }
}

function readLines(name: string): readonly unknown[] {
  const lines = readFileSync(new URL(name, CORPUS), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as unknown)
}
