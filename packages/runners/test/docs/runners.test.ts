import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ScriptRunner } from '@repertoire/core'
import type { Experimental_SandboxSession as SandboxSession } from 'ai'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job, text } from '../job.ts'
import {
  backendRunner,
  daytonaRunner,
  dockerRunner,
  e2bRunner,
  mastraRunner,
  sessionRunner,
  vercelRunner,
} from './bridges-example.ts'
import { openRunner } from './runners-example.ts'

/** What every sandbox does, on this machine: the clients below have the shapes of the real ones. */
async function run(line: string): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  const { stdout, stderr, exitCode = 1 } = await execa('sh', ['-c', line], { reject: false })
  return { stdout, stderr, exitCode }
}

async function write(path: string, content: Uint8Array): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const BRIDGES: Readonly<Record<string, () => ScriptRunner>> = {
  E2B: () =>
    e2bRunner({
      files: { write: (files) => Promise.all(files.map(({ path, data }) => write(path, new Uint8Array(data)))) },
      commands: { run },
    }),
  Vercel: () =>
    vercelRunner({
      writeFiles: (files) => Promise.all(files.map(({ path, content }) => write(path, content))),
      runCommand: async ({ cmd, args }) => {
        const { stdout } = await execa(cmd, args)
        return { stdout: async () => stdout }
      },
    }),
  Daytona: () =>
    daytonaRunner({
      fs: { uploadFile: (file, path) => write(path, file) },
      process: { executeCommand: async (line) => ({ result: (await run(line)).stdout }) },
    }),
  'AI SDK': () =>
    sessionRunner({
      description: 'This machine.',
      run: async ({ command }) => run(command),
      writeBinaryFile: async ({ path, content }) => write(path, content),
    } as Pick<SandboxSession, 'description' | 'run' | 'writeBinaryFile'> as SandboxSession),
  Mastra: () =>
    mastraRunner(
      {
        writeFiles: (files) => Promise.all(files.map(({ path, content }) => write(path, content))),
        executeCommand: async (command, args) => execa(command, args),
      },
      false,
    ),
  deepagents: () =>
    backendRunner({
      uploadFiles: (files) =>
        Promise.all(files.map(async ([path, content]) => write(path, content).then(() => ({ path, error: null })))),
      execute: async (line) => {
        const { stdout, stderr, exitCode } = await run(line)
        return { output: stdout + stderr, exitCode, truncated: false }
      },
    }),
}

describe('the bridges of the documentation', () => {
  let folder: string

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'bridges-'))
    // What `docker exec` does with its arguments, in a container that is this machine.
    writeFileSync(join(folder, 'docker'), '#!/bin/sh\nshift\n[ "$1" = -i ] && shift\nshift\nexec "$@"\n')
    chmodSync(join(folder, 'docker'), 0o755)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([...Object.keys(BRIDGES), 'Docker'])('[RUN-11] run a script in %s', async (name) => {
    const runner = BRIDGES[name]?.() ?? dockerRunner('skills', join(folder, 'docker'))
    const args = ["it's", '$(id)', '漢', 'a  b', '']
    const script = `printf '<%s>' "$@"; cat data.bin | wc -c; cat; echo err >&2; printf '\\377'; exit 3`
    const data = { path: 'data.bin', bytes: Uint8Array.from({ length: 256 }, (_, byte) => byte), executable: false }
    const given = job(script, { args, stdin: Buffer.from('given') })
    const result = await runner.run({ ...given, files: [...given.files, data] })
    expect(result).toMatchObject({ end: 'exited', exitCode: 3, dropped: { stdout: 0, stderr: 0 } })
    const words = args.map((word) => `<${word}>`).join('')
    expect(Buffer.from(result.stdout)).toEqual(Buffer.concat([Buffer.from(`${words}256\ngiven`), Buffer.from([0xff])]))
    expect(text(result.stderr)).toBe('err\n')
  })
})

describe('a runner that is chosen', () => {
  it('[RUN-8] is one of the host, which hears why the sandbox is not', async () => {
    const project = mkdtempSync(join(tmpdir(), 'project-'))
    const reasons: string[] = []
    const runner = await openRunner(project, (reason) => reasons.push(reason))
    expect(runner.name).toBe(reasons.length === 0 ? 'bubblewrap' : 'virtual')
    expect(text((await runner.run(job('echo hello'))).stdout)).toBe('hello\n')
    await runner.close?.()
    rmSync(project, { recursive: true })
  })
})

it('[RUN-13] the contract is declared with the functions of a test framework', async () => {
  const { runnerCases, runnerContract } = await import('@repertoire/runners/testing')
  const titles: string[] = []
  const declared = {
    describe: (_: string, declare: () => void) => declare(),
    it: (title: string) => titles.push(title),
  }
  const lacks = { signals: 'a shell returns 128 and the number of the signal' }
  runnerContract({ name: 'any', open: () => dockerRunner('any'), lacks }, { ...declared, afterAll: () => undefined })
  expect(titles).toHaveLength(runnerCases.length)
  expect(
    titles.filter((title) => title.endsWith('(not promised: a shell returns 128 and the number of the signal)')),
  ).toHaveLength(1)
})
