import {
  type OptionTable,
  anyText,
  checkOptions,
  either,
  listOf,
  number,
  recordOf,
  required,
  text,
  withDefault,
} from '@repertoire/core/options'
import process, { platform } from 'node:process'
import type { FunctionTool } from '@repertoire/core'
import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { ToolFailure } from '../result.ts'
import { type Place, openBelow, readRoots, shown } from '../roots.ts'
import { type ProcessEnd, runProcess } from './run-process.ts'
import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** Options of `executeCommandTool`. */
export interface ExecuteCommandToolOptions {
  /**
   * The programs that may be run, and no others: absolute paths by the names that a model uses (`{ git: '/usr/bin/git' }`),
   * or names alone, which are looked for in `/usr/local/bin`, `/usr/bin` and `/bin`. Rules of skills and policies see these
   * names, so call a program what it is.
   */
  readonly programs: Readonly<Record<string, string>> | readonly string[]
  /** The working folders that programs may be started in; the first is the default. Default: the process's working folder. */
  readonly roots?: readonly string[] | undefined
  /** The complete environment of the programs. Default: `PATH` with the system's folders, and `LANG`; nothing of the host's. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** How long a program may run, in milliseconds. Default 60,000. */
  readonly timeout?: number | undefined
  /** How much of both output streams together is kept, in bytes. Default 1,000,000. */
  readonly maxOutputBytes?: number | undefined
}

export const EXECUTE_COMMAND_OPTIONS: OptionTable<ExecuteCommandToolOptions> = {
  programs: required(
    either(
      listOf(text, "a list of program names, such as ['git']"),
      recordOf(text, "an object with the programs' absolute paths, such as { git: '/usr/bin/git' }"),
    ),
  ),
  roots: listOf(text, 'a list of folders'),
  env: recordOf(anyText, 'an object of variables'),
  timeout: withDefault(60_000, number('milliseconds', { from: 1, to: 2 ** 31 - 1, isWhole: true })),
  maxOutputBytes: withDefault(1_000_000, number('bytes', { from: 1, isWhole: true })),
}

/** What `execute_command` returns, whatever the exit code is. */
export interface CommandResult {
  /** The command's exit code. Absent: a signal has ended it. */
  readonly exitCode?: number
  readonly signalName?: string
  readonly stdout: string
  readonly stderr: string
  /** Whether output was dropped. */
  readonly truncated: boolean
}

const TOOL = 'executeCommandTool'
const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_MAX_OUTPUT_BYTES = 1_000_000
const MAX_ARGS = 4096

/**
 * The tool `execute_command`: runs one of the host's programs with a list of arguments, without a shell. The program has
 * the rights of the host's process: what it may open is not held here, only what is started, where, and for how long.
 * @throws {TypeError} an option does not have the shape named here
 */
export function executeCommandTool(options: ExecuteCommandToolOptions): FunctionTool {
  checkOptions('executeCommandTool', EXECUTE_COMMAND_OPTIONS, options)
  const { timeout: timeoutMs = DEFAULT_TIMEOUT_MS, maxOutputBytes: maxBytes = DEFAULT_MAX_OUTPUT_BYTES } = options
  const programs = readPrograms(options.programs)
  const roots = readRoots(TOOL, options.roots ?? [process.cwd()])
  const env = options.env ?? defaultEnvironment()
  const names = [...programs.keys()].join(', ')

  return defineTool({
    name: 'execute_command',
    description: `Runs a program with arguments and returns its exit code and output. No shell reads them: no pipes, no wildcards, no variables. Programs: ${names}.`,
    risk: 'risky',
    input: z.strictObject({
      program: z.string().describe('The name of one of the programs.'),
      args: z.array(z.string()).max(MAX_ARGS).default([]).describe('One argument each, literally.'),
      cwd: z.string().optional().describe('The folder to run it in.'),
      timeoutMs: z.int().min(1).max(timeoutMs).optional().describe('How long it may take, in milliseconds.'),
    }),
    async run({ program, args, cwd = '', timeoutMs: wanted = timeoutMs }, signal): Promise<CommandResult> {
      const file = programs.get(program)
      if (file === undefined) {
        throw new ToolFailure(
          'NOT_ALLOWED',
          `${shown(program)} is not among the programs that may be run: ${names}. Pass its name in "program" and the rest in "args".`,
        )
      }
      if (args.some((argument) => argument.includes('\0'))) {
        throw new ToolFailure('INPUT_INVALID', 'An argument holds a NUL character, which no program can be passed.')
      }
      checkSize(args)
      const folder = openFolder(roots.locate(cwd))
      let end: Promise<ProcessEnd>
      try {
        // Started while the folder is held, so that it is the one that was checked.
        end = folder.at('.', (path) => runProcess({ file, args, cwd: path, env, timeoutMs: wanted, maxBytes, signal }))
      } finally {
        folder.close()
      }
      return resultOf(await end, program, wanted)
    },
  })
}

