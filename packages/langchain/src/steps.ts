import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { AdapterSession, Step, StepOptions } from '@repertoire/core/adapter'
import type { LastModelCall } from './channels.ts'

/** A step of the session. Its model is the one that a skill asks for. */
export type SkillStep = Step<BaseChatModel | string>

/** The last step of each session that lives on from hook to hook, by the message of its answer. */
const LAST = new WeakMap<AdapterSession, { readonly message: string | undefined; readonly step: SkillStep }>()

/** Remembers the step that a message of the model answers. */
export function rememberStep(session: AdapterSession, message: string | undefined, step: SkillStep): void {
  LAST.set(session, { message, step })
}

/** Returns the step of a message; in a session that was opened for its calls, a new one over the same state. */
export async function stepOf(
  session: AdapterSession,
  message: string | undefined,
  {
    model,
    ...options
  }: Pick<StepOptions<BaseChatModel | string>, 'tools' | 'resolveModel'> & Pick<LastModelCall, 'model'>,
): Promise<SkillStep> {
  const last = LAST.get(session)
  if (last !== undefined && last.message === message) return last.step
  return session.step({ ...options, nameOf: () => model })
}
