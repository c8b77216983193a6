import type { AdapterDriver } from '@repertoire/conformance'
import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../usage-error.ts'

/**
 * Returns the drivers that modules export, in the order of the files and of the exports' names: exports that are
 * drivers, and
 * drivers in exported arrays. A driver with two names, such as its own and `default`, counts once.
 * @param files paths as in the command line
 * @throws {UsageError} if a file does not exist, cannot be imported, or exports no driver
 */
export async function loadDriverFiles(files: readonly string[], folder: string): Promise<readonly AdapterDriver[]> {
  const drivers = new Set<AdapterDriver>()
  for (const file of files) {
    // Sequentially: a module may depend on the side effects of an earlier one
    for (const driver of driversOf(await importModule(file, folder), file)) drivers.add(driver)
  }
  return [...drivers]
}

type Exports = Readonly<Record<string, unknown>>

async function importModule(file: string, folder: string): Promise<Exports> {
  if (file === '') throw new UsageError('--driver is empty. Name the module that exports your driver.')
  const path = resolve(folder, file)
  const stats = statsOf(path, file)
  if (stats === undefined) {
    throw new UsageError(`--driver ${file}: there is no file ${path}. Check the spelling, and where the path starts.`)
  }
  if (stats.isDirectory()) throw new UsageError(`--driver ${file} is a folder. Name the module in it.`)
  try {
    return (await import(pathToFileURL(path).href)) as Exports
  } catch (error) {
    throw new UsageError(`--driver ${file} cannot be imported. ${whyOf(error, file)}`, { cause: error })
  }
}

function statsOf(path: string, file: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new UsageError(`--driver ${file} cannot be read. ${(error as Error).message}`, { cause: error })
  }
}

function whyOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return `It throws: ${String(error)}`
  const code = 'code' in error ? error.code : undefined
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
    return `${error.message}. Node reads JavaScript, and TypeScript from 22.18 on: compile it, or use a newer Node.`
  }
  // Node does not report the line.
  if (error instanceof SyntaxError) return `${error.name}: ${error.message}. Run "node ${file}" to see where.`
  // The stack, since the error is in the user's own code, without frames of Node.
  const lines = (error.stack ?? error.message).split('\n')
  return lines.filter((line) => !/^ +at .*\(?node:internal\//.test(line)).join('\n')
}

function driversOf(exported: Exports, file: string): readonly AdapterDriver[] {
  const drivers = Object.entries(exported).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return isDriver(value) ? [value] : []
    const otherIndex = value.findIndex((each) => !isDriver(each))
    // Arrays of other things are ignored.
    if (otherIndex === -1 || !value.some(isDriver)) return value.filter(isDriver)
    throw new UsageError(`--driver ${file}: "${name}" is a list of drivers, but its item ${otherIndex} is not one.`)
  })
  if (drivers.length > 0) return drivers
  const names = Object.keys(exported)
  throw new UsageError(
    `--driver ${file} exports no driver${names.length === 0 ? ' and nothing else' : `, only: ${names.join(', ')}`}. Export an object { name, variants, capabilities, start }, or an array of such, by any name.`,
  )
}

const FIELDS = ['variants', 'capabilities', 'start'] as const

/**
 * Whether a value is meant to be a driver: it has more than one field of one. The suite reports what is wrong with it.
 */
function isDriver(value: unknown): value is AdapterDriver {
  return typeof value === 'object' && value !== null && FIELDS.filter((field) => field in value).length > 1
}
