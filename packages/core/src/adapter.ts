/**
 * `@repertoire/core/adapter`: what a writer of an adapter needs beside the root entry. What people who use skills need
 * as well, such as `Session`, `ToolCall` and `ForkRunner`, is exported there alone.
 */
export type { ListedSkill } from './disclosure/listing.ts'
export { uniqueCallIds } from './session/calls/call-ids.ts'
export { abandonedCallText, failureText, resultText } from './session/refusal.ts'
export {
  CARRIER,
  type InvocationCall,
  messageCall,
  type StandIn,
  standsFor,
  type WrittenCall,
} from './session/calls/stand-in.ts'
export { recordDecision } from './session/calls/framework-approval.ts'
export { argumentsAsObject, readArguments } from './session/calls/wire.ts'
export { checkAnswers, isOutdatedYes, readConsentAnswer } from './session/consent/decision.ts'
export { isTextOfContent } from './session/consent/request-text.ts'
export {
  type ForkOptions,
  forkOptions,
  type SubAgentChoice,
  subAgentFor,
  DEFAULT_SUB_AGENT_STEPS,
  UNATTENDED_REASON,
  unattendedError,
  unfinishedForkError,
} from './session/fork/sub-agent.ts'
export { type AdapterSession, adapterSession } from './session/adapter-session.ts'
export { openAdapterSession } from './repertoire/adapter-session.ts'
export type { AdapterSessionOptions } from './repertoire/options.ts'
export type { Prompt, PromptRequest, Step, StepOptions } from './session/step/step.ts'
export type { CallOptions, CallPreview, PreviewOptions, StepCalls, TurnOptions } from './session/session.ts'
export { type ActiveSkill, type SessionState, type StoredMark, taskOf } from './session/state/state.ts'
export { ADAPTER_SESSION_OPTIONS } from './repertoire/option-tables.ts'
export {
  OWNER_OPTIONS,
  type OwnedSession,
  type OwnedSessionOptions,
  type OwnerOptions,
  type SessionOwner,
  whenBegun,
  withOwnedSession,
} from './repertoire/stored/owned-session.ts'
export { type SystemPrompt, systemPrompt } from './session/step/view.ts'
export { messageText, type MessagePart } from './session/calls/wire.ts'
export { type BegunTurn, beginTurnOrAsk } from './session/turn/turn-or-ask.ts'
export { SCRIPT_ARGUMENT_LIMITS, escapeXml } from '@repertoire/skill-md/internal'
export type { WindowRequest } from './session/window/request.ts'
export { partsUntilAborted } from './time-limit.ts'
export { skillToolsOf } from './tools/skill-tools.ts'
export type { WindowCall, WindowMessage } from './window/message.ts'
export type { SummaryRecord } from './window/record.ts'
