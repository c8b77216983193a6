import { accessSync, constants, statSync } from 'node:fs'
import { basename, isAbsolute, join } from 'node:path'
import process, { platform } from 'node:process'
import type { FunctionTool } from '@repertoire/core'
import {
  anyText,
  checkOptions,
  listOf,
  number,
  type OptionTable,
  recordOf,
  required,
  text,
  withDefault,
} from '@repertoire/core/options'
import { z } from 'zod'
import { defineTool } from '../define-tool.ts'
import { onPath } from '../on-path.ts'
import { ToolFailure } from '../result.ts'
import { openBelow, readRoots, shown } from '../roots.ts'
import { runProcess } from './run-process.ts'

/** Options of `executeCommandTool`. */
export interface ExecuteCommandToolOptions {
  /**
   * The programs that may be run, and no others: names, looked for in `/usr/local/bin`, `/usr/bin` and `/bin`, or
   * absolute paths. A model calls a program by the name of its file, and rules of skills and policies see that name.
   */
  readonly programs: readonly string[]
  /** The working folders that programs may start in; the first is the default. Default: that of the process. */
  readonly roots?: readonly string[] | undefined
  /** The complete environment of the programs. Default: `PATH` with the system's folders, and `LANG`, nothing else. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** How long a program may run, in milliseconds. Default 60,000. */
  readonly timeout?: number | undefined
  /** How much of both output streams together is kept, in bytes. Default 1,000,000. */
  readonly maxOutputBytes?: number | undefined
}

export const EXECUTE_COMMAND_OPTIONS: OptionTable<ExecuteCommandToolOptions> = {
  programs: required(listOf(text, "a list of program names, such as ['git']")),
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

/**
 * The tool `execute_command`: runs one of the host's programs with a list of arguments, without a shell. The program
 * has the rights of the host's process: only what is started, where, and for how long, is held here.
 * @throws {TypeError} an option does not have the shape named here
 */
export function executeCommandTool(options: ExecuteCommandToolOptions): FunctionTool {
  checkOptions('executeCommandTool', EXECUTE_COMMAND_OPTIONS, options)
  const { timeout: timeoutMs = 60_000, maxOutputBytes: maxBytes = 1_000_000 } = options
  const programs = readPrograms(options.programs)
  const roots = readRoots('executeCommandTool', options.roots ?? [process.cwd()])
  const env = options.env ?? defaultEnvironment()
  const names = [...programs.keys()].join(', ')

  return defineTool({
    name: 'execute_command',
    description: `Runs a program with arguments and returns its exit code and output. No shell reads them: no pipes, no wildcards, no variables. Programs: ${names}.`,
    risk: 'risky',
    input: z.strictObject({
      program: z.string().describe('The name of one of the programs.'),
      args: z.array(z.string()).max(4096).default([]).describe('One argument each, literally.'),
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
      const { root, parts, path: where } = roots.locate(cwd)
      const folder = onPath(where, () => openBelow(root, parts))
      let running: ReturnType<typeof runProcess>
      try {
        // Started while the folder is held, so that it is the one that was checked.
        running = folder.at('.', (path) =>
          runProcess({ file, args, cwd: path, env, timeoutMs: wanted, maxBytes, signal }),
        )
      } finally {
        folder.close()
      }
      const { isTimedOut, ...result } = await running
      if (!isTimedOut) return result
      throw new ToolFailure('TIMED_OUT', `${program} ran for ${wanted} ms, and was ended.`, { result })
    },
  })
}

function defaultEnvironment(): Readonly<Record<string, string>> {
  if (platform !== 'win32') return { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' }
  const { SystemRoot = 'C:\\Windows' } = process.env
  return { SystemRoot, PATH: `${SystemRoot}\\System32;${SystemRoot}` }
}

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin']

/**
 * Finds the programs that may be run, by the names that a model calls them by. `PATH` is not asked.
 * @throws {TypeError} one of them is not a program
 */
function readPrograms(given: readonly string[]): ReadonlyMap<string, string> {
  if (given.length === 0)
    throw new TypeError('executeCommandTool: `programs` has no program. Name those that may be run.')
  return new Map(
    given.map((program) => {
      const paths = isAbsolute(program) ? [program] : SYSTEM_FOLDERS.map((folder) => join(folder, program))
      const path = paths.find(isProgram)
      if (path !== undefined && /^[\w.+-]+$/.test(isAbsolute(program) ? basename(program) : program))
        return [basename(path), path]
      throw new TypeError(
        `executeCommandTool: ${JSON.stringify(program)} in \`programs\` is not the name or the absolute path of a program.`,
      )
    }),
  )
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
