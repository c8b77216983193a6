import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { processRunner, type SandboxOptions, sandboxRunner } from '@repertoire/runners'
import { describe, expect, it, onTestFinished } from 'vitest'
import { job, text } from './job.ts'

const here: SandboxOptions = {
  name: 'this machine',
  async write(files) {
    for (const { path, bytes } of files) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytes)
    }
  },
  exec: async (line) => (await promisify(execFile)('sh', ['-c', line])).stdout,
}

/** Takes files, and keeps none. */
const nowhere: SandboxOptions = { ...here, write: async () => undefined }

describe('the bridge to a sandbox', () => {
  it('[RUN-11] counts as dropped what the client cut off', async () => {
    const runner = sandboxRunner({ ...here, exec: async (line, call) => (await here.exec(line, call)).slice(0, 400) })
    const result = await runner.run(job(`echo err >&2; awk 'BEGIN { while (i++ < 100) printf "%010d", 0 }'; exit 3`))
    expect(result).toMatchObject({ end: 'exited', exitCode: 3 })
    expect(text(result.stderr)).toBe('err\n')
    expect(result.stdout.byteLength).toBeGreaterThan(100)
    expect(result.stdout.byteLength + result.dropped.stdout).toBe(1_000)
  })

  it('[RUN-11] reads a report whose lines end as those of a terminal', async () => {
    const runner = sandboxRunner({
      ...here,
      exec: async (line, call) => (await here.exec(line, call)).replaceAll('\n', '\r\n'),
    })
    expect(text((await runner.run(job('echo out'))).stdout)).toBe('out\n')
  })

  it('[RUN-11] says what the sandbox answered instead', async () => {
    const runner = sandboxRunner({ ...nowhere, exec: async () => 'C:\\>' })
    const refused = { code: 'SCRIPT_NOT_STARTED', message: expect.stringContaining(String.raw`"C:\\>"`) }
    await expect(runner.run(job('echo out'))).rejects.toMatchObject(refused)
  })

  it('[ABUSE-56] does not wait for a sandbox that never answers', async () => {
    const silent = sandboxRunner({ ...nowhere, exec: async () => new Promise(() => undefined) })
    const aborted = await silent.run(job('echo out', { signal: AbortSignal.timeout(50) }))
    expect(aborted.end).toBe('aborted')
  })

  it.runIf(process.platform === 'linux')(
    '[ABUSE-55] limits the memory of each process, as a bare process does',
    async () => {
      const limits = { ...job('').limits, maxMemoryBytes: 100 * 1024 * 1024 }
      for (const runner of [sandboxRunner(here), processRunner()]) {
        const { stdout } = await runner.run(job('ulimit -d; prlimit --data --noheadings --output SOFT', { limits }))
        expect(text(stdout).split(/\s+/)).toEqual(['102400', '104857600', ''])
        expect(text((await runner.run(job('ulimit -d'))).stdout)).not.toBe('102400\n')
        await runner.close?.()
      }
    },
  )

  it('[RUN-11] names the workspace in the sandbox, and refuses one that is not there', async () => {
    const workspace = mkdtempSync(join(tmpdir(), "it's a workspace-"))
    onTestFinished(() => rmSync(workspace, { recursive: true }))
    const { stdout } = await sandboxRunner({ ...here, workspace: { path: workspace } }).run(
      job('echo "$WORKSPACE_DIR"; cd "$WORKSPACE_DIR"'),
    )
    expect(text(stdout)).toBe(`${workspace}\n`)
    const missing = sandboxRunner({ ...here, workspace: { path: '/no/such/folder' } }).run(job('echo ran'))
    await expect(missing).rejects.toMatchObject({
      code: 'SCRIPT_NOT_STARTED',
      message: 'The sandbox "this machine" has no folder "/no/such/folder", which is named as its workspace.',
    })
    expect(() => sandboxRunner({ ...here, workspace: { path: 'relative' } })).toThrow(
      '`workspace.path` is not an absolute path',
    )
  })

  it('[RUN-8] says what the host says of it', () => {
    expect(sandboxRunner(here).isolation).toMatchObject({ name: 'this machine', isolated: true })
    const other = sandboxRunner({ ...here, isolated: false, notes: ['None.'] })
    expect(other.isolation).toEqual({ name: 'this machine', isolated: false, notes: ['None.'] })
  })
})
