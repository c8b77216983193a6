import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { checkOptions, type OptionTable, text as textKind } from '@repertoire/core/options'
import { EvalError } from '../error.ts'
import type { EvalCase, EvalFile } from '../eval-case.ts'
import { assertionsIn, casesOf, type Surroundings } from './forms.ts'
import { mapOf, type Node, readJsonTree, readYamlTree, TreeError } from './tree.ts'

/** Options of `readEvals`. */
export interface ReadEvalsOptions {
  /** The skill of cases that name none. Default: the folder with the `SKILL.md` above the file. */
  readonly skill?: string | undefined
}

const OPTIONS: OptionTable<ReadEvalsOptions> = { skill: textKind }

const MAX_BYTES = 4 * 1024 * 1024
const MAX_FILES = 1_000
const EVAL_FILE = /^(?:evals?|trigger[-_](?:evals?|queries|tests)|eval[-_]set|criteria|scenarios)\.(?:json|ya?ml)$/i
const CASE_FILE = /\.(?:json|ya?ml)$/i

/**
 * Reads the cases of an eval file, or of all eval files of a skill or another folder: `evals.json`, trigger sets, waza's
 * `eval.yaml`, tessl's `criteria.json` with its `task.md`. Nothing that a file says is run.
 * @throws {EvalError} EVAL_FILE_INVALID: with file, line and what to change
 */
export async function readEvals(path: string, options: ReadEvalsOptions = {}): Promise<readonly EvalCase[]> {
  checkOptions('readEvals', OPTIONS, options, "readEvals(path, { skill: 'pdf' })")
  const full = resolve(path)
  const found = await stat(full).catch(() => undefined)
  if (found === undefined) throw invalid(full, 1, 'the file does not exist. Correct the path')
  const files = found.isDirectory() ? await evalFiles(full) : [full]
  if (files.length === 0) throw invalid(full, 1, 'the folder has no eval file. Write "evals/evals.json" in it')
  const cases: EvalCase[] = []
  for (const file of files) cases.push(...(await readFileCases(file, options)))
  return unique(cases)
}

/** Finds the eval files of a folder. Skills that lie below `evals` are fixtures. */
async function evalFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const visit = async (at: string, inEvals: boolean): Promise<void> => {
    const entries = await readdir(at, { withFileTypes: true })
    if (inEvals && entries.some(({ name }) => name === 'SKILL.md')) return
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const { name } = entry
      if (entry.isDirectory() && !name.startsWith('.') && name !== 'node_modules') {
        await visit(join(at, name), inEvals || name === 'evals')
      }
      const isCase = basename(at) === 'cases' && basename(dirname(at)) === 'evals' && CASE_FILE.test(name)
      if (entry.isFile() && (EVAL_FILE.test(name) || isCase)) found.push(join(at, name))
      if (found.length > MAX_FILES) throw invalid(folder, 1, `more than ${MAX_FILES} eval files. Name a smaller folder`)
    }
  }
  await visit(folder, basename(folder) === 'evals')
  return found
}

async function readFileCases(file: string, options: ReadEvalsOptions): Promise<EvalCase[]> {
  try {
    const root = await readTree(file)
    const folder = dirname(file)
    const skillFolder = aboveWithSkill(folder)
    const skill = options.skill ?? (skillFolder === undefined ? undefined : basename(skillFolder))
    const roots = [
      skillFolder,
      basename(folder) === 'evals' ? dirname(folder) : folder,
      folder,
      join(folder, 'fixtures'),
    ]
    const around: Surroundings = { file, skill, locate: locator(roots.filter((each) => each !== undefined)) }
    if (mapOf(root)?.has('checklist')) return [await tesslCase(root, around)]
    const { cases, taskFiles } = casesOf(root, around)
    for (const task of await expand(folder, taskFiles)) {
      const inside = { ...around, file: task, skill: textSkill(root) ?? skill }
      cases.push(...(await inFile(task, async () => casesOf(await readTree(task), inside).cases)))
    }
    if (cases.length > 0 || taskFiles.length > 0) return cases
    throw new TreeError(
      1,
      'no case was found. Write { "skill_name": …, "evals": [{ "prompt": … }] }, or [{ "query": …, "should_trigger": true }]',
    )
  } catch (error) {
    throw asInvalid(error, file)
  }
}

