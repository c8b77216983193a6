import { readdirSync, readFileSync } from 'node:fs'
import type { ScriptRunner } from '@repertoire/core'
import { type CaseContext, jobOf, type RunnerCase, type RunnerPromise } from './case.ts'
import { endingCases } from './cases/ending.ts'
import { isolationCases } from './cases/isolation.ts'
import { jobCases } from './cases/jobs.ts'
import { outputCases } from './cases/output.ts'

/** A runner to hold to the contract. */
export interface RunnerSubject {
  readonly name: string
  readonly open: () => ScriptRunner | Promise<ScriptRunner>
  /**
   * The promises that it does not make, each with the reason, which the report names. They are tried all the same: one
   * that is kept after all is a failure, until it is struck off.
   */
  readonly lacks?: Partial<Record<RunnerPromise, string>>
  /**
   * How many processes still run whose command line holds a text. Default: those of this machine, which says nothing of
   * a sandbox elsewhere.
   */
  readonly survivors?: (marker: string) => Promise<number>
}

/** The functions of a test framework: vitest's, Jest's, or `describe`, `it` and `after` of `node:test`. */
export interface TestFramework {
  readonly describe: (name: string, declare: () => void) => unknown
  /** Where it takes no time limit, that of the framework holds, and has to be as long. */
  readonly it: (title: string, run: () => Promise<void>, timeoutMs: number) => unknown
  readonly afterAll: (run: () => Promise<void>) => unknown
}

/** How long one sentence may take: a sandbox elsewhere starts slowly, and what is left of a script is waited for. */
const TIMEOUT_MS = 60_000

/** Every sentence of the contract. */
export const runnerCases: readonly RunnerCase[] = [...jobCases, ...endingCases, ...outputCases, ...isolationCases]

/** Declares a suite that holds a runner to the contract of the port: one test for each sentence. */
export function runnerContract(subject: RunnerSubject, { describe, it, afterAll }: TestFramework): void {
  const { name, lacks = {}, survivors = survivorsHere } = subject
  const open = async (): Promise<ScriptRunner> => subject.open()
  describe(`the contract of runners: ${name}`, () => {
    let opened: Promise<ScriptRunner> | undefined
    afterAll(async () => {
      await (await opened)?.close?.()
    })
    for (const testCase of runnerCases) {
      const reason = testCase.promise === undefined ? undefined : lacks[testCase.promise]
      const run = async (): Promise<void> => {
        const runner = await (opened ??= open())
        const context: CaseContext = {
          runner,
          open,
          survivors,
          sh: (script, changes) => runner.run(jobOf(script, changes)),
        }
        if (reason === undefined) return testCase.run(context)
        const failure = await testCase.run(context).catch((error: unknown) => ({ error }))
        if (failure === undefined)
          throw new Error(`${name} keeps the promise "${testCase.promise}" after all. Remove it from "lacks".`)
      }
      it(titleOf(testCase, reason), run, TIMEOUT_MS)
    }
  })
}

function titleOf({ title }: RunnerCase, reason: string | undefined): string {
  return reason === undefined ? title : `${title} (not promised: ${reason})`
}

const PATIENCE_MS = 10_000
const STEP_MS = 20

/** How many processes of this machine hold a text in their command lines, after those that are ending have ended. */
async function survivorsHere(marker: string): Promise<number> {
  const until = performance.now() + PATIENCE_MS
  let found = count(marker)
  while (found > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS))
    found = count(marker)
  }
  return found
}

function count(marker: string): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && commandLineOf(name).includes(marker)).length
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
