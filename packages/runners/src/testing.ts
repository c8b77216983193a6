export type { CaseContext, RunnerCase, RunnerPromise } from './testing/case.ts'
export { runnerCases, runnerContract, type RunnerSubject, type TestFramework } from './testing/contract.ts'
