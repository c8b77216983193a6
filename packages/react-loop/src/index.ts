export type { ForkPlace, LoopEvent, LoopResult } from './events.ts'
export { createReActLoop } from './loop.ts'
export type { LoopSession, SessionRunOptions, SessionsLoopOptions } from './sessions-loop.ts'
export type {
  AssistantMessage,
  FinishReason,
  Message,
  Model,
  ModelAnswer,
  ModelCallOptions,
  ModelPart,
  ModelRequest,
  ProviderPart,
  ToolMessage,
  Usage,
  UserMessage,
} from './model.ts'
export { openAICompatible, type OpenAICompatibleOptions } from './openai/openai.ts'
export type { Approval, ApprovalHandler, ApprovalOptions, ReActLoop, ReActLoopOptions, RunOptions } from './options.ts'
export type { ForkOptions, SubAgent } from './sub-agent.ts'
