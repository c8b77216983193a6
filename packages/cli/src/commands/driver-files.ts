import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../usage-error.ts'

/** What a module is expected to export. */
const KINDS = {
  '--driver': { noun: 'driver', fields: ['name', 'variants', 'capabilities', 'start'] },
  '--host': { noun: 'host driver', fields: ['name', 'version', 'documentation', 'start', 'activate', 'read'] },
} as const

/**
 * Returns the drivers that modules export, in the order of the files and of the exports' names: exports that are
 * drivers, and drivers in exported arrays. A driver with two names, such as its own and `default`, counts once.
 * @param files paths as in the command line
 * @throws {UsageError} if a file cannot be imported, or exports no driver
 */
export async function loadDriverFiles<T>(
  option: keyof typeof KINDS,
  files: readonly string[],
  folder: string,
): Promise<readonly T[]> {
  const drivers = new Set<T>()
  for (const file of files) {
    // Sequentially: a module may depend on the side effects of an earlier one
    const exported = await importModule(file, folder, option)
    for (const driver of driversOf(exported, file, option)) drivers.add(driver as T)
  }
  return [...drivers]
}

type Exports = Readonly<Record<string, unknown>>

async function importModule(file: string, folder: string, option: string): Promise<Exports> {
  if (file === '') throw new UsageError(`${option} is empty. Name the module that exports your driver.`)
  const path = resolve(folder, file)
  if (!isFile(path)) {
    throw new UsageError(`${option} ${file}: there is no file ${path}. Check the spelling, and where the path starts.`)
  }
  try {
    return (await import(pathToFileURL(path).href)) as Exports
  } catch (cause) {
    throw new UsageError(`${option} ${file} cannot be imported. ${whyOf(cause, file)}`, { cause })
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function whyOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `It throws: ${String(error)}`
  if ('code' in error && error.code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `${error.message}. Node reads JavaScript, and TypeScript from 22.18 on: compile it, or use a newer Node.`
  }
  // Node does not report the line.
  if (error instanceof SyntaxError) return `${error.name}: ${error.message}. Run "node ${file}" to see where.`
  // The stack, since the error is in the user's own code, without frames of Node.
  const lines = (error.stack ?? error.message).split('\n')
  return lines.filter((line) => !/^ +at .*\(?node:internal\//.test(line)).join('\n')
}

function driversOf(exported: Exports, file: string, option: keyof typeof KINDS): readonly unknown[] {
  const { noun, fields } = KINDS[option]
  // Whether it is meant to be a driver: the suite reports what is wrong with it.
  const isDriver = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    fields.filter((field) => field !== 'name' && field in value).length > 1
  const drivers = Object.values(exported)
    .flat()
    .filter((value) => isDriver(value))
  if (drivers.length > 0) return drivers
  const names = Object.keys(exported)
  const others = names.length === 0 ? ' and nothing else' : `, only: ${names.join(', ')}`
  throw new UsageError(
    `${option} ${file} exports no ${noun}${others}. Export an object { ${fields.join(', ')} }, or an array of such, by any name.`,
  )
}
