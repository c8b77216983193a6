import type { FunctionTool } from '@repertoire/core'
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import process from 'node:process'
import type { Scenario } from './scenario.ts'
import type { Workshop } from './workshop.ts'

/** How long a script may take. */
const SCRIPT_TIMEOUT_MS = 10_000
const MAX_OUTPUT_BYTES = 64 * 1024

/** The result of a script, as most hosts' tools report it. */
interface CommandResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * The host's tools of a scenario. They really act, but only in its folder: `Bash` runs the scripts of its
 * skills and no other program, `Read` reads in it, `Write` writes in its working folder.
 * @param names other names for them
 */
export function hostTools(workshop: Workshop, names: Scenario['names'] = {}): readonly FunctionTool[] {
  const tools: readonly FunctionTool[] = [
    {
      name: 'Bash',
      description:
        'Runs one script with its arguments, in the working folder: /path/to/script argument. There is no shell around it, and no other program can be run.',
      inputSchema: object({ command: 'The path of the script and its arguments.' }),
      execute: (input, { signal }) => runScript(workshop, textOf('Bash', input, 'command'), signal),
    },
    {
      name: 'Read',
      description: 'Reads a text file.',
      inputSchema: object({ file_path: 'The path of the file: absolute, or relative to the working folder.' }),
      async execute(input) {
        const path = textOf('Read', input, 'file_path')
        const file = await workshop.find(path)
        if (file === undefined) throw new Error(`${path}: no such file.`)
        if (!(await stat(file)).isFile()) throw new Error(`${path}: this is a folder.`)
        return readFile(file, 'utf8')
      },
    },
    {
      name: 'Write',
      description: 'Writes a text file into the working folder.',
      inputSchema: object({ file_path: 'The path of the file.', content: 'The whole new content.' }),
      async execute(input) {
        const path = textOf('Write', input, 'file_path')
        const content = textOf('Write', input, 'content')
        await workshop.write(path, content)
        return `Wrote ${content.length} characters to ${path}.`
      },
    },
  ]
  const named = new Map<string, string>(Object.entries(names))
  return tools.map((tool) => ({ ...tool, name: named.get(tool.name) ?? tool.name }))
}

/**
 * Returns a text field of a tool's input.
 * @throws {TypeError} if there is none
 */
export function textOf(tool: string, input: unknown, name: string): string {
  const value = new Map<string, unknown>(Object.entries(input ?? {})).get(name)
  if (typeof value === 'string') return value
  throw new TypeError(`${tool} needs "${name}" as a string.`)
}

/** The schema of an object with these texts, all required. */
function object(texts: Readonly<Record<string, string>>): FunctionTool['inputSchema'] {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(texts).map(([name, description]) => [name, { type: 'string', description }]),
    ),
    required: Object.keys(texts),
    additionalProperties: false,
  }
}

async function runScript(workshop: Workshop, command: string, signal: AbortSignal | undefined): Promise<CommandResult> {
  const words = wordsOf(command)
  if (words === undefined)
    return refused('Only one script with its arguments can be run, without operators of a shell.')
  // Models put the interpreter before a script, or leave it out: the scripts here are run by Node either way.
  const [script = '', ...args] = INTERPRETERS.has(words[0] ?? '') ? words.slice(1) : words
  if (!/[./\\]/.test(script)) return refused(`${script || 'Nothing'}: only scripts can be run, by their paths.`)
  const file = await workshop.find(script)
  if (file === undefined) return { exitCode: 127, stdout: '', stderr: `${script}: no such file.` }
  if (!workshop.scripts.has(file)) return refused(`${script}: this is not a script.`)
  return new Promise((settle) => {
    // Without the environment, which may contain the keys of the models.
    const options = { cwd: workshop.work, env: {}, timeout: SCRIPT_TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES, signal }
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) => {
      const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      settle({ exitCode, stdout, stderr: stderr || (error !== null && exitCode === 1 ? 'It was stopped.' : '') })
    })
  })
}

const INTERPRETERS: ReadonlySet<string> = new Set(['node', 'sh', 'bash'])

function refused(stderr: string): CommandResult {
  return { exitCode: 126, stdout: '', stderr }
}

/** The words of a shell command without quotes; undefined if it is more than one simple command. */
function wordsOf(command: string): readonly string[] | undefined {
  if (/[\r\n]/.test(command.trim())) return undefined
  const words = command.trim().match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  if (words.some((word) => /[;|&<>`$]/.test(word.replace(/'[^']*'/g, '')))) return undefined
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))
}
