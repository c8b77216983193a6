import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { AdapterSession, Step } from '@repertoire/core/adapter'

/** A step of the session. Its model is the one that a skill asks for. */
export type SkillStep = Step<BaseChatModel | string>

/** The last step of each session in memory. */
export const lastSteps = new WeakMap<AdapterSession, SkillStep>()

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
