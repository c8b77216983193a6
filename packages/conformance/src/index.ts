export type { Bench, Check, CheckArea, ToolRun, Trial, TrialOptions } from './check.ts'
export { checks } from './checks/index.ts'
export type { AdapterDriver, Capabilities, Capability, Conversation, TaskSetup, Turn, Variant } from './driver.ts'
export type { Dialect, EncodedMessage, ScriptedMessage, SentMessage } from './endpoint/dialect.ts'
export { type ModelEndpoint, openModelEndpoint } from './endpoint/endpoint.ts'
export { nativeTools } from './endpoint/native-tools.ts'
export type { Play } from './endpoint/play.ts'
export type { CallStep, DropStep, ErrorStep, HoldStep, SayStep, ScriptedCall, ScriptStep } from './endpoint/script.ts'
export type { WireCall, WireMessage, WireRequest } from './endpoint/wire.ts'
export { failure } from './failure.ts'
export { fixtureSkills } from './fixture-skills.ts'
export { type JsonReport, renderJson } from './report/json.ts'
export { renderJUnit } from './report/junit.ts'
export { renderMarkdown } from './report/markdown.ts'
export {
  type Report,
  type ReportedCheck,
  type Result,
  type Status,
  unexpected,
  type VariantResult,
} from './report/report.ts'
export { type Paint, type Palette, renderTerminal, type TerminalOptions } from './report/terminal.ts'
export { type CheckOptions, runConformance, type RunOptions } from './run.ts'
