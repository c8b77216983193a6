import { describe, expect, test } from 'vitest'
import { isScriptPath } from '../src/internal.ts'

describe('isScriptPath', () => {
  test.each([
    'scripts/fill.py',
    'bin/run.sh',
    'tools/x.mjs',
    'scripts/deep/er/x.rb',
    './scripts/x.ts',
    'scripts//x.ts',
    'scripts/./x.ts',
    'references/../scripts/x.ts',
    'scripts/x.PY',
    'Scripts/x.py',
    'scripts\\x.ps1',
    'scripts/x.test.js',
    'scripts/.hidden.sh',
  ])('[GATE-4] %s is a script', (path) => {
    expect(isScriptPath(path)).toBe(true)
  })

  test.each([
    'SKILL.md',
    'x.py',
    'scripts',
    'scripts/',
    'scripts.py',
    'scripts/README.md',
    'scripts/data.json',
    'scripts/run',
    'scripts/py',
    'scripts/x.py/readme.txt',
    'references/x.py',
    'assets/scripts/x.py',
    'scripts-evil/x.py',
    'scripts/../x.py',
    '../scripts/x.py',
    'scripts/../../other/scripts/x.py',
    '',
    '.',
  ])('[GATE-4] %j is not a script', (path) => {
    expect(isScriptPath(path)).toBe(false)
  })
})
