export { EvalError, type EvalErrorCode } from './error.ts'
export { type CheckedAssertion, type EvalAssertion, type EvalCase, type EvalFile, judgePrompt } from './eval-case.ts'
export type { Fate, SkillFate } from './fates.ts'
export {
  type EndpointSource,
  type EvalEndpoint,
  type EvalRun,
  type SkillHarness,
  type SkillHarnessOptions,
  skillHarness,
} from './harness.ts'
export { readEvals } from './read/read-evals.ts'
export { renderMarkdown } from './render.ts'
export {
  type EvalSummary,
  type Miss,
  type PairedDifference,
  type Rate,
  type SkillSummary,
  summarise,
} from './summarise.ts'
