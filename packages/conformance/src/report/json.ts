import type { LeftOut, Report, ReportedHost, Result } from './report.ts'

/** The JSON of `renderJson`. */
export interface JsonReport {
  readonly adapters: readonly string[]
  readonly results: readonly Omit<Result, 'variants'>[]
  /** The variants that were not run. Absent: none. */
  readonly leftOut?: readonly LeftOut[]
  /** The hosts with their versions. Absent: adapters were judged. */
  readonly hosts?: readonly ReportedHost[]
}

/** A report as JSON: the adapters, and one result for every check of each. `reason` is absent if a check passed. */
export function renderJson({ adapters, results, leftOut = [], hosts }: Report): string {
  const report: JsonReport = {
    adapters,
    // JSON leaves out what is undefined.
    results: results.map((result) => ({ ...result, variants: undefined })),
    ...(leftOut.length > 0 && { leftOut }),
    hosts,
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
