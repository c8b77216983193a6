import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Returns the last lines that tests in files of these texts print, and the exit code. */
function summaryOf(files: Readonly<Record<string, string>>): {
  readonly lines: string[]
  readonly code: number | null
} {
  const folder = mkdtempSync(join(tmpdir(), 'summary-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const options = ['run', '--globals', '--root', folder, `--reporter=${join(ROOT, 'scripts/summary-reporter.ts')}`]
  const { CI: _, VITEST: __, ...env } = process.env
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...options], {
    cwd: folder,
    env: { ...env, NO_COLOR: '1' },
    encoding: 'utf8',
  })
  return { lines: stdout.trim().split('\n'), code: status }
}

it('[FRONT-1] the last lines of a run name what failed, with the first line of the reason, and what was skipped', () => {
  const { lines, code } = summaryOf({
    'one.test.ts': `
      it('adds', () => expect(1 + 1).toBe(2))
      it('subtracts', () => { throw new Error('There is no minus.\\nAnd more.') })
      it.skip('opens a browser (needs chromium)', () => {})
      it.skip('divides', () => {})`,
    'two.test.ts': `beforeAll(() => { throw new Error('No server.') }); it('asks', () => {})`,
    'three.test.ts': `throw new Error('No module.')`,
  })
  expect(lines.at(-1)).toBe('1 passed, 3 failed, 3 skipped')
  // Files end in any order.
  expect(lines.slice(0, -1).toSorted()).toEqual([
    'Failed: subtracts: There is no minus.',
    'Failed: three.test.ts: No module.',
    'Failed: two.test.ts: No server.',
    'Skipped: 1 tests that need the Debian package chromium',
    'Skipped: asks',
    'Skipped: divides',
  ])
  expect(code).toBe(1)
})

it('[FRONT-1] the last line of a run in which all passed counts them, and nothing else is printed', () => {
  expect(summaryOf({ 'one.test.ts': `it('adds', () => expect(1 + 1).toBe(2))` })).toEqual({
    lines: ['1 passed, 0 failed, 0 skipped'],
    code: 0,
  })
})
