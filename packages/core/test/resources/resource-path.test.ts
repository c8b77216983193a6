import { resolve, sep } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SkillError } from '@repertoire/skill-md/internal'
import { runs } from '@repertoire/test-servers/properties'
import { resourceParts } from '../../src/stores.ts'
import { pathProblem } from '../../src/resources/path.ts'

const LOCATION = resolve('/skills/pdf')

function codeOf(path: unknown): string {
  try {
    resourceParts(path as string, LOCATION)
    return 'accepted'
  } catch (error) {
    expect(error).toBeInstanceOf(SkillError)
    return (error as SkillError).code
  }
}

describe('[RES-3] paths inside a skill’s folder', () => {
  it.each([
    '',
    '.',
    './',
    './.',
    '..',
    '../x',
    'a/../../x',
    'a/..',
    'a/../b',
    '/etc/passwd',
    '//server/share',
    'a//b',
    'a/',
    '..\\x',
    'a\\b',
    '\\\\server\\share',
    'C:',
    'c:/x',
    'C:x',
    'file:///etc/passwd',
    'FILE:x',
    'https://example.com/x',
    'data:,x',
    'a\0.md',
    '%2e%2e/x',
    '%2E%2E%2Fx',
    '.%2e/x',
    '%252e%252e/x',
    'a%5cb',
    'a%00',
    '..%c0%afx',
    'x'.repeat(4097),
    undefined,
    null,
    7,
    ['a'],
  ])('[ABUSE-24] refuses %j as a path', (path) => {
    expect(codeOf(path)).toBe('RESOURCE_PATH_INVALID')
  })

  it.each(['.env', '.git/config', 'a/.env', './.env', '...', 'node_modules/x/index.js', 'a/node_modules/b'])(
    '[ABUSE-31] refuses %j as withheld',
    (path) => {
      expect(codeOf(path)).toBe('RESOURCE_REFUSED')
    },
  )

  it.each([
    ['references/guide.md', ['references', 'guide.md']],
    ['./scripts/run.sh', ['scripts', 'run.sh']],
    ['a/./b', ['a', 'b']],
    ['a b/ü.md', ['a b', 'ü.md']],
    ['a%20b.md', ['a%20b.md']],
    ['100%.md', ['100%.md']],
    ['~/x', ['~', 'x']],
    ['$HOME', ['$HOME']],
    ['a..b/c..', ['a..b', 'c..']],
    ['12:30.md', ['12:30.md']],
    ['constructor', ['constructor']],
  ])('takes %j as it stands', (path, parts) => {
    expect(resourceParts(path, LOCATION)).toEqual(parts)
  })

  it('[ABUSE-24] says what is wrong and what to pass instead, with control characters escaped', () => {
    expect(() => resourceParts('../\u001b[31m\n', LOCATION)).toThrow(
      String.raw`"../\u{1B}[31m\u{A}" is not a path inside the skill's folder: it contains "..". Pass a path relative`,
    )
    expect(() => resourceParts('x'.repeat(5000), LOCATION)).toThrow(/^"x{200}…" is not a path/)
  })

  it('[ABUSE-24, ABUSE-25, ABUSE-31] whatever is accepted stays below the folder and touches nothing withheld', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '/',
      '\\',
      '%2e',
      'a',
      'ü',
      '.git',
      'node_modules',
      ':',
      '\0',
      ' ',
      'C',
      '-evil',
    )
    const path = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(path, (text) => {
        if (codeOf(text) !== 'accepted') return
        const parts = resourceParts(text, LOCATION)
        expect(parts.length).toBeGreaterThan(0)
        for (const part of parts) {
          expect(part).toMatch(/^[^./\\\0][^/\\\0]*$/)
          expect(part).not.toBe('node_modules')
        }
        expect(resolve(LOCATION, ...parts).startsWith(LOCATION + sep)).toBe(true)
        expect(pathProblem(parts.join('/'))).toBeUndefined()
      }),
      { numRuns: runs(2000) },
    )
  })
})
