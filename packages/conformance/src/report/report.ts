import type { AspectId } from '../oracle/scenario.ts'

/**
 * The outcome of a check. `known`: it fails, and the driver lists it as known to fail. `n/a`: it needs a capability
 * that the driver declares absent, and fails without it. `told`: it is not judged, and `reason` is what was seen.
 */
export type Status = 'pass' | 'fail' | 'known' | 'n/a' | 'told'

/** One check of one adapter. */
export interface Result {
  readonly adapter: string
  readonly id: string
  readonly level: 'MUST' | 'SHOULD' | 'INFO'
  readonly title: string
  readonly status: Status
  /** The reason for every status except `pass`, with the variants if not all have it. May have several lines. */
  readonly reason?: string
  /** How the adapter does in the framework's place what the check needs. Only of a check that passes. */
  readonly workaround?: string
  /** The variants that lack what the check needs, with the reasons. Only of a check that passes in the others. */
  readonly absent?: string
  /** What is known to differ in all scenarios, and did in this one, which passes otherwise. */
  readonly differs?: string
  /** The aspects of a scenario that are not as core says, known ones included. Absent: all are as core says. */
  readonly aspects?: readonly AspectId[]
  /** The names of the variants that ran, in the driver's order. */
  readonly variants?: readonly string[]
  /** What the documentation of a host says about the check. It changes no result. */
  readonly documented?: string
}

/** The fields of a check that a report shows. */
export interface ReportedCheck {
  readonly id: string
  readonly level: 'MUST' | 'SHOULD' | 'INFO'
  readonly title: string
  readonly area: string
}

/** A host that was judged, as its driver describes it. */
interface ReportedHost {
  readonly name: string
  readonly version: string
  /** The address of its documentation of skills. */
  readonly documentation: string
}

/** The results of a run: every check for every adapter, in their order. */
export interface Report {
  readonly adapters: readonly string[]
  readonly checks: readonly ReportedCheck[]
  readonly results: readonly Result[]
  /** The variants that were not run. Absent: none. */
  readonly leftOut?: readonly LeftOut[]
  /** The hosts, if hosts were judged and no adapters; `adapters` has their names. */
  readonly hosts?: readonly ReportedHost[]
}

/** A variant that was not run, since a package that it needs is not installed. */
export interface LeftOut {
  readonly adapter: string
  readonly variant: string
  readonly reason: string
}

/** What there is to say about a run: its hosts with their versions, and the variants that were not run. */
export function factsOf({ hosts = [], leftOut = [] }: Report): readonly string[] {
  return [
    ...hosts.map(({ name, version, documentation }) => `${name} ${version}, ${documentation}`),
    ...leftOut.map(({ adapter, variant, reason }) => `Not run: ${variant} of ${adapter}. ${reason}`),
  ]
}

/**
 * The results that make a run a failure: every `fail`, whatever its level. A SHOULD that an adapter does not meet for
 * good reason is listed under the driver's `known`, with that reason.
 */
export function unexpected(report: Report): readonly Result[] {
  return report.results.filter(({ status }) => status === 'fail')
}
