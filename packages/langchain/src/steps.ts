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

/** The name of a model, which LangChain's models store in different properties. */
export function modelName(model: BaseChatModel | string): string | undefined {
  // As `initChatModel` takes it.
  if (typeof model === 'string') return model.slice(model.indexOf(':') + 1)
  const { model: name, modelName: other } = model as unknown as {
    readonly model?: unknown
    readonly modelName?: unknown
  }
  return typeof name === 'string' ? name : typeof other === 'string' ? other : undefined
}
