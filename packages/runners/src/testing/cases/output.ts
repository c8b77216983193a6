import assert from 'node:assert/strict'
import { LIMITS, type RunnerCase, textOf } from '../case.ts'

/** A command that writes so many bytes. */
function write(bytes: number): string {
  return `printf '%0${bytes}d' 0`
}

const CUT = { ...LIMITS, maxOutputBytes: 10_000 }

/** What is kept of the output. */
export const outputCases: readonly RunnerCase[] = [
  {
    title: '[ABUSE-48] counts what it drops of both streams together',
    promise: 'exact-counts',
    async run({ sh }) {
      const result = await sh(`${write(300_000)}; ${write(300_000)} >&2; exit 5`, { limits: CUT })
      assert.equal(result.exitCode, 5)
      assert.ok(result.stdout.byteLength + result.stderr.byteLength <= CUT.maxOutputBytes, 'more was kept than may be')
      assert.equal(result.stdout.byteLength + result.dropped.stdout, 300_000)
      assert.equal(result.stderr.byteLength + result.dropped.stderr, 300_000)
    },
  },
  {
    title: '[ABUSE-48] ends a script that writes without end',
    async run({ sh }) {
      const { end, exitCode, stdout, stderr } = await sh('yes', { limits: { ...CUT, timeout: 400 } })
      assert.ok(end === 'timed-out' || exitCode !== 0, 'it ended well')
      assert.ok(stdout.byteLength + stderr.byteLength <= CUT.maxOutputBytes, 'more was kept than may be')
    },
  },
  {
    title: '[ABUSE-48] counts bytes, and cuts between characters',
    async run({ sh }) {
      const { stdout, dropped } = await sh(
        'i=0; while [ $i -lt 500 ]; do printf 漢漢漢漢漢漢漢漢漢漢; i=$((i+1)); done',
        { limits: CUT },
      )
      assert.ok(stdout.byteLength <= CUT.maxOutputBytes, 'more was kept than may be')
      assert.ok(stdout.byteLength > CUT.maxOutputBytes - 100, 'much less was kept than may be')
      assert.match(textOf(stdout), /^漢+$/)
      assert.equal(stdout.byteLength + dropped.stdout, 15_000)
    },
  },
  {
    title: '[ABUSE-48] joins a character that was written in parts',
    promise: 'binary-output',
    async run({ sh }) {
      const { stdout } = await sh(`printf '\\346'; sleep 0.1; printf '\\274'; printf '\\242'; printf '\\377\\000\\376'`)
      assert.deepEqual([...stdout], [0xe6, 0xbc, 0xa2, 0xff, 0x00, 0xfe])
    },
  },
]
