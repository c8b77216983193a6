import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isMissing } from '@repertoire/test-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { bundleWriter, traceCalls, withFault } from './trace.ts'
import type { CallFault, TracedCall } from './trace.ts'
import { REPORTED, WRITES } from './writes.ts'

/**
 * `all`: every system call of every write, those that only read too (`npm run kill-writes`, half an hour). In CI: a
 * third of the calls that change something. Otherwise the renames of two writes, at which they are decided.
 */
const EXTENT = process.env['KILLED_CALLS'] ?? (process.env['CI'] === undefined ? 'renames' : 'changes')

/** Killed at a call that changes nothing, a write is as it is when it is killed at the next one that does. */
function isTried({ call, changes }: TracedCall, fault: CallFault): boolean {
  if (EXTENT === 'renames') return fault === 'SIGKILL' && call === 'rename'
  if (fault === 'ENOSPC') return changes && !/^(?:close|fcntl|unlink|rmdir)$/.test(call)
  return EXTENT === 'all' ? fault === 'EIO' || changes : changes && call !== 'close'
}

function chosen(calls: readonly TracedCall[]): readonly TracedCall[] {
  return EXTENT === 'changes' ? calls.filter((_, index) => index % 3 === 1) : calls
}

/** What a writer may say. Another outcome is an error that names no remedy. */
const OUTCOMES = ['done', 'FOLDER_NOT_WRITABLE', 'RESOURCE_REFUSED', 'TIMED_OUT', '']

describe.skipIf(isMissing('strace'))('system calls (needs strace)', () => {
  let program = ''
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-library-'))
  beforeAll(async () => {
    program = await bundleWriter(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(
    [...WRITES].filter(([kind]) => EXTENT !== 'renames' || /^(?:replace|applyPlan|changeSkillsLock)$/.test(kind)),
  )(
    '[LIB-7, ABUSE-72, ABUSE-74] a process that is killed, or whose disk fails, at a call of the write "%s" leaves the old state or the new one or says so, loses nothing, and readers beside it see no other',
    async (kind, { prepare, reader, write, recover }) => {
      const prepared = async () => {
        const root = temporaryFolder()
        await prepare(root)
        return { root, read: await reader(root) }
      }
      const whole = await prepared()
      const old = await whole.read()
      const calls = await traceCalls({ program, kind, root: whole.root }, join(folder, 'calls'))
      const fresh = await whole.read()
      expect(fresh).not.toBe(old)
      expect(calls.filter(({ changes }) => changes).length).toBeGreaterThan(10)
      const problems: string[] = []
      let killed = 0
      for (const fault of ['SIGKILL', 'ENOSPC', 'EIO'] as const) {
        for (const call of chosen(calls.filter((each) => isTried(each, fault)))) {
          const { root, read } = await prepared()
          const { outcome, seen } = await withFault({ program, kind, root }, call, fault, read)
          const left = await read()
          const states = [old, fresh, REPORTED]
          const over = await recover(root)
          const recovered = await read()
          await write(root).catch(() => {})
          const after = await read()
          const found = [
            ...[...seen].filter((state) => !states.includes(state)).map((state) => `a reader saw ${state}`),
            ...(OUTCOMES.includes(outcome) ? [] : [outcome]),
            ...((outcome === 'done' ? [fresh] : states).includes(left) ? [] : [`"${outcome}" has left ${left}`]),
            ...([old, fresh].includes(recovered) ? [] : [`it is recovered as ${recovered}`]),
            ...(left === REPORTED || recovered === left ? [] : [`${left} is recovered as ${recovered}`]),
            ...(after === fresh ? [] : [`the next write makes ${after} of it`]),
            ...over.map((name) => `${name} is left over`),
          ]
          problems.push(...found.map((problem) => `${fault} at ${call.call} ${call.number}: ${problem}`))
          if (outcome === '') killed++
        }
      }
      expect(problems).toEqual([])
      expect(killed).toBeGreaterThan(0)
    },
    20 * 60_000,
  )
})
