export type { HandCheck, Hand } from './checks/by-hand/hand.ts'
export type { Check } from './check.ts'
export { checks } from './checks/index.ts'
export { chooseIds } from './driver-rules.ts'
export type {
  AdapterDriver,
  Capabilities,
  Conversation,
  TaskAgent,
  TaskApproval,
  TaskEndpoint,
  TaskSetup,
  Turn,
  Variant,
  WireForm,
} from './driver.ts'
export type { Dialect, EncodedMessage, Reasoning, ScriptedMessage, SentMessage } from './endpoint/dialect.ts'
export { type ModelEndpoint, openModelEndpoint } from './endpoint/endpoint.ts'
export { nativeTools } from './endpoint/openai/native-tools.ts'
export type { Play } from './endpoint/play.ts'
export type { ProtocolName } from './endpoint/protocols.ts'
export type { CallStep, SayStep, ScriptedCall, ScriptStep } from './endpoint/script.ts'
export type { ModelFile, WireCall, WireMessage, WireRequest } from './endpoint/wire.ts'
export { failure } from './failure.ts'
export { fixtureSkills } from './fixture-skills.ts'
export { lastRefusal, lastResult, type ShownRefusal } from './last-result.ts'
export { type JsonReport, renderJson } from './report/json.ts'
export { referenceDriver } from './oracle/reference.ts'
export type {
  AspectId,
  CheckArea,
  CheckFacts,
  Desk,
  Part,
  PlayedStep,
  Run,
  Scenario,
  ScriptedApproval,
  Setup,
} from './oracle/scenario.ts'
export { activate, call, deactivate, say, together } from './oracle/steps.ts'
export { renderJUnit } from './report/junit.ts'
export { renderMarkdown } from './report/markdown.ts'
export { type LeftOut, type Report, type Result, type Status, unexpected } from './report/report.ts'
export { renderTerminal } from './report/terminal.ts'
export { type CheckOptions, runConformance, type RunOptions } from './run.ts'
export { type StoredTask, type StoredTaskPlace, storedTask } from './stored-task.ts'
