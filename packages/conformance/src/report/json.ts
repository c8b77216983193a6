import type { Report } from './report.ts'

/** The JSON of `renderJson`. */
export type JsonReport = Omit<Report, 'checks'>

/** A report as JSON: the adapters, and one result for every check of each. `reason` is absent if a check passed. */
export function renderJson({ adapters, results, leftOut, hosts }: Report): string {
  // JSON leaves out what is undefined.
  return `${JSON.stringify({ adapters, results, leftOut, hosts } satisfies JsonReport, null, 2)}\n`
}
