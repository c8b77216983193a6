export type { LoopEvent, LoopResult } from './events.ts'
export { createReActLoop, type ReActLoop, type ReActLoopOptions, type RunOptions } from './loop.ts'
export type {
  AssistantMessage,
  FinishReason,
  Message,
  Model,
  ModelAnswer,
  ModelCallOptions,
  ModelPart,
  ModelRequest,
  ToolMessage,
  Usage,
  UserMessage,
} from './model.ts'
export { openAICompatible, type OpenAICompatibleOptions } from './openai/openai.ts'
