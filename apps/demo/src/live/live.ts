import { type AdapterDriver, fixtureSkills } from '@repertoire/conformance'
import { type Repertoire, openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { type Context, type ExitCode, type Output, UsageError, count, toJson } from 'repertoire/terminal'
import { compareListings } from '../compare.ts'
import { type Decide, answerAll, askPerson } from '../consent.ts'
import { INSTRUCTIONS } from '../instructions.ts'
import { verifyLockedSkills } from '../locked-skills.ts'
import type { LiveOptions } from '../options.ts'
import type { AdapterRecord } from '../record.ts'
import { liveText } from '../render/live-text.ts'
import { screenOf } from '../render/screen.ts'
import { runAdapter } from '../run.ts'
import type { LiveResult } from './live-result.ts'
import { ownFolderTools } from './own-folder-tools.ts'
import { type Recorder, openRecorder } from './recorder.ts'
import type { UpstreamFailure } from './upstream.ts'

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
  const recorder = await openRecorder({ baseURL, apiKey })
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
  const commandOptions = { baseURL, model, apiKeyEnv }
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
  const repertoire = await openRepertoire({ sources: [directorySource({ root: folder })] })
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

/** The command-line options that an explanation mentions. */
interface CommandOptions {
  readonly baseURL: string
  readonly model: string
  /** The environment variable with the key. */
  readonly apiKeyEnv?: string
}

/** Explains a failure of the user's endpoint, and what to do about it. */
function failureText({ kind, status, message }: UpstreamFailure, options: CommandOptions): string {
  if (kind === 'unreachable') {
    return `${options.baseURL} cannot be reached: ${sentence(message)} Start the endpoint, or correct --base-url.`
  }
  if (kind === 'broken') return `The endpoint's answer broke off: ${sentence(message)} Run it again.`
  if (kind === 'unread') return `A request could not be read for the display: ${sentence(message)}`
  const said =
    message === ''
      ? `${options.baseURL} answered ${status}.`
      : `${options.baseURL} answered ${status}: ${sentence(message)}`
  return `${said} ${adviceFor(status ?? 0, options)}`
}

function adviceFor(status: number, { model, apiKeyEnv }: CommandOptions): string {
  if (status === 401 || status === 403) {
    return apiKeyEnv === undefined
      ? 'Put its key into a variable of the environment, and name that with --api-key-env.'
      : `Check the key in ${apiKeyEnv}.`
  }
  if (status === 404) return `Check --base-url, which mostly ends in "/v1", and whether there is a model "${model}".`
  if (status === 400) return `Check whether "${model}" can call tools.`
  if (status === 429) return 'Wait a little, or look at the limits of your account.'
  return status >= 500 ? "The endpoint's own log says more." : 'Correct --base-url.'
}

function sentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return /[.!?]$/.test(line) ? line : `${line}.`
}

/** A line that shows the current activity. */
interface Status {
  readonly show: (text: string) => void
  /** Must be called before anything else is written to the terminal. */
  readonly clear: () => void
}

const ERASE_LINE = '\r\u001B[K'

/** Writes to a terminal only. */
function createStatus(output: Output): Status {
  const write = (text: string): void => void output.write(ERASE_LINE + text).catch(() => {})
  if (!output.isTerminal) return { show: () => {}, clear: () => {} }
  return { show: (text) => write(output.paint.dim(text)), clear: () => write('') }
}