/** The longest argument, and all of them together, in bytes: beyond that Linux starts no program. */
const [MAX_ARGUMENT_BYTES, MAX_TOTAL_BYTES] = [128 * 1024 - 1, 1024 * 1024]

/** @throws {ToolFailure} TOO_LARGE */
function checkSize(args: readonly string[]): void {
  const sizes = args.map((argument) => Buffer.byteLength(argument))
  if (sizes.every((size) => size <= MAX_ARGUMENT_BYTES) && sizes.reduce((a, b) => a + b, 0) <= MAX_TOTAL_BYTES) return
  throw new ToolFailure(
    'TOO_LARGE',
    `An argument has more than ${MAX_ARGUMENT_BYTES} bytes, or all together more than ${MAX_TOTAL_BYTES}. Write it to a file, and pass the file's path.`,
  )
}

function resultOf({ isTimedOut, droppedBytes, ...end }: ProcessEnd, program: string, timeoutMs: number): CommandResult {
  const result = { ...end, truncated: droppedBytes > 0 }
  if (!isTimedOut) return result
  throw new ToolFailure('TIMED_OUT', `${program} ran for ${timeoutMs} ms, and was ended.`, { result })
}

/** @throws {ToolFailure} NOT_FOUND, NOT_ALLOWED */
function openFolder({ root, parts, path }: Place): OpenFolder {
  try {
    return openBelow(root, parts)
  } catch (error) {
    if (!(error instanceof OpenError)) throw error
    if (error.kind === 'missing')
      throw new ToolFailure('NOT_FOUND', `${shown(path)} is not a folder. Use one that is there.`)
    const why = error.kind === 'link' || error.kind === 'replaced' ? 'a part of it is a link' : 'it cannot be opened'
    throw new ToolFailure('NOT_ALLOWED', `${shown(path)} is not used as the working folder: ${why}.`)
  }
}

function defaultEnvironment(): Readonly<Record<string, string>> {
  if (platform !== 'win32') return { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' }
  const { SystemRoot = 'C:\\Windows' } = process.env
  return { SystemRoot, PATH: `${SystemRoot}\\System32;${SystemRoot}` }
}

/** Programs by the names that a model calls them by. */
type Programs = ReadonlyMap<string, string>

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin']
const NAME = /^[\w.+-]+$/

/**
 * Reads the programs that may be run.
 * @param given absolute paths by name; or names, which are looked for where systems keep their programs, and not in `PATH`
 * @throws {TypeError} one of them is not a program
 */
function readPrograms(given: Readonly<Record<string, string>> | readonly string[]): Programs {
  const entries = Array.isArray(given)
    ? given.map((name: string) => [name, findProgram(name)] as const)
    : Object.entries(given)
  if (entries.length === 0)
    throw new TypeError('executeCommandTool: `programs` has no program. Name those that may be run.')
  for (const [name, path] of entries) {
    if (!NAME.test(name)) {
      throw new TypeError(
        `executeCommandTool: ${JSON.stringify(name)} in \`programs\` is not a name: letters, digits, ".", "+", "-" and "_".`,
      )
    }
    if (typeof path !== 'string' || !isAbsolute(path) || !isProgram(path)) {
      throw new TypeError(
        `executeCommandTool: \`programs\` has no absolute path of a program for ${JSON.stringify(name)}.`,
      )
    }
  }
  return new Map(entries)
}

function findProgram(name: string): string {
  return SYSTEM_FOLDERS.map((folder) => join(folder, name)).find(isProgram) ?? ''
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
