import { type ForkRequest, openRepertoire, type RepertoireOptions, type StepView } from '@repertoire/core'
import {
  type AdapterSessionOptions,
  adapterSession,
  openAdapterSession,
  type AdapterSession,
} from '@repertoire/core/adapter'
import type { Trial } from '../check.ts'
import type { CallStep } from '../endpoint/script.ts'
import { failure } from '../failure.ts'
import { fixtureSkills } from '../fixture-skills.ts'
import { HOST_TOOLS } from '../tools.ts'
import { same } from './assertions.ts'

/** The options of the reference: the same as those of the trial. */
export interface ReferenceOptions {
  readonly repertoire?: Partial<RepertoireOptions> | undefined
  readonly session?: AdapterSessionOptions | undefined
  /** The names of the host's tools. Default: those of the bench. */
  readonly hostTools?: readonly string[] | undefined
  /** The result of sub-agents. Default: an empty text. */
  readonly result?: string | undefined
}

/**
 * Returns core's own results of calls that are made one after the other, each in its own step. The model must be shown
 * exactly these texts, so that a refusal reads the same in every framework.
 */
export async function wordsOfCore(
  steps: readonly CallStep[],
  options: ReferenceOptions = {},
): Promise<readonly string[]> {
  const session = await openSession(options)
  const texts: string[] = []
  for (const [index, call] of steps.flatMap(({ calls }) => calls).entries()) {
    session.beginStep(options.hostTools ?? HOST_TOOLS)
    const fork = (): Promise<string> => Promise.resolve(options.result ?? '')
    const outcome = await session.call({ id: `call_${index + 1}_1`, ...call }, () => 'ran', { fork })
    texts.push(outcome.text ?? String(outcome.ok ? outcome.value : ''))
  }
  return texts
}

/** Asserts that the model was shown core's own results of all calls, the first ones of a trial, each in its own step. */
export async function answersAsCore(
  trial: Trial,
  steps: readonly CallStep[],
  options: ReferenceOptions = {},
): Promise<void> {
  const seen = steps.map((_, index) => trial.resultOf(`call_${index + 1}_1`))
  same('the results', seen, await wordsOfCore(steps, options))
}

/** Returns what core shows the model in its first step. */
export async function firstView(options: ReferenceOptions = {}): Promise<StepView> {
  return (await openSession(options)).beginStep(HOST_TOOLS)
}

/** Returns the text that core appends to a person's message. */
export async function turnOfCore(message: string, options: ReferenceOptions = {}): Promise<string | undefined> {
  const fork = (): Promise<string> => Promise.resolve(options.result ?? '')
  const { text } = await (await openSession(options)).beginTurn(message, { fork })
  return text
}

/** What core passes to the sub-agent of a call. */
export interface ForkOfCore {
  readonly request: ForkRequest
  /** What the sub-agent's model is shown in its first step. */
  readonly view: StepView
}

/** Returns the fork that core starts for the last one of some calls. */
export async function forkOfCore(steps: readonly CallStep[], options: ReferenceOptions = {}): Promise<ForkOfCore> {
  const session = await openSession(options)
  let forked: ForkOfCore | undefined
  for (const [index, call] of steps.flatMap(({ calls }) => calls).entries()) {
    session.beginStep(HOST_TOOLS)
    await session.call({ id: `call_${index + 1}_1`, ...call }, () => 'ran', {
      fork: (request) => {
        forked = { request, view: adapterSession(request.session).beginStep(HOST_TOOLS) }
        return Promise.resolve(options.result ?? '')
      },
    })
  }
  if (forked === undefined) throw failure('core to fork', steps)
  return forked
}

async function openSession({ repertoire = {}, session = {} }: ReferenceOptions): Promise<AdapterSession> {
  const opened = await openRepertoire({ sources: [fixtureSkills()], ...repertoire })
  // Not an adapter: it makes only the calls whose words are asked for.
  return openAdapterSession(opened, { consent: () => true, onProblem: () => undefined, ...session })
}
