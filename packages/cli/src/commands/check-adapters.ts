import {
  type AdapterDriver,
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
import type { Output } from '../output/output.ts'
import { createProgress } from '../output/progress.ts'
import { reportFile, saveReport } from '../output/report-file.ts'
import { UsageError } from '../usage-error.ts'
import { DEFAULT_ADAPTERS, loadDrivers } from './adapters.ts'
import type { ConformanceOptions, Format, Suite } from './conformance-options.ts'
import { chosenChecks, listOf } from './conformance-list.ts'
import { loadDriverFiles } from './driver-files.ts'

/** Runs the suite with the options of `repertoire conformance`, and writes its report. */
export async function checkAdapters(options: ConformanceOptions, context: Context): Promise<ExitCode> {
  const { stdout, stderr, folder } = context
  const format = options.json ? 'json' : (options.format ?? 'terminal')
  const file = options.output === undefined ? undefined : reportFile(options.output, folder)
  const suite =
    options.host === undefined ? await adapterSuite(options, folder) : await loadHosts(options.host, options, folder)
  if (options.list === true) {
    await stdout.write(suite.list(options.json === true))
    return 0
  }
  const report = await runChecks(suite, stderr)
  await stdout.write(file === undefined ? render(report, format, stdout) : render(report, 'terminal', stdout))
  if (file !== undefined) saveReport(file, render(report, format))
  return unexpected(report).length > 0 ? 1 : 0
}

async function adapterSuite(options: ConformanceOptions, folder: string): Promise<Suite> {
  const chosen = chosenChecks(checks, options.check)
  const drivers = speaking(options.protocol, await selectedDrivers(options, folder))
  return {
    count: drivers.length * chosen.length,
    list: (json) => listOf(drivers, chosen, json),
    run: (onResult) => runConformance({ drivers, only: chosen.map(({ id }) => id), onResult }),
  }
}

/** Imported when hosts are judged: adapters need none of it. */
async function loadHosts(files: readonly string[], { check }: ConformanceOptions, folder: string): Promise<Suite> {
  const { hostSuite } = await import('./check-hosts.ts')
  return hostSuite(files, check, folder)
}

/** Returns the drivers of the named adapters, then the user's own; without either, those of all adapters but slow ones. */
async function selectedDrivers(
  { adapter, driver }: ConformanceOptions,
  folder: string,
): Promise<readonly AdapterDriver[]> {
  const adapters = await loadDrivers([...new Set(adapter ?? (driver === undefined ? DEFAULT_ADAPTERS : []))])
  if (driver === undefined) return adapters
  const restore = keepStdoutClean()
  try {
    return [...adapters, ...(await loadDriverFiles(driver, folder))]
  } finally {
    restore()
  }
}

/**
 * Returns drivers with the variants that speak one of some protocols.
 * @throws {UsageError} if a driver has none
 */
function speaking(
  protocols: ConformanceOptions['protocol'],
  drivers: readonly AdapterDriver[],
): readonly AdapterDriver[] {
  if (protocols === undefined) return drivers
  return drivers.map((driver) => {
    const [first, ...others] = driver.variants.filter(({ protocol = 'openai' }) => protocols.includes(protocol))
    if (first !== undefined) return { ...driver, variants: [first, ...others] }
    const known = [...new Set(driver.variants.map(({ protocol = 'openai' }) => protocol))].join(', ')
    throw new UsageError(`"${driver.name}" has no variant that speaks ${protocols.join(' or ')}, only: ${known}.`)
  })
}

async function runChecks(suite: Suite, stderr: Output): Promise<Report> {
  const progress = createProgress(stderr, suite.count)
  const restore = keepStdoutClean()
  try {
    return await suite.run(progress.step)
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
  return renderTerminal(report, { color: output?.paint.isColorSupported, width: output?.columns })
}
