import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import type { ScriptJob, ScriptResult, ScriptRunner } from '@repertoire/core'
import { processRunner, virtualRunner } from '@repertoire/runners'
import { type CaseContext, type RunnerCase, runnerCases, type RunnerPromise } from '@repertoire/runners/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { job } from './job.ts'
import { processesWith } from './processes.ts'

/** The temporary folder of its scripts, with their folders: in the system's, a file may be another user's. */
const [shared, folders] = [mkdtempSync(join(tmpdir(), 'naive-shared-')), mkdtempSync(join(tmpdir(), 'naive-folders-'))]
afterAll(async () => {
  for (const folder of [shared, folders]) await rm(folder, { recursive: true, force: true })
})

/** As one writes it at first: the host's environment, a shell line, a limit that kills the first process alone. */
function naiveRunner(): ScriptRunner {
  return {
    name: 'naive',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: () => true,
    run: runNaively,
  }
}

/** It gives a script nothing to read, so one that reads waits for its limit. */
const MAX_NAIVE_MS = 2_000

async function runNaively({
  interpreter,
  files,
  script,
  args,
  environment,
  limits,
  signal,
}: ScriptJob): Promise<ScriptResult> {
  const folder = mkdtempSync(join(folders, 'naive-'))
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const line = `${interpreter} ${script} ${args.join(' ')}`
  const env = { ...process.env, ...environment, TMPDIR: shared }
  return new Promise((resolve) => {
    const timeout = Math.min(limits.timeout, MAX_NAIVE_MS)
    execFile('sh', ['-c', line], { cwd: folder, env, timeout, signal }, (error, stdout, stderr) => {
      resolve({
        end: error === null || typeof error.code === 'number' ? 'exited' : 'timed-out',
        exitCode: typeof error?.code === 'number' ? error.code : 0,
        stdout: Buffer.from(stdout),
        stderr: Buffer.from(stderr),
        dropped: { stdout: 0, stderr: 0 },
        durationMs: 0,
      })
    })
  }).then(async (result) => {
    await rm(folder, { recursive: true, force: true })
    return result as ScriptResult
  })
}

/**
 * What the naive runner does not keep, and a part of the message that says how it was caught. The others need a
 * sandbox, or hold on some systems by chance.
 */
const CAUGHT: readonly (readonly [sentence: string, because: string])[] = [
  ["starts in a copy of the skill's folder", "- 'in data/café 漢.txtin folder/"],
  ['gives the script its standard input', "'' !== '140000'"],
  ['passes arguments literally', "- '<;id><$(id)>"],
  ['refuses files outside of the folder, no script, and words', 'Missing expected rejection'],
  ['refuses an interpreter that is not there', 'Missing expected rejection'],
  ['gives exactly the environment', 'a variable of the runner was replaced'],
  ['each with an empty temporary folder of its own', String.raw`'a\nb\nc\n'`],
  ["keeps scripts from changing the skill's files", String.raw`+ 'changed\nadded\nremoved\n'`],
  ['ends what runs when it is closed', "+ 'timed-out'\n- 'aborted'"],
  ['ends a script at its limit', 'exitCode: 0'],
  ['ends processes that left their session', ' !== 0'],
  ['ends a script that is aborted before', "+ 'timed-out'\n- 'aborted'"],
  ['counts what it drops', 'more was kept than may be'],
  ['counts bytes, and cuts between characters', 'more was kept than may be'],
  ['joins a character that was written in parts', '-   255,\n    0,\n'],
  ["keeps scripts from the host's files", "'of the host' !== ''"],
  ['reaches no network', String.raw`'hello\n' !== ''`],
  ['holds the number of processes', String.raw`'all\n' !== ''`],
  ['holds the size of a file', 'bytes were written'],
]

/** What a bare process cannot keep, and the virtual shell does. */
const NEEDS_SANDBOX = new Set<RunnerPromise | undefined>([
  'read-only-files',
  'host-files',
  'no-network',
  'process-limit',
])

/** How many processes hold a text, after those that are ending have ended. */
async function survivors(marker: string): Promise<number> {
  for (let round = 0; round < 100 && processesWith(marker) > 0; round++) await setTimeout(20)
  return processesWith(marker)
}

/** Holds runners of one kind to a sentence of the contract. */
async function holdTo(testCase: RunnerCase, create: () => ScriptRunner): Promise<void> {
  const runner = create()
  const sh: CaseContext['sh'] = (script, { files = [], ...changes } = {}) => {
    const given = job(script)
    return runner.run({ ...given, ...changes, files: [...given.files, ...files] })
  }
  try {
    await testCase.run({ runner, open: async () => create(), sh, survivors })
  } finally {
    await runner.close?.()
  }
}

describe('the contract of runners', () => {
  it.each(CAUGHT)(
    '[RUN-13] catches a runner that breaks "%s", and passes one that keeps it',
    async (sentence, because) => {
      const found = runnerCases.filter(({ title }) => title.includes(sentence))
      expect(found).toHaveLength(1)
      await expect(holdTo(found[0]!, naiveRunner)).rejects.toMatchObject({
        name: 'AssertionError',
        message: expect.stringContaining(because),
      })
      await holdTo(found[0]!, NEEDS_SANDBOX.has(found[0]!.promise) ? virtualRunner : processRunner)
    },
  )
})
