import { bundled } from '@repertoire/test-servers'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isMissing } from '@repertoire/test-servers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processesWith } from './processes.ts'

const HOST = bundled(join(import.meta.dirname, 'host.ts'))
const isLinux = process.platform === 'linux'

describe.runIf(isLinux)('a host', () => {
  let folder: string
  let marker: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'host-'))
    marker = `60.${randomInt(1_000_000, 9_999_999)}`
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function start(kind: string, script: string, workspace = ''): ChildProcess {
    return spawn(process.execPath, ['--conditions=@repertoire/source', HOST, kind, script, workspace], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  const tree = (): string =>
    `sleep ${marker} & setsid sleep ${marker} & (setsid sh -c 'sleep ${marker}' &); sleep ${marker}`

  async function nothingIsLeft(): Promise<void> {
    await vi.waitFor(() => expect(processesWith(marker)).toBe(0), { timeout: 10_000, interval: 20 })
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 10_000, interval: 20 })
    expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(folder)
  }

  async function killWhileItRuns(host: ChildProcess): Promise<void> {
    await vi.waitFor(() => expect(processesWith(`sleep\0${marker}`)).toBeGreaterThanOrEqual(3), {
      timeout: 30_000,
      interval: 20,
    })
    host.kill('SIGKILL')
    await once(host, 'exit')
  }

  it.skipIf(isMissing('bubblewrap'))(
    '[RUN-9, ABUSE-47] leaves no process, file or mount of a sandbox when it is killed (needs bubblewrap)',
    async () => {
      await killWhileItRuns(start('bubblewrap', tree()))
      await nothingIsLeft()
    },
  )

  it('[RUN-9, ABUSE-47] leaves no process and no file of a bare process when it is killed', async () => {
    const host = start('process', tree())
    await killWhileItRuns(host)
    await nothingIsLeft()
  })

  // Whatever the machine is doing by then: the sandbox is being built, or the script runs.
  it.skipIf(isMissing('bubblewrap')).each([0, 10, 40, 100])(
    '[RUN-9] leaves nothing if it is killed %i ms after it began to build a sandbox (needs bubblewrap)',
    async (delay) => {
      const host = start('bubblewrap', tree())
      await once(host.stdout ?? host, 'data')
      await new Promise((resolve) => setTimeout(resolve, delay))
      host.kill('SIGKILL')
      await once(host, 'exit')
      await nothingIsLeft()
    },
  )

  it('[RUN-9] ends by itself when it has closed its runner', async () => {
    const host = start('process', 'echo ran')
    const [code] = await once(host, 'exit')
    expect(code).toBe(0)
    expect(readdirSync(folder)).toEqual([])
  })

  it.skipIf(isMissing('bubblewrap'))(
    '[ABUSE-54] leaves nothing in the place of protected paths when it is killed (needs bubblewrap)',
    async () => {
      const workspace = mkdtempSync(join(tmpdir(), 'workspace-'))
      if (process.getuid?.() === 0) chownSync(workspace, 1_234, 1_234)
      try {
        const host = start('bubblewrap', tree(), workspace)
        await vi.waitFor(() => expect(existsSync(join(workspace, '.husky/hooks'))).toBe(true), {
          timeout: 30_000,
          interval: 20,
        })
        await killWhileItRuns(host)
        await nothingIsLeft()
        await vi.waitFor(() => expect(readdirSync(workspace)).toEqual([]), { timeout: 10_000, interval: 20 })
      } finally {
        rmSync(workspace, { recursive: true })
      }
    },
  )

  it.skipIf(isMissing('bubblewrap'))(
    '[ABUSE-49] passes on no descriptor that it was started with (needs bubblewrap)',
    async () => {
      const script = 'for fd in /proc/self/fd/*; do readlink $fd; done; head -c 4 <&99; true'
      for (const kind of ['bubblewrap', 'process']) {
        const child = spawn(
          'bash',
          [
            '-c',
            `exec 99</etc/passwd; exec "$0" "$@"`,
            process.execPath,
            '--conditions=@repertoire/source',
            HOST,
            kind,
            script,
          ],
          {
            stdio: ['ignore', 'pipe', 'ignore'],
          },
        )
        let shown = ''
        child.stdout.on('data', (bytes: Buffer) => (shown += bytes.toString()))
        await once(child, 'close')
        expect(shown).toContain('/dev/null')
        expect(shown).not.toContain('passwd')
        expect(shown).not.toContain('root')
      }
    },
  )
})
