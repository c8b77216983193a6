import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'

/** Programs by the names that a model calls them by. */
export type Programs = ReadonlyMap<string, string>

const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin']
const NAME = /^[\w.+-]+$/

/**
 * Reads the programs that may be run.
 * @param given absolute paths by name; or names, which are looked for where systems keep their programs, and not in `PATH`
 * @throws {TypeError} one of them is not a program
 */
export function readPrograms(given: Readonly<Record<string, string>> | readonly string[]): Programs {
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
