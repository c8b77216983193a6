import { isUtf8 } from 'node:buffer'
import { existsSync, realpathSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileError } from '../error.ts'
import type { EvalCase, EvalFile } from '../eval-case.ts'
import { casesOf } from './forms.ts'
import { type Fields, readTree } from './tree.ts'

const EVAL_FILE = /^(?:evals?|triggers|trigger[-_](?:evals?|queries|tests)|eval[-_](?:set|queries))\.(?:json|ya?ml)$/i

/**
 * Reads the cases of an eval file, or of all eval files of a skill or another folder: `evals.json`, trigger sets, and
 * waza's `eval.yaml`. Cases that name no skill are about the folder with the `SKILL.md` above the file. Nothing that a
 * file says is run.
 * @throws {EvalError} EVAL_FILE_INVALID: with file, line and what to change
 */
export async function readEvals(path: string): Promise<readonly EvalCase[]> {
  const full = resolve(path)
  const found = await stat(full).catch(() => undefined)
  if (found === undefined) throw fileError({ file: full, line: 1 }, 'the file does not exist. Correct the path')
  const files = found.isDirectory() ? await evalFiles(full, basename(full) === 'evals') : [full]
  if (files.length === 0)
    throw fileError({ file: full, line: 1 }, 'the folder has no eval file. Write "evals/evals.json" in it')
  const cases: EvalCase[] = []
  for (const file of files) cases.push(...(await readCases(file)))
  const counts = new Map<string, number>()
  return cases.map((each) => {
    const count = (counts.get(each.id) ?? 0) + 1
    counts.set(each.id, count)
    return count === 1 ? each : { ...each, id: `${each.id}~${count}` }
  })
}

/** Finds the eval files of a folder. Skills that lie below `evals` are fixtures. */
async function evalFiles(folder: string, inEvals: boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  if (inEvals && entries.some(({ name }) => name === 'SKILL.md')) return []
  const found: string[] = []
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isFile() && EVAL_FILE.test(entry.name)) found.push(path)
    if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue
    found.push(...(await evalFiles(path, inEvals || entry.name === 'evals')))
  }
  return found
}

/**
 * Reads the cases of a file, and those of the task files that it names.
 * @param task the file is one of those, and names no more: the skill of its cases
 */
async function readCases(file: string, task?: { readonly skill?: string }): Promise<readonly EvalCase[]> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw fileError({ file, line: 1 }, `the file cannot be read (${error.code})`)
  })
  if (!isUtf8(bytes)) throw fileError({ file, line: 1 }, 'the file is not UTF-8. Save it in that encoding')
  const { root, placeOf } = readTree(new TextDecoder().decode(bytes), file)
  const folder = dirname(file)
  const skillFolder = aboveWithSkill(folder)
  const skill = task?.skill ?? (skillFolder === undefined ? undefined : basename(skillFolder))
  const parent = basename(folder) === 'evals' ? dirname(folder) : folder
  const roots = [skillFolder ?? parent, parent, folder, join(folder, 'fixtures')]
  const locate = (path: string, entry: Fields): EvalFile => locateFile(roots, path, placeOf(entry))
  const { cases, taskFiles, ...named } = casesOf(root, { skill, locate, placeOf })
  const ofTasks = task === undefined ? await expand(file, taskFiles) : []
  for (const each of ofTasks) cases.push(...(await readCases(each, named)))
  if (cases.length > 0) return cases
  const forms = '{ "skill_name": …, "evals": [{ "prompt": … }] }, or [{ "query": …, "should_trigger": true }]'
  throw fileError({ file, line: 1 }, `no case was found. Write ${forms}`)
}

/** Returns the task files that names and patterns such as `tasks/*.yaml` mean. */
async function expand(file: string, names: readonly string[]): Promise<readonly string[]> {
  const folder = dirname(file)
  const files = names.map(async (name) => {
    const inside = resolve(folder, name)
    if (!inside.startsWith(folder + sep))
      throw fileError({ file, line: 1 }, `the task file "${name}" lies outside of its folder. Move it inside`)
    const ending = /^\*(\.\w+)$/.exec(basename(name))?.[1]
    if (ending === undefined) return [inside]
    const entries: string[] = await readdir(dirname(inside)).catch(() => [])
    return entries.toSorted().flatMap((entry) => (entry.endsWith(ending) ? join(dirname(inside), entry) : []))
  })
  return (await Promise.all(files)).flat()
}

/** Returns the file below the first root that has one. */
function locateFile(roots: readonly string[], path: string, place: EvalCase['place']): EvalFile {
  const clean = relative('/', resolve('/', path)).split(sep).join('/')
  if (isAbsolute(path) || path.split(/[\\/]/).includes('..') || clean === '') {
    throw fileError(place, `the file "${path}" lies outside of the skill. Use a path below the skill's folder`)
  }
  const root = roots.find((each) => existsSync(join(each, clean)))
  if (root === undefined) return { path: clean }
  const from = join(realpathSync(root), clean)
  if (realpathSync(from) === from) return { path: clean, from }
  throw fileError(place, `the file "${path}" is a link or lies below one, and could lead outside. Copy the file`)
}

function aboveWithSkill(folder: string): string | undefined {
  if (existsSync(join(folder, 'SKILL.md'))) return folder
  return dirname(folder) === folder ? undefined : aboveWithSkill(dirname(folder))
}
