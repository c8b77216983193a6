import { type AdapterDriver, fixtureSkills } from '@repertoire/conformance'
import { openRepertoire, type Repertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { type Context, count, type ExitCode, toJson, UsageError } from 'repertoire/terminal'
import { compareListings } from '../compare.ts'
import { answerAll, askPerson, type Decide } from '../consent.ts'
import { INSTRUCTIONS } from '../instructions.ts'
import { verifyLockedSkills } from '../locked-skills.ts'
import type { LiveOptions } from '../options.ts'
import type { AdapterRecord } from '../record.ts'
import { liveText } from '../render/live-text.ts'
import { screenOf } from '../render/screen.ts'
import { runAdapter } from '../run.ts'
import { failureText } from './failure-text.ts'
import type { LiveResult } from './live-result.ts'
import { ownFolderTools } from './own-folder-tools.ts'
import { openRecorder, type Recorder } from './recorder.ts'
import { createStatus, type Status } from './status.ts'

/** The endpoint cannot be used at all, so that no other adapter needs to try. */
export class EndpointError extends Error {
  override readonly name = 'EndpointError'
}

/** The streams for asking a person. */
export interface Asking {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WritableStream
}

interface LiveRun {
  readonly options: LiveOptions
  readonly folder: string
  readonly repertoire: Repertoire
  readonly recorder: Recorder
  readonly decide: Decide
  readonly status: Status
}

/**
 * Runs a task of the user's with each adapter and prints what each did.
 * @throws {UsageError} if there are no skills
 * @throws {EndpointError} if the endpoint cannot be reached, or refuses the first request
 */
export async function runLive(
  options: LiveOptions,
  drivers: readonly AdapterDriver[],
  { stdout, stderr, folder }: Context,
  asking: Asking,
): Promise<ExitCode> {
  const { task, model, baseURL, apiKey } = options
  const { repertoire, notes } = await openSkills(options.skills)
  const status = createStatus(stderr)
  const consent = options.yes ? 'yes' : asking.stdin.isTTY ? 'person' : 'nobody'
  const decide =
    consent === 'person'
      ? askPerson({ input: asking.stdin, output: asking.stderr, before: status.clear })
      : answerAll(consent === 'yes')
  const recorder = await openRecorder({ baseURL, ...(apiKey !== undefined && { apiKey }) })
  const results: AdapterResult[] = []
  try {
    // One after the other: a local model is busy enough with one.
    for (const driver of drivers) {
      const next = await runDriver(driver, { options, folder, repertoire, recorder, decide, status })
      if (results.length === 0 && next.unusable !== undefined) throw new EndpointError(next.unusable)
      results.push(next)
    }
  } finally {
    status.clear()
    await recorder.close()
  }

  const adapters = results.map(({ record }) => record)
  const asked = adapters.filter(({ requests }) => requests.length > 0)
  const result: LiveResult = {
    task,
    model,
    baseURL,
    folder,
    consent,
    adapters,
    agreement: compareListings(asked.length === 0 ? adapters : asked),
    notes: [...notes, ...results.flatMap((each) => each.notes)],
  }
  await stdout.write(options.json ? toJson({ mode: 'live', ...result }) : liveText(result, screenOf(stdout)))
  return result.agreement.agreed && adapters.every(({ failure }) => failure === undefined) ? 0 : 1
}

interface AdapterResult {
  readonly record: AdapterRecord
  readonly notes: readonly string[]
  /** Why the endpoint did not answer at all. */
  readonly unusable?: string
}

/** Runs the task with one adapter. */
async function runDriver(
  driver: AdapterDriver,
  { options, folder, repertoire, recorder, decide, status }: LiveRun,
): Promise<AdapterResult> {
  const { task, model, baseURL, apiKeyEnv, stream } = options
  const commandOptions = { baseURL, model, ...(apiKeyEnv !== undefined && { apiKeyEnv }) }
  const recording = recorder.open((number) => status.show(`${driver.name}: waiting for the model, request ${number}`))
  const record = await runAdapter({
    driver,
    stream,
    endpoint: { baseURL: recording.baseURL, apiKey: recording.apiKey, model },
    requests: recording.requests,
    repertoire,
    tools: ownFolderTools(folder),
    folder,
    instructions: INSTRUCTIONS,
    task,
    decide,
  })
  const { failures, requests } = recording
  const notes = failures
    .filter(({ kind }) => kind === 'unread')
    .map((failure) => `${driver.name}: ${failureText(failure, commandOptions)}`)
  const stopped = failures.find(({ kind }) => kind !== 'unread')
  if (record.failure === undefined || stopped === undefined) return { record, notes }
  // The endpoint's own error explains more than what the framework made of it.
  const failure = failureText(stopped, commandOptions)
  const isUnusable = requests.length <= 1 && stopped.kind !== 'broken'
  return { record: { ...record, failure }, notes, ...(isUnusable && { unusable: failure }) }
}

/** @throws {UsageError} if the list is empty */
async function openSkills(folder: string | undefined): Promise<{ repertoire: Repertoire; notes: readonly string[] }> {
  if (folder === undefined) {
    await verifyLockedSkills()
    return { repertoire: await openRepertoire({ sources: [fixtureSkills()] }), notes: [] }
  }
  const repertoire = await openRepertoire({ sources: [directorySource({ root: folder, layer: 'project' })] })
  const { catalog } = repertoire
  const errors = catalog.diagnostics.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (catalog.list().length === 0) {
    const why =
      first === undefined
        ? 'A skill is a folder with a file SKILL.md; name the folder that holds such.'
        : `${first.message} ${first.hint ?? ''}`.trim()
    throw new UsageError(`There is no skill in ${folder} that can be used. ${why}`)
  }
  if (errors.length === 0) return { repertoire, notes: [] }
  return {
    repertoire,
    notes: [`${count(errors.length, 'problem')} with other skills: npm run -s repertoire -- validate ${folder}`],
  }
}
