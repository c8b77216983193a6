import type { FunctionTool } from '@repertoire/core'
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileError } from './error.ts'
import type { EvalCase } from './eval-case.ts'

const MAX_TEXT_BYTES = 256 * 1024

/**
 * Makes a folder with the files of a case, and returns its path without links. It is removed when it is disposed of.
 * @throws {EvalError} EVAL_FILE_INVALID: a file does not exist, or is a link
 */
export async function openWorkspace({ id, files, place }: EvalCase) {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'eval-')))
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true })
  const refused = (why: string): Error => fileError(place, `case ${id}: ${why}`)
  const isPlain = async (from: string): Promise<boolean> => {
    const found = await lstat(from)
    if (found.isDirectory() || found.isFile()) return true
    throw refused(`${from} is a link or a special file, and could lead outside. Copy the file`)
  }
  try {
    for (const { path: name, from, content } of files) {
      const to = inside(path, name)
      await mkdir(dirname(to), { recursive: true })
      if (content !== undefined) await writeFile(to, content)
      else if (from !== undefined) await cp(from, to, { recursive: true, filter: isPlain })
      else throw refused(`the file ${name} does not exist. Add it below the skill's folder`)
    }
  } catch (error) {
    await remove()
    throw error
  }
  return { path, [Symbol.asyncDispose]: remove }
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

function tool(name: string, about: string, inputs: Inputs, run: (input: Inputs) => Promise<string>): FunctionTool {
  const required = Object.keys(inputs)
  const properties = Object.fromEntries(required.map((key) => [key, { type: 'string', description: inputs[key] }]))
  return {
    name,
    description: about,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    execute: (input) => run(input as Inputs),
  }
}

/** Nothing in a workspace is a link: none is copied, and no tool makes one. */
function inside(folder: string, path: string): string {
  const full = resolve(folder, path)
  if (full === folder || full.startsWith(folder + sep)) return full
  throw new Error(`"${path}" lies outside of the working folder.`)
}

/** Returns the texts of the files of a folder, by path. */
export async function textsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {}
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || (await lstat(path)).size > MAX_TEXT_BYTES) continue
    texts[relative(folder, path).split(sep).join('/')] = await readFile(path, 'utf8')
  }
  return texts
}
