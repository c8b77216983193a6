import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { processRunner } from '@repertoire/runners'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { job, text } from './job.ts'

describe('a bare process', () => {
  let folder: string
  let before: string | undefined

  beforeEach(() => {
    before = process.env['TMPDIR']
    folder = mkdtempSync(join(tmpdir(), 'process-'))
    process.env['TMPDIR'] = folder
  })

  afterEach(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    rmSync(folder, { recursive: true, force: true })
  })

  it('[RUN-7] refuses "/" as the workspace with a typed error', () => {
    expect(() => processRunner({ workspace: { path: '/' } })).toThrow(
      expect.objectContaining({
        code: 'SCRIPT_NOT_STARTED',
        message: expect.stringContaining('name the folder') as string,
      }),
    )
  })

  it('[RUN-8] says that nothing isolates it', () => {
    const { isolation } = processRunner()
    expect(isolation).toMatchObject({ name: 'none', isolated: false })
    expect(isolation.notes[0]).toBe('A script has all rights of the host: its files, its network, its other processes.')
  })

  it('[RUN-9] leaves no file, however the script ended and whatever it did to its folders', async () => {
    const runner = processRunner()
    const limits = { ...job('').limits, timeout: 500 }
    await runner.run(job('exit 1'))
    await runner.run(job('mkdir -p "$TMPDIR/a/b" && touch "$TMPDIR/a/b/c" && chmod 0 "$TMPDIR/a/b" "$TMPDIR/a"'))
    await runner.run(job('ln -s / "$TMPDIR/link"; sleep 60', { limits }))
    await runner.run(job('sleep 60', { signal: AbortSignal.timeout(100) }))
    const kept = readdirSync(folder)
    expect(kept).toHaveLength(1)
    expect(readdirSync(join(folder, kept[0] ?? ''))).toEqual([])
    await runner.close?.()
    expect(readdirSync(folder)).toEqual([])
  })

  it('[RUN-7] works on where its folder was cleaned away', async () => {
    const runner = processRunner()
    expect(text((await runner.run(job('echo one'))).stdout)).toBe('one\n')
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
    await expect(runner.run(job('echo two'))).rejects.toMatchObject({ code: 'SCRIPT_NOT_STARTED' })
    expect(text((await runner.run(job('echo three'))).stdout)).toBe('three\n')
    await runner.close?.()
  })

  it('[RUN-7] names the workspace, and refuses one that is not there', async () => {
    const runner = processRunner({ workspace: { path: folder } })
    expect(text((await runner.run(job('echo "$WORKSPACE_DIR"'))).stdout)).toBe(`${realpathSync(folder)}\n`)
    await runner.close?.()
    expect(() => processRunner({ workspace: { path: join(folder, 'missing') } })).toThrow('cannot be used')
  })
})
