import {
  openRepertoire,
  type RepertoireOptions,
  type Session,
  type SessionOptions,
  type StepView,
  type ToolCall,
} from '@repertoire/core'
import { fixtureSkills } from '../fixture-skills.ts'
import { HOST_TOOLS } from '../tools.ts'

/** What the reference is worked out over: the same that the trial was given. */
export interface ReferenceOptions {
  readonly repertoire?: Partial<RepertoireOptions>
  readonly session?: SessionOptions
}

/**
 * What core itself says to some calls, one after the other, each in a step of its own. The model must be shown these
 * very words, so that a refusal reads the same in every framework.
 */
export async function wordsOfCore(
  calls: readonly Pick<ToolCall, 'tool' | 'input'>[],
  options: ReferenceOptions = {},
): Promise<readonly string[]> {
  const session = await openSession(options)
  const texts: string[] = []
  for (const [index, call] of calls.entries()) {
    session.beginStep(HOST_TOOLS)
    const outcome = await session.call({ id: `call_${index + 1}_1`, ...call }, () => 'ran')
    texts.push(outcome.text ?? String(outcome.ok ? outcome.value : ''))
  }
  return texts
}

/** What core would have the model shown in its first step. */
export async function firstView(options: ReferenceOptions = {}): Promise<StepView> {
  return (await openSession(options)).beginStep(HOST_TOOLS)
}

async function openSession({ repertoire = {}, session = {} }: ReferenceOptions): Promise<Session> {
  const opened = await openRepertoire({ sources: [fixtureSkills()], ...repertoire })
  return opened.openSession({ consent: () => true, ...session })
}
