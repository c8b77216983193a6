export { type CheckedAssertion, checkAssertions, judgePrompt } from './assertions.ts'
export { EvalError, type EvalErrorCode } from './error.ts'
export type { EvalAssertion, EvalCase, EvalFile } from './eval-case.ts'
export type { Fate, SkillFate } from './fates.ts'
export {
  type EndpointSource,
  type EvalAdapter,
  type EvalCall,
  type EvalEndpoint,
  type EvalRun,
  type OpenedEndpoint,
  type RunPlace,
  type SkillHarness,
  type SkillHarnessOptions,
  skillHarness,
} from './harness.ts'
export { readEvals, type ReadEvalsOptions } from './read/read-evals.ts'
export { renderMarkdown, renderTable } from './render.ts'
export {
  type EvalSummary,
  type Miss,
  type PairedDifference,
  type Prices,
  type Rate,
  type SkillSummary,
  summarise,
  type SummariseOptions,
  usedSkill,
  wilson,
} from './summarise.ts'
