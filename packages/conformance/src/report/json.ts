import type { LeftOut, Report, Result } from './report.ts'

/** The JSON of `renderJson`. */
export interface JsonReport {
  readonly adapters: readonly string[]
  readonly results: readonly Pick<Result, 'adapter' | 'id' | 'level' | 'title' | 'status' | 'reason' | 'workaround'>[]
  /** The variants that were not run. Absent: none. */
  readonly leftOut?: readonly LeftOut[]
}

/** A report as JSON: the adapters, and one result for every check of each. `reason` is absent if a check passed. */
export function renderJson({ adapters, results, leftOut = [] }: Report): string {
  const report: JsonReport = {
    adapters,
    results: results.map(({ adapter, id, level, title, status, reason, workaround }) => ({
      adapter,
      id,
      level,
      title,
      status,
      ...(reason !== undefined && { reason }),
      ...(workaround !== undefined && { workaround }),
    })),
    ...(leftOut.length > 0 && { leftOut }),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
