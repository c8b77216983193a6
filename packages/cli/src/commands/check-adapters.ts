import {
  type AdapterDriver,
  type Palette,
  type Report,
  checks,
  renderJUnit,
  renderJson,
  renderMarkdown,
  renderTerminal,
  runConformance,
  unexpected,
} from '@repertoire/conformance'
import type { Context, ExitCode } from '../context.ts'
import { keepStdoutClean } from '../output/clean-stdout.ts'
import { escapeJson } from '../output/json.ts'
import type { Output, Paint } from '../output/output.ts'
import { createProgress } from '../output/progress.ts'
import { reportFile, saveReport } from '../output/report-file.ts'
import { UsageError } from '../usage-error.ts'
import { ADAPTER_NAMES, loadDrivers } from './adapters.ts'
import type { ConformanceOptions, Format } from './conformance-options.ts'
import { loadDriverFiles } from './driver-files.ts'

/** Runs the suite with the options of `repertoire conformance`, and writes its report. */
export async function checkAdapters(options: ConformanceOptions, context: Context): Promise<ExitCode> {
  const { stdout } = context
  const format = options.json ? 'json' : (options.format ?? 'terminal')
  const file = options.output === undefined ? undefined : reportFile(options.output, context.folder)
  const only = options.check === undefined ? undefined : validCheckIds(options.check)
  const drivers = await selectedDrivers(options, context.folder)
  const report = await runChecks(drivers, only, context.stderr)
  await stdout.write(file === undefined ? render(report, format, stdout) : render(report, 'terminal', stdout))
  if (file !== undefined) saveReport(file, render(report, format))
  return unexpected(report).length > 0 ? 1 : 0
}

/** Returns the drivers of the named adapters, then the user's own; without either, those of all adapters. */
async function selectedDrivers(
  { adapter, driver }: ConformanceOptions,
  folder: string,
): Promise<readonly AdapterDriver[]> {
  const adapters = await loadDrivers([...new Set(adapter ?? (driver === undefined ? ADAPTER_NAMES : []))])
  if (driver === undefined) return adapters
  const restore = keepStdoutClean()
  try {
    return [...adapters, ...(await loadDriverFiles(driver, folder))]
  } finally {
    restore()
  }
}

async function runChecks(
  drivers: readonly AdapterDriver[],
  only: readonly string[] | undefined,
  stderr: Output,
): Promise<Report> {
  const progress = createProgress(stderr, drivers.length * (only ?? checks).length)
  const restore = keepStdoutClean()
  try {
    return await runConformance({ drivers, ...(only === undefined ? {} : { only }), onResult: progress.step })
  } catch (error) {
    // Thrown for an invalid driver, before anything runs; what a driver does later is a result.
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  } finally {
    restore()
    progress.end()
  }
}

/** @param output the terminal that it is for; absent: plain, as for a file */
function render(report: Report, format: Format, output?: Output): string {
  if (format === 'json') return escapeJson(renderJson(report))
  if (format === 'junit') return renderJUnit(report)
  if (format === 'markdown') return renderMarkdown(report)
  return renderTerminal(report, {
    ...(output === undefined ? {} : { palette: paletteOf(output.paint) }),
    ...(output?.columns === undefined ? {} : { width: output.columns }),
  })
}

function paletteOf({ green, red, yellow, blue, bold, dim }: Paint): Palette {
  return { pass: green, fail: red, known: yellow, absent: blue, strong: bold, faint: dim }
}

/** @throws {UsageError} if there is no such check */
function validCheckIds(ids: readonly string[]): readonly string[] {
  const known = new Set(checks.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown === undefined) return [...new Set(ids)]
  throw new UsageError(`There is no check "${unknown}". Known are: ${[...known].join(', ')}.`)
}
