import type { FunctionTool } from '@repertoire/core'
import { exec } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { createTool } from './tool.ts'

/** Longer than any command of the story takes. */
const COMMAND_TIMEOUT = 30_000

/**
 * Tools that really act, in one folder. For the scripted model alone, whose every command is known:
 * nothing here would stop a live model.
 * @param env what commands run with
 */
export function realTools(folder: string, env: NodeJS.ProcessEnv): readonly FunctionTool[] {
  const file = { file_path: 'The path of the file, relative to the working folder.' }
  return [
    createTool({
      name: 'Read',
      description: 'Reads a file.',
      parameters: file,
      run: ({ file_path = '' }) => readFile(inside(folder, file_path), 'utf8').catch(notThere(file_path)),
    }),
    createTool({
      name: 'Write',
      description: 'Writes a file.',
      parameters: { ...file, content: 'The whole new content.' },
      async run({ file_path = '', content = '' }) {
        const path = inside(folder, file_path)
        await write(path, content).catch(notThere(file_path))
        return `Wrote ${content.length} characters to ${file_path}.`
      },
    }),
    createTool({
      name: 'Delete',
      description: 'Deletes a file.',
      parameters: file,
      async run({ file_path = '' }) {
        await rm(inside(folder, file_path)).catch(notThere(file_path))
        return `Deleted ${file_path}.`
      },
    }),
    createTool({
      name: 'Bash',
      description: 'Runs a command in a shell, in the working folder.',
      parameters: { command: 'The command line.' },
      run: ({ command = '' }) => shell(command, folder, env),
    }),
  ]
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

function inside(folder: string, path: string): string {
  const absolute = resolve(folder, path)
  if (relative(folder, absolute).split(sep)[0] !== '..' && absolute.startsWith(folder + sep)) return absolute
  throw new Error(`"${path}" is not in the working folder.`)
}

/** No text may name the folder, since it differs between adapters. */
function notThere(path: string): (error: NodeJS.ErrnoException) => never {
  return ({ code }) => {
    throw new Error(code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be used (${code}).`)
  }
}

function shell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((done) => {
    exec(command, { cwd, env, timeout: COMMAND_TIMEOUT, windowsHide: true }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`.trimEnd()
      const ended = error === null ? '' : `The command failed (${error.code ?? error.signal}).`
      done([output, ended].filter((part) => part !== '').join('\n') || 'The command printed nothing.')
    })
  })
}
