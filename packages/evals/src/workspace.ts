import type { FunctionTool } from '@repertoire/core'
import { copyFile, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { EvalError } from './error.ts'
import type { EvalCase } from './eval-case.ts'

/** The folder of one run. It is removed afterwards. */
export interface Workspace {
  /** Its path without links. */
  readonly path: string
  /** Returns the texts of its files, by path. */
  files(): Promise<Readonly<Record<string, string>>>
  remove(): Promise<void>
}

const MAX_FILES = 2_000
const MAX_TEXT_BYTES = 256 * 1024

/**
 * Makes a folder with the files of a case.
 * @throws {EvalError} CASE_INVALID: a file does not exist, or is a link
 */
export async function openWorkspace({ id, files, place }: EvalCase): Promise<Workspace> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'eval-')))
  let copied = 0
  const refuse = (what: string): never => {
    const at = { file: place.file, line: place.line }
    throw new EvalError('CASE_INVALID', `${place.file}:${place.line}: case ${id}: ${what}`, at)
  }
  const copy = async (from: string, to: string): Promise<void> => {
    if (++copied > MAX_FILES) refuse(`more than ${MAX_FILES} files. Name the files that the case needs.`)
    const found = await lstat(from)
    if (found.isDirectory()) {
      await mkdir(to, { recursive: true })
      for (const name of await readdir(from)) await copy(join(from, name), join(to, name))
    } else if (found.isFile()) {
      await mkdir(dirname(to), { recursive: true })
      await copyFile(from, to)
    } else refuse(`${from} is a link or a special file, which could lead outside. Copy the file itself.`)
  }
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true })
  try {
    for (const { path: name, from, content } of files) {
      const to = inside(path, name)
      if (content !== undefined) {
        await mkdir(dirname(to), { recursive: true })
        await writeFile(to, content)
      } else if (from === undefined) refuse(`the file ${name} does not exist. Add it below the skill's folder.`)
      else await copy(from, to)
    }
  } catch (error) {
    await remove()
    throw error
  }
  return { path, files: () => textsOf(path), remove }
}

/** The tools of a run: they read and write its workspace, and run no program. */
export function workspaceTools(folder: string): readonly FunctionTool[] {
  const file = { file_path: 'The path of the file, relative to the working folder.' }
  return [
    tool('Read', 'Reads a text file.', file, ({ file_path }) => readFile(inside(folder, file_path!), 'utf8')),
    tool('Write', 'Writes a text file.', { ...file, content: 'The new content.' }, async ({ file_path, content }) => {
      const path = inside(folder, file_path!)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content!)
      return `Wrote ${file_path}.`
    }),
    tool('LS', 'Lists a folder.', { path: 'The path of the folder; "." is the working folder.' }, async ({ path }) => {
      const entries = await readdir(inside(folder, path!), { withFileTypes: true })
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).join('\n') || 'It is empty.'
    }),
  ]
}

/** Tools that change nothing. A skill that is activated after one of these is not late. */
export const READING_TOOLS: ReadonlySet<string> = new Set(['Read', 'LS', 'Glob', 'Grep'])

type Inputs = Readonly<Record<string, string>>

function tool(
  name: string,
  description: string,
  inputs: Inputs,
  run: (input: Inputs) => Promise<string>,
): FunctionTool {
  const keys = Object.keys(inputs)
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string', description: inputs[key] }]))
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: keys, additionalProperties: false },
    async execute(input) {
      const missing = keys.find((key) => typeof (input as Inputs | null)?.[key] !== 'string')
      if (missing !== undefined) throw new Error(`${name} needs "${missing}", a text.`)
      return run(input as Inputs).catch((error: NodeJS.ErrnoException) => {
        // The path of the workspace is another one in each run.
        throw new Error(error.code === undefined ? error.message : `${name} failed (${error.code}).`)
      })
    },
  }
}

/** Nothing in a workspace is a link: none is copied, and no tool makes one. */
function inside(folder: string, path: string): string {
  const full = resolve(folder, path)
  if (full === folder || full.startsWith(folder + sep)) return full
  throw new Error(`"${path}" lies outside of the working folder.`)
}

async function textsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {}
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.slice(0, MAX_FILES)) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || (await lstat(path)).size > MAX_TEXT_BYTES) continue
    texts[relative(folder, path).split(sep).join('/')] = await readFile(path, 'utf8')
  }
  return texts
}
