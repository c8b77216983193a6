import {
  type AdapterDriver,
  type Report,
  type RunOptions,
  checks,
  chooseIds,
  renderJUnit,
  renderJson,
  renderMarkdown,
  renderTerminal,
  runConformance,
  unexpected,
} from '@repertoire/conformance'
import type { HostDriver } from '@repertoire/conformance/host'
import { showInvisible } from '@repertoire/core'
import type { Context, ExitCode } from '../context.ts'
import { keepStdoutClean } from '../output/clean-stdout.ts'
import { escapeJson, toJson } from '../output/json.ts'
import type { Output } from '../output/output.ts'
import { createStatusLine } from '../output/progress.ts'
import { reportFile, saveReport } from '../output/report-file.ts'
import { UsageError } from '../usage-error.ts'
import { DEFAULT_ADAPTERS, loadDrivers } from './adapters.ts'
import { loadDriverFiles } from './driver-files.ts'

/** How a report can be written for other programs. */
export type Format = 'markdown' | 'junit'

/** The options of `repertoire conformance`, as parsed. */
export interface ConformanceOptions {
  readonly adapter?: readonly string[] | undefined
  readonly driver?: readonly string[] | undefined
  readonly host?: readonly string[] | undefined
  readonly check?: readonly string[] | undefined
  readonly list?: true | undefined
  readonly format?: Format | undefined
  readonly json?: true | undefined
  readonly output?: string | undefined
}

/** What a command line asks for: adapters or hosts, and the checks to run on them. */
interface Suite {
  /** The adapters or hosts, as JSON and as lines. */
  readonly judged: object
  readonly heads: readonly string[]
  readonly chosen: readonly { readonly id: string; readonly level: string; readonly title: string }[]
  run(onResult: NonNullable<RunOptions['onResult']>): Promise<Report>
}

/** Runs the suite with the options of `repertoire conformance`, and writes its report. */
export async function checkAdapters(options: ConformanceOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const file = options.output === undefined ? undefined : reportFile(options.output, folder)
  const report = await quietly(async () => {
    const suite = await (options.host === undefined ? adapterSuite(options, folder) : hostSuite(options, folder))
    if (options.list) return listOf(suite, options.json === true)
    const show = createStatusLine(stderr)
    const total = suite.heads.length * suite.chosen.length
    let done = 0
    return suite.run(() => show(`${++done} of ${total} checks`)).finally(() => show(''))
  })
  if (typeof report === 'string') {
    await (options.json ? stdout.write(report) : stdout.print(report))
    return 0
  }
  await stdout.write(render(report, file === undefined ? options : {}, stdout))
  if (file !== undefined) saveReport(file, render(report, options))
  return unexpected(report).length > 0 ? 1 : 0
}

/** Does work during which frameworks write to the console. What is wrong with a driver is a wrong command. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const restore = keepStdoutClean()
  try {
    return await work()
  } catch (error) {
    // Thrown for an invalid driver or check, before anything runs; what a driver does later is a result.
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  } finally {
    restore()
  }
}

async function adapterSuite({ check, adapter, driver }: ConformanceOptions, folder: string): Promise<Suite> {
  const chosen = choose(checks, check)
  const named = await loadDrivers([...new Set(adapter ?? (driver === undefined ? DEFAULT_ADAPTERS : []))])
  const own = driver === undefined ? [] : await loadDriverFiles<AdapterDriver>('--driver', driver, folder)
  const drivers = [...named, ...own]
  const variants = drivers.map(({ name, variants: all }) => ({ name, variants: all.map((each) => each.name) }))
  return {
    chosen,
    judged: { adapters: variants },
    heads: variants.map(({ name, variants: all }) => `${name}: ${all.join('; ')}`),
    run: (onResult) => runConformance({ drivers, only: chosen.map(({ id }) => id), onResult }),
  }
}

async function hostSuite({ host = [], check }: ConformanceOptions, folder: string): Promise<Suite> {
  // Imported when hosts are judged: adapters need none of it.
  const { hostChecks, runHostProfile } = await import('@repertoire/conformance/host')
  const chosen = choose(hostChecks, check, 'repertoire conformance --host FILE --list')
  const hosts = await loadDriverFiles<HostDriver>('--host', host, folder)
  const listed = hosts.map(({ name, version, documentation }) => ({ name, version, documentation }))
  return {
    chosen,
    judged: { hosts: listed },
    heads: listed.map(({ name, version, documentation }) => `${name} ${version}, ${documentation}`),
    run: (onResult) => runHostProfile({ hosts, only: chosen.map(({ id }) => id), onResult }),
  }
}

/** Returns the checks that `--check` names; absent: all. @throws {UsageError} if there is no such check */
function choose<T extends { readonly id: string }>(all: readonly T[], ids?: readonly string[], command?: string) {
  try {
    return chooseIds(all, ids, command)
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error })
  }
}

/** What would be run: the adapters or hosts, and the checks. */
function listOf({ judged, heads, chosen }: Suite, json: boolean): string {
  const listed = chosen.map(({ id, level, title }) => ({ id, level, title }))
  if (json) return toJson({ ...judged, checks: listed })
  const width = Math.max(...chosen.map(({ id }) => id.length))
  const lines = chosen.map(({ id, level, title }) => {
    return `${level.padEnd(6)}  ${id.padEnd(width)}  ${title.replace(/^\[[^\]]*\] /, '')}`
  })
  return [...heads.map(showInvisible), '', ...lines, ''].join('\n')
}

/** @param output the terminal that it is for; absent: plain, as for a file */
function render(report: Report, { format, json }: ConformanceOptions, output?: Output): string {
  if (json) return escapeJson(renderJson(report))
  if (format === 'junit') return renderJUnit(report)
  if (format === 'markdown') return renderMarkdown(report)
  return renderTerminal(report, { color: output?.paint.isColorSupported, width: output?.columns })
}
