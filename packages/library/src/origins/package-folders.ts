import { storedPathProblem } from '@repertoire/core/stores'
import { refused } from './failure.ts'
import type { OriginTree } from './tree.ts'

/**
 * Returns the folders of a package's skills, by the rules of an installed one: those that the field `agentskills` of its
 * package.json names, or else those in `skills`. Undefined: it has neither, and is looked through as any other origin.
 * @throws {SkillError} ORIGIN_REFUSED: the field cannot be read
 */
export async function packageFolders(source: string, tree: OriginTree): Promise<readonly string[] | undefined> {
  const top = tree.base === '' ? '' : `${tree.base}/`
  const entry = tree.entries.find(({ path }) => path === `${top}package.json`)
  const contents = entry === undefined ? undefined : await tree.read([entry])
  const field = entry === undefined ? undefined : fieldOf(source, contents?.get(entry.path))
  if (field !== undefined) return field.map((path) => top + path)
  const skills = tree.entries
    .filter(({ path }) => path.startsWith(`${top}skills/`) && path.split('/').length === top.split('/').length + 2)
    .filter(({ path }) => path.endsWith('/SKILL.md'))
  return skills.length === 0 ? undefined : skills.map(({ path }) => path.slice(0, -'/SKILL.md'.length))
}

function fieldOf(source: string, bytes: Uint8Array | undefined): readonly string[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refused(source, 'its package.json is not JSON.', 'package.json')
  }
  const { agentskills } = (value ?? {}) as { readonly agentskills?: { readonly skills?: unknown } }
  if (agentskills === undefined) return undefined
  const listed = agentskills?.skills
  if (!Array.isArray(listed)) throw malformed(source)
  return listed.map((each: unknown) => {
    const path = typeof each === 'object' && each !== null && 'path' in each ? each.path : undefined
    if (typeof path !== 'string') throw malformed(source)
    const plain = path.replace(/^\.\//, '').replace(/\/$/, '')
    if (storedPathProblem(plain) !== undefined) throw malformed(source)
    return plain
  })
}

function malformed(source: string): ReturnType<typeof refused> {
  const reason = 'the field "agentskills" of its package.json is not { "skills": [{ "path": "./skills/my-skill" }] }.'
  return refused(source, reason, 'package.json')
}