async function inFile<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw asInvalid(error, file)
  }
}

async function readTree(file: string): Promise<Node> {
  const { size } = await stat(file)
  if (size > MAX_BYTES) throw new TreeError(1, `the file is larger than ${MAX_BYTES} bytes. Split it`)
  const text = await readFile(file, 'utf8')
  return /\.ya?ml$/i.test(file) ? readYamlTree(text) : readJsonTree(text)
}

/** A case of tessl: the prompt is in `task.md`, and each entry of the checklist is an assertion. */
async function tesslCase(root: Node, { file, skill, locate }: Surroundings): Promise<EvalCase> {
  const folder = dirname(file)
  const prompt = await readFile(join(folder, 'task.md'), 'utf8').catch(() => '')
  if (prompt.trim() === '') throw new TreeError(1, 'there is no "task.md" with the prompt beside it. Add it')
  const assertions = assertionsIn(mapOf(root)!.get('checklist'), { locate })
  const about = skill === undefined ? {} : { skill, shouldTrigger: true }
  return { id: basename(folder), prompt, ...about, rivals: [], files: [], assertions, place: { file, line: 1 } }
}

function textSkill(root: Node): string | undefined {
  const value = mapOf(root)?.get('skill')?.value
  return typeof value === 'string' ? value : undefined
}

/** Returns the task files that names and patterns such as `tasks/*.yaml` mean. */
async function expand(folder: string, names: readonly string[]): Promise<string[]> {
  const files = await Promise.all(
    names.map(async (name) => {
      const inside = resolve(folder, name)
      if (!inside.startsWith(folder + sep)) throw new TreeError(1, `the task file "${name}" lies outside of its folder`)
      const ending = /^\*(\.\w+)$/.exec(basename(name))?.[1]
      if (ending === undefined) return [inside]
      const entries = await readdir(dirname(inside)).catch(() => [])
      return entries
        .filter((entry) => entry.endsWith(ending))
        .toSorted()
        .map((entry) => join(dirname(inside), entry))
    }),
  )
  return files.flat()
}

/** Returns what resolves paths of files: the first root that has one is used. */
function locator(roots: readonly string[]): Surroundings['locate'] {
  return (path, line): EvalFile => {
    const clean = relative('/', resolve('/', path)).split(sep).join('/')
    const leaves = isAbsolute(path) || path.split(/[\\/]/).includes('..') || clean === ''
    if (leaves)
      throw new TreeError(line, `the file "${path}" lies outside of the skill. Use a path below the skill's folder`)
    const from = roots.map((root) => join(root, clean)).find((each) => existsSync(each))
    return { path: clean, ...(from !== undefined && { from }) }
  }
}

const MAX_LEVELS = 6

function aboveWithSkill(folder: string): string | undefined {
  let at = folder
  for (let level = 0; level < MAX_LEVELS; level++, at = dirname(at)) if (existsSync(join(at, 'SKILL.md'))) return at
  return undefined
}

/** Two cases of one id get a number. */
function unique(cases: readonly EvalCase[]): readonly EvalCase[] {
  const counts = new Map<string, number>()
  return cases.map((each) => {
    const count = (counts.get(each.id) ?? 0) + 1
    counts.set(each.id, count)
    return count === 1 ? each : { ...each, id: `${each.id}~${count}` }
  })
}

function asInvalid(error: unknown, file: string): unknown {
  if (error instanceof TreeError) return invalid(file, error.line, error.message, error)
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return code === 'ENOENT' || code === 'EACCES' ? invalid(file, 1, `the file cannot be read (${code})`) : error
}

function invalid(file: string, line: number, message: string, cause?: unknown): EvalError {
  return new EvalError('EVAL_FILE_INVALID', `${file}:${line}: ${message}.`, { file, line, cause })
}
