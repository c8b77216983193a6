import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { AdapterSession, Step } from '@repertoire/core/adapter'

/** A step of the session. Its model is the one that a skill asks for. */
export type SkillStep = Step<BaseChatModel | string>

/** The last step of each session that lives on from hook to hook. */
const LAST = new WeakMap<AdapterSession, SkillStep>()

/** Remembers the step of a session's last model call. */
export function rememberStep(session: AdapterSession, step: SkillStep): void {
  LAST.set(session, step)
}

/** Returns the step that calls are of; undefined in a session that was opened for one call. */
export function stepOf(session: AdapterSession): SkillStep | undefined {
  return LAST.get(session)
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
