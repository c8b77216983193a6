import type { EventEmitter } from 'node:events'
import process from 'node:process'
import { callable, checkOptions, foreign, listOf, type OptionTable, required, text } from '@repertoire/core/options'
import { DEFAULT_DEADLINE_MS, deadlineOption } from '../deadline.ts'
import { chooseIds } from '../driver-rules.ts'
import { type ModelEndpoint, openModelEndpoint } from '../endpoint/endpoint.ts'
import { reasonOf } from '../failure.ts'
import type { Report, Result } from '../report/report.ts'
import { NotApplicable, openHostBench } from './bench.ts'
import type { HostCheck } from './check.ts'
import { hostChecks } from './checks/index.ts'
import type { HostDriver } from './driver.ts'
import { checkHostDrivers, lackOf } from './rules.ts'

/** How hosts are judged. */
export interface HostProfileOptions {
  readonly hosts: readonly HostDriver[]
  /** Ids of the checks to run. Default: all. */
  readonly only?: readonly string[] | undefined
  /** How long each call of a host may take, in milliseconds; then the check fails. Default 30,000. */
  readonly deadline?: number | undefined
  /** Called with every result, in the order of the report. */
  readonly onResult?: ((result: Result) => void) | undefined
}

export const HOST_PROFILE_OPTIONS: OptionTable<HostProfileOptions> = {
  hosts: required(foreign('a list of host drivers', Array.isArray)),
  only: listOf(text, 'a list of ids of checks'),
  deadline: deadlineOption,
  onResult: callable,
}

/**
 * Judges hosts: systems that load skills by themselves. Every check plays a model on loopback and looks at what the
 * host shows to it and which tools really ran. Checks run one after the other, since hosts share this process.
 * Resolves whatever the hosts do: `unexpected(report)` returns the failures.
 *
 * @throws {TypeError} for an invalid driver, id or option, before anything runs
 */
export async function runHostProfile(options: HostProfileOptions): Promise<Report> {
  checkOptions('runHostProfile', HOST_PROFILE_OPTIONS, options)
  const { hosts, only, deadline = DEFAULT_DEADLINE_MS, onResult } = options
  const chosen = chooseIds(hostChecks, only, 'repertoire conformance --host FILE --list')
  checkHostDrivers(hosts, hostChecks)
  const results: Result[] = []
  const endpoint = await openModelEndpoint()
  try {
    for (const host of hosts) {
      for (const check of chosen) {
        const result = await runHostCheck(host, check, endpoint, deadline)
        results.push(result)
        onResult?.(result)
      }
    }
  } finally {
    await endpoint.close()
  }
  return {
    adapters: hosts.map(({ name }) => name),
    hosts: hosts.map(({ name, version, documentation }) => ({ name, version, documentation })),
    checks: chosen.map(({ id, level, title, area }) => ({ id, level, title, area })),
    results,
  }
}

async function runHostCheck(
  driver: HostDriver,
  check: HostCheck,
  endpoint: ModelEndpoint,
  deadline: number,
): Promise<Result> {
  const { id, level, title } = check
  const about = { adapter: driver.name, id, level, title, documented: driver.documented?.[id] }
  const result = (status: Result['status'], reason?: string): Result => ({ ...about, status, reason })
  const lack = lackOf(driver, check)
  if (lack !== undefined) return result('n/a', lack)

  const opened = openHostBench(driver, endpoint, deadline)
  const crash = watchProcess()
  const reasons: string[] = []
  let passed = result('pass')
  try {
    const told = await Promise.race([check.run(opened.bench), crash.happened])
    if (level === 'INFO') passed = result('told', told ?? '')
  } catch (error) {
    if (error instanceof NotApplicable) passed = result('n/a', error.message)
    // What explains the failure is read before the end of the conversations adds to it.
    else reasons.push(reasonOf(error), ...opened.remarks())
  }
  reasons.push(...(await opened.close()), ...(await crash.end()))
  // Errors of SDKs often repeat what the endpoint has already reported.
  const reason = reasons.filter((one, at) => !reasons.slice(0, at).some((each) => each.includes(one))).join('\n')
  if (reason === '') return passed
  return level === 'INFO' ? result('n/a', `This could not be found out: ${reason}`) : result('fail', reason)
}

/** Notices errors that the host throws outside of any call, which would end the process, in its listeners' place. */
function watchProcess() {
  const { promise: happened, reject } = Promise.withResolvers<never>()
  happened.catch(() => {})
  const reasons: string[] = []
  const emitter: EventEmitter = process
  const listeners = EVENTS.map((event) => [event, emitter.listeners(event)] as const)
  for (const event of EVENTS)
    emitter.removeAllListeners(event).on(event, (error) => {
      reasons.push(`The host threw an error that nothing awaited: ${reasonOf(error)}`)
      reject(new Error(reasons.at(-1)))
    })
  return {
    happened,
    /** Stops, after errors of what has just ended have been thrown, and returns what happened. */
    async end(): Promise<readonly string[]> {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      for (const [event, kept] of listeners) {
        emitter.removeAllListeners(event)
        for (const listener of kept) emitter.on(event, listener as () => void)
      }
      return reasons
    },
  }
}

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const
