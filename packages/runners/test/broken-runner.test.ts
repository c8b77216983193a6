import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { ScriptJob, ScriptResult, ScriptRunner } from '@repertoire/core'
import { type CaseContext, runnerCases } from '@repertoire/runners/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { job } from './job.ts'
import { processesWith } from './processes.ts'

/** The temporary folder of all its scripts, in place of the system's, where a file may be another user's. */
const shared = mkdtempSync(join(tmpdir(), 'naive-shared-'))
afterAll(() => rm(shared, { recursive: true, force: true }))

/** As one writes it at first: the host's environment, a shell line, a limit that kills the first process alone. */
function naiveRunner(): ScriptRunner {
  return {
    name: 'naive',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: () => true,
    run: runNaively,
  }
}

async function runNaively({
  interpreter,
  files,
  script,
  args,
  environment,
  limits,
  signal,
}: ScriptJob): Promise<ScriptResult> {
  const folder = mkdtempSync(join(tmpdir(), 'naive-'))
  for (const { path, bytes } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  const line = `${interpreter} ${script} ${args.join(' ')}`
  const env = { ...process.env, ...environment, TMPDIR: shared }
  return new Promise((resolve) => {
    execFile('sh', ['-c', line], { cwd: folder, env, timeout: limits.timeout, signal }, (error, stdout, stderr) => {
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

/** What the naive runner does not keep. The others need a sandbox, or hold on some systems by chance. */
const CAUGHT = [
  "starts in a copy of the skill's folder",
  'gives the script its standard input',
  'passes arguments literally',
  'refuses arguments and variables',
  'refuses files outside of the folder',
  'refuses an interpreter that is not there',
  'gives exactly the environment',
  'gives each job a temporary folder of its own',
  "keeps scripts from changing the skill's files",
  'ends what runs when it is closed',
  'ends a script at the limit of its time',
  'ends processes that left their session',
  'starts nothing where the signal had aborted',
  'cuts a flood',
  'counts what it drops',
  'counts bytes, and cuts between characters',
  'joins a character that was written in parts',
  "keeps scripts from the host's files",
  'reaches no network',
  'holds the number of processes',
  'holds the size of a file',
]

describe('the contract of runners', () => {
  it.each(CAUGHT)('[RUN-13] catches a runner that breaks "%s"', async (sentence) => {
    const found = runnerCases.filter(({ title }) => title.includes(sentence))
    expect(found).toHaveLength(1)
    const runner = naiveRunner()
    const context: CaseContext = {
      runner,
      open: async () => runner,
      sh: (script, { files = [], ...changes } = {}) => {
        const given = job(script)
        const limits = { ...(changes.limits ?? given.limits), timeout: 1_500 }
        return runner.run({ ...given, ...changes, limits, files: [...given.files, ...files] })
      },
      survivors: async (marker) => processesWith(marker),
    }
    await expect(found[0]?.run(context)).rejects.toThrow()
  })
})
