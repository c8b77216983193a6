// Prints how often the right one of thousands of published skills is found: npm run search-quality
import { memorySource, openRepertoire } from '@repertoire/core'
import { parseSkill } from '@repertoire/core/authoring'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

/** Published skills, and tasks with the skills that fit each. They are not part of the repository. */
const CORPUS = new URL('../../shared/corpus/', import.meta.url)

/** Whether the skills and the tasks are next to the repository. */
export const hasCorpus: boolean = existsSync(new URL('queries.jsonl', CORPUS))

interface Line {
  readonly id: string
  readonly file: string
  readonly query: string
  readonly queries?: readonly string[]
  readonly skill: string
  readonly skills?: readonly string[]
}

/**
 * Measures the search by tasks whose right skills are known, in the words of people and in the search phrases of a
 * strong model.
 * @returns the shares of the tasks whose right skill is the first, or among the first three or five
 */
export async function measureRecall(): Promise<
  Readonly<Record<'people' | 'model', Readonly<Record<1 | 3 | 5, number>>>>
> {
  const nameOf = new Map<string, string>()
  const skills: Record<string, Record<string, string>> = {}
  for (const { id, file } of readLines('manifest.jsonl')) {
    const text = readFileSync(new URL(`skills/${id}/${file}`, CORPUS), 'utf8')
    const { manifest } = await parseSkill(text, { profile: 'lenient' })
    if (manifest === undefined) continue
    // If several share a name, all but one get a number behind it, so that none hides another.
    let { name } = manifest
    for (let number = 2; Object.hasOwn(skills, name); number++) name = `${manifest.name}-${number}`
    nameOf.set(id, name)
    skills[name] = { 'SKILL.md': text.replace(/^name:.*$/m, () => `name: ${name}`) }
  }
  const sources = [memorySource({ id: 'corpus', layer: 'project', skills })]
  const { catalog } = await openRepertoire({ sources, catalog: { profile: 'lenient' }, listing: { budget: false } })
  const tasks = readLines('queries.jsonl')
  const rightOf = new Map(tasks.map(({ query, skill, skills: others = [] }) => [query, [skill, ...others]]))
  const measure = async (lines: readonly Line[]) => {
    const places: number[] = []
    for (const { query, queries = [query], skill } of lines) {
      const right = new Set((rightOf.get(query) ?? [skill]).map((id) => nameOf.get(id)))
      const { hits } = await catalog.search(queries, { limit: 5, viewer: { person: true } })
      places.push(hits.findIndex(({ name }) => right.has(name)) + 1 || Infinity)
    }
    const within = (place: number): number => places.filter((each) => each <= place).length / places.length
    return { 1: within(1), 3: within(3), 5: within(5) }
  }
  return { people: await measure(tasks), model: await measure(readLines('queries-rewritten.jsonl')) }
}

function readLines(name: string): readonly Line[] {
  const lines = readFileSync(new URL(name, CORPUS), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

if (process.argv[1] === import.meta.filename) console.table(await measureRecall())
