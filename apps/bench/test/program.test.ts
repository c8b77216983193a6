import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from '../src/program.ts'
import type { Measured } from '../src/rows.ts'

/** Runs the part `search` on figures, and returns the exit code and what is printed. */
async function check(measured: Measured, ...args: readonly string[]) {
  let printed = ''
  let folder = ''
  const measure = async (_: unknown, given: string) => {
    folder = given
    return measured
  }
  const code = await run(['--only', 'search', ...args], (text) => void (printed += text), measure)
  return { code, printed, folder }
}

const MET = { repertoire: [{ query: 1.5, index: 2_000 }] }
const MISSED = { repertoire: [{ query: 2.5, index: 2_000 }] }

describe('npm run bench -- --check', () => {
  it('[NFR-1] fails on a missed aim, and names it', async () => {
    const { code, printed } = await check(MISSED, '--check')
    expect(code).toBe(1)
    expect(printed).toMatch(/a query +2\.50 ms +2\.50 ms +≤ 2\.00 ms +MISSED\n/)
    expect(printed).toContain('Aims that are missed: 1.')
  })

  it('[NFR-1] fails on an aim that could not be measured, and says why', async () => {
    const { code, printed } = await check({ repertoire: 'Error: no memory' }, '--check')
    expect(code).toBe(1)
    expect(printed).toContain('NOT MEASURED')
    expect(printed).toContain('n/a: repertoire: Error: no memory')
  })

  it('[NFR-1] passes if every aim is met, and so does a run without it', async () => {
    const { code, printed, folder } = await check(MET, '--check')
    expect([code, printed.includes('Every aim is met.')]).toEqual([0, true])
    expect((await check(MISSED)).code).toBe(0)
    expect(() => readdirSync(folder)).toThrow('ENOENT')
  })

  it('[NFR-1] says what is wrong with its options before anything runs', async () => {
    await expect(check(MET, '--only', 'speed')).rejects.toThrow('There is no part "speed". Known are: scan, start,')
    await expect(check(MET, '--faster')).rejects.toThrow("Unknown option '--faster'")
  })
})
