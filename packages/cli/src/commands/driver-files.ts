import type { AdapterDriver } from '@repertoire/conformance'
import type { HostDriver } from '@repertoire/conformance/host'
import { type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../usage-error.ts'

/** What a module is expected to export. */
interface Wanted<T> {
  /** The option that names the module. */
  readonly option: string
  /** What it is called in messages, and its fields. */
  readonly noun: string
  readonly shape: string
  readonly is: (value: unknown) => value is T
}

const ADAPTER: Wanted<AdapterDriver> = {
  option: '--driver',
  noun: 'driver',
  shape: '{ name, variants, capabilities, start }',
  is: (value): value is AdapterDriver => hasSome(value, ['variants', 'capabilities', 'start']),
}

const HOST: Wanted<HostDriver> = {
  option: '--host',
  noun: 'host driver',
  shape: '{ name, version, documentation, start, activate, read }',
  is: (value): value is HostDriver => hasSome(value, ['start', 'activate', 'read', 'documentation']),
}

/**
 * Returns the drivers that modules export, in the order of the files and of the exports' names: exports that are
 * drivers, and
 * drivers in exported arrays. A driver with two names, such as its own and `default`, counts once.
 * @param files paths as in the command line
 * @throws {UsageError} if a file does not exist, cannot be imported, or exports no driver
 */
export function loadDriverFiles(files: readonly string[], folder: string): Promise<readonly AdapterDriver[]> {
  return load(ADAPTER, files, folder)
}

/**
 * Returns the drivers of hosts that modules export, as `loadDriverFiles` does.
 * @throws {UsageError} if a file does not exist, cannot be imported, or exports no driver of a host
 */
export function loadHostFiles(files: readonly string[], folder: string): Promise<readonly HostDriver[]> {
  return load(HOST, files, folder)
}

async function load<T>(wanted: Wanted<T>, files: readonly string[], folder: string): Promise<readonly T[]> {
  const drivers = new Set<T>()
  for (const file of files) {
    // Sequentially: a module may depend on the side effects of an earlier one
    for (const driver of driversOf(await importModule(file, folder, wanted.option), file, wanted)) drivers.add(driver)
  }
  return [...drivers]
}

type Exports = Readonly<Record<string, unknown>>

async function importModule(file: string, folder: string, option: string): Promise<Exports> {
  if (file === '') throw new UsageError(`${option} is empty. Name the module that exports your driver.`)
  const path = resolve(folder, file)
  const stats = statsOf(path, file, option)
  if (stats === undefined) {
    throw new UsageError(`${option} ${file}: there is no file ${path}. Check the spelling, and where the path starts.`)
  }
  if (stats.isDirectory()) throw new UsageError(`${option} ${file} is a folder. Name the module in it.`)
  try {
    return (await import(pathToFileURL(path).href)) as Exports
  } catch (error) {
    throw new UsageError(`${option} ${file} cannot be imported. ${whyOf(error, file)}`, { cause: error })
  }
}

function statsOf(path: string, file: string, option: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw new UsageError(`${option} ${file} cannot be read. ${(error as Error).message}`, { cause: error })
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

function driversOf<T>(exported: Exports, file: string, { option, noun, shape, is }: Wanted<T>): readonly T[] {
  const drivers = Object.entries(exported).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return is(value) ? [value] : []
    const otherIndex = value.findIndex((each) => !is(each))
    // Arrays of other things are ignored.
    if (otherIndex === -1 || !value.some(is)) return value.filter(is)
    throw new UsageError(`${option} ${file}: "${name}" is a list of drivers, but its item ${otherIndex} is not one.`)
  })
  if (drivers.length > 0) return drivers
  const names = Object.keys(exported)
  throw new UsageError(
    `${option} ${file} exports no ${noun}${names.length === 0 ? ' and nothing else' : `, only: ${names.join(', ')}`}. Export an object ${shape}, or an array of such, by any name.`,
  )
}

/**
 * Whether a value is meant to be a driver: it has more than one field of one. The suite reports what is wrong with it.
 */
function hasSome(value: unknown, fields: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && fields.filter((field) => field in value).length > 1
}
