export type { Bench, Check, Trial, TrialOptions } from './check.ts'
export type { ShownRefusal } from './checks/assertions.ts'
export { checks } from './checks/index.ts'
export { activate, call, deactivate, say, together } from './checks/script-steps.ts'
export { unknownCheckText } from './driver-rules.ts'
export type {
  AdapterDriver,
  Capabilities,
  Conversation,
  HandoffAgent,
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
export { lastRefusal, lastResult } from './last-result.ts'
export { type JsonReport, renderJson } from './report/json.ts'
export { type Cell, playConformance, type PlayOptions, type PlayReport, type Row } from './oracle/run.ts'
export type {
  AspectId,
  Desk,
  PlayedStep,
  Scenario as PlayedScenario,
  ScriptedApproval,
  Setup,
} from './oracle/scenario.ts'
export { SCENARIOS } from './oracle/scenarios/index.ts'
export { renderJUnit } from './report/junit.ts'
export { renderMarkdown } from './report/markdown.ts'
export { renderOverview } from './report/overview.ts'
export { type LeftOut, type Report, type Result, type Status, unexpected } from './report/report.ts'
export { type Paint, type Palette, renderTerminal } from './report/terminal.ts'
export { type CheckOptions, runConformance, type RunOptions } from './run.ts'
export {
  AIMS,
  figuresOf,
  missedAims,
  type ModelFigures,
  type ModelRun,
  tokenSpread,
  type TokenSpread,
} from './scenarios/figures.ts'
export { runScenario, SCENARIO_LIMITS, type ScenarioOptions, type ScenarioResult } from './scenarios/run.ts'
export type { FinalState, Scenario, ScenarioAgent, ScenarioLimits, ScenarioTask } from './scenarios/scenario.ts'
export { scenarios } from './scenarios/scenarios.ts'
export { scriptedAgent, type ScriptedOptions } from './scenarios/scripted.ts'
export { type StoredTask, type StoredTaskPlace, storedTask } from './stored-task.ts'
export type { Workshop } from './scenarios/workshop.ts'
