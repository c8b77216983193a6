import { type FunctionTool, isSkillError } from '@repertoire/core'
import { skillFolder } from '@repertoire/core/node'
import { readdir, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { createTool } from './tool.ts'

const MAX_FILE_BYTES = 200 * 1024
const MAX_ENTRIES = 500
const DRY = 'This is a dry run: it tells what would be done, and does nothing.'

/**
 * Tools for a live model, which may ask for anything: `Read` and `LS` look at one folder and never out of it, at
 * nothing hidden and through no link; `Write` and `Bash` only say what they would have done.
 */
export function ownFolderTools(folder: string): readonly FunctionTool[] {
  return [
    createTool({
      name: 'Read',
      description: 'Reads a text file.',
      parameters: { file_path: 'The path of the file, relative to the working folder.' },
      run: ({ file_path = '' }) => readText(folder, file_path),
    }),
    createTool({
      name: 'LS',
      description: 'Lists a folder. Folders end in "/".',
      parameters: { path: 'The path of the folder, relative to the working folder; "." for that itself.' },
      run: ({ path = '' }) => list(folder, path),
    }),
    createTool({
      name: 'Write',
      description: `Writes a file. ${DRY}`,
      parameters: {
        file_path: 'The path of the file, relative to the working folder.',
        content: 'The whole new content.',
      },
      run: ({ file_path = '', content = '' }) =>
        `Dry run: ${content.length} characters would have been written to ${file_path}.`,
    }),
    createTool({
      name: 'Bash',
      description: `Runs a command in a shell, in the working folder. ${DRY}`,
      parameters: { command: 'The command line.' },
      run: ({ command = '' }) => `Dry run: this command would have been run: ${command}`,
    }),
  ]
}

async function readText(folder: string, path: string): Promise<string> {
  try {
    // A skill's folder is read with exactly the care that this one needs.
    const bytes = await skillFolder(folder, { followLinks: true }).read(within(folder, path), {
      maxBytes: MAX_FILE_BYTES,
    })
    if (bytes.includes(0)) return `${path} is not a text file.`
    return new TextDecoder().decode(bytes)
  } catch (error) {
    throw isSkillError(error) ? new Error(`${path} ${REASONS.get(error.code) ?? error.message}`) : error
  }
}

/** Replaces core's refusals, which mention skills. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['RESOURCE_NOT_FOUND', 'is not there.'],
  ['RESOURCE_PATH_INVALID', 'is not a path below the working folder.'],
  ['RESOURCE_REFUSED', 'is not shown: hidden files, node_modules, links and what is not a plain file are left alone.'],
  ['RESOURCE_TOO_LARGE', `is larger than ${MAX_FILE_BYTES / 1024} KiB.`],
])

async function list(folder: string, path: string): Promise<string> {
  const asked = resolve(folder, path)
  const [root, real] = await Promise.all([realpath(folder), realpath(asked).catch(() => undefined)])
  if (real === undefined) return `There is no folder ${path}.`
  const parts = relative(root, real).split(sep)
  if (isAbsolute(parts[0]!) || parts[0] === '..' || parts.some(isLeftAlone)) return `${path} is not shown.`
  const entries = await readdir(real, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return `${path} is not a folder that can be read.`
  const names = entries
    .filter((entry) => !isLeftAlone(entry.name) && (entry.isFile() || entry.isDirectory()))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .toSorted()
  if (names.length === 0) return 'The folder is empty.'
  const more = names.length > MAX_ENTRIES ? [`and ${names.length - MAX_ENTRIES} more`] : []
  return [...names.slice(0, MAX_ENTRIES), ...more].join('\n')
}

function isLeftAlone(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules'
}

/** Models often use absolute paths: one in the folder is accepted like a relative one. */
function within(folder: string, path: string): string {
  return isAbsolute(path) ? relative(folder, path).split(sep).join('/') : path
}
