import { memorySource, openRepertoire, type Repertoire, type Skill } from '@repertoire/core'
import { parseSkill } from '@repertoire/core/authoring'
import { existsSync, readFileSync } from 'node:fs'

/** Published skills, and tasks with the skill that fits each. They are not part of the repository. */
const CORPUS = new URL('../../../shared/corpus/', import.meta.url)

/** Whether the skills and the tasks are next to the repository. */
export const hasCorpus: boolean = existsSync(new URL('queries.jsonl', CORPUS))

/** A task: the phrases that are searched for, and the names of the skills that are right. */
export interface Task {
  readonly phrases: readonly string[]
  readonly right: ReadonlySet<string>
}

/** The published skills, and the same tasks in the words of people and in the search phrases of a strong model. */
export interface Corpus {
  readonly repertoire: Repertoire
  readonly skills: readonly Skill[]
  readonly written: readonly Task[]
  readonly rewritten: readonly Task[]
}

interface SkillLine {
  readonly id: string
  readonly file: string
}

interface TaskLine {
  readonly query: string
  readonly queries?: readonly string[]
  readonly skill: string
  readonly skills?: readonly string[]
}

/**
 * Opens the published skills. If several share a name, all but one get a number behind it, so that none hides another.
 */
export async function openCorpus(): Promise<Corpus> {
  const nameOf = new Map<string, string>()
  const skills: Record<string, Record<string, string>> = {}
  for (const { id, file } of readLines('manifest.jsonl') as readonly SkillLine[]) {
    const text = readFileSync(new URL(`skills/${id}/${file}`, CORPUS), 'utf8')
    const { manifest } = await parseSkill(text, { profile: 'lenient' })
    if (manifest === undefined) continue
    let { name } = manifest
    for (let number = 2; Object.hasOwn(skills, name); number++) name = `${manifest.name}-${number}`
    nameOf.set(id, name)
    skills[name] = { 'SKILL.md': text.replace(/^name:.*$/m, () => `name: ${name}`) }
  }
  const sources = [memorySource({ id: 'corpus', layer: 'project', skills })]
  const repertoire = await openRepertoire({
    sources,
    catalog: { profile: 'lenient' },
    listing: { budget: false },
  })
  const lines = readLines('queries.jsonl') as readonly TaskLine[]
  const namesOf = (ids: readonly string[]): ReadonlySet<string> => new Set(ids.flatMap((id) => nameOf.get(id) ?? []))
  const right = new Map(lines.map(({ query, skill, skills: others = [] }) => [query, namesOf([skill, ...others])]))
  return {
    repertoire,
    skills: repertoire.catalog.list(),
    written: lines.map(({ query }) => ({ phrases: [query], right: right.get(query)! })),
    rewritten: (readLines('queries-rewritten.jsonl') as readonly TaskLine[]).map(({ query, queries = [], skill }) => ({
      phrases: queries,
      right: right.get(query) ?? namesOf([skill]),
    })),
  }
}

function readLines(name: string): readonly unknown[] {
  const lines = readFileSync(new URL(name, CORPUS), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as unknown)
}
