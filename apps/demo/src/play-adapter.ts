import type { ModelEndpoint, ScriptStep } from '@repertoire/conformance'
import type { AdapterRecord } from './record.ts'
import { type Assignment, runAdapter, variantOf } from './run.ts'

/** Plays a script of model answers through an adapter. */
export async function playAdapter(
  endpoint: ModelEndpoint,
  script: readonly ScriptStep[],
  assignment: Omit<Assignment, 'endpoint' | 'requests'>,
): Promise<AdapterRecord> {
  const { driver, stream } = assignment
  const { protocol } = variantOf(driver, stream)
  const { baseURL, apiKey, model, requests, failures } = endpoint.play(script, { protocol, form: driver.wire })
  const record = await runAdapter({ ...assignment, endpoint: { baseURL, apiKey, model }, requests })
  // The endpoint's own failures explain more than what the framework made of them.
  const failure = failures[0] ?? record.failure
  return { ...record, ...(failure !== undefined && { failure }) }
}
