import { matchesGlob } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparablePath, expandPattern, mayName, placePatterns } from '../../src/paths/path-pattern.ts'
import { runs } from '@repertoire/test-servers/properties'

const LOCATION = '/home/u/.skills/pdf'
const SCRIPT = 'scripts/deep/go.sh'

/** Whether a tool that works in a folder may take the script by this text. */
const may = (value: string, cwd: string | undefined): boolean => {
  const expanded = expandPattern(value)
  if (expanded === undefined) return true
  return placePatterns(expanded, LOCATION, cwd).some((each) => mayName(each, comparablePath(LOCATION, SCRIPT)))
}

const whole = `${LOCATION}/${SCRIPT}`
const CWD = ['/home/u/.skills/pdf/scripts', '/home/u/.skills/pdf', '/home/u/.skills', '/home', '/home/other']
const piece = fc.constantFrom(
  ...'/ / * ** ? . .. { } , [ ] ! @( ( ) | go sh .sh scripts deep pdf home u .skills s g o d [a-z] [!x] {go,x} {deep,a/b} \\\\'.split(
    ' ',
  ),
)

/** The script's path from a folder, with pieces of it replaced and put in. */
const pattern = fc
  .tuple(
    fc.constantFrom(whole, SCRIPT, `pdf/${SCRIPT}`, 'deep/go.sh', `./.skills/pdf/${SCRIPT}`),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), piece), { maxLength: 5 }),
  )
  .map(([start, edits]) =>
    edits.reduce<string>((text, [at, length, put]) => {
      const from = at % (text.length + 1)
      return text.slice(0, from) + put + text.slice(from + length)
    }, start),
  )

describe('what a pattern may name', () => {
  it('[GATE-17] may name every file that a glob of the machine names', () => {
    let matched = 0
    fc.assert(
      fc.property(pattern, fc.constantFrom(...CWD), (value, cwd) => {
        const absolute = value.startsWith('/') ? value : `${cwd}/${value}`
        if (!matchesGlob(whole, absolute)) return
        matched++
        expect({ value, cwd, may: may(value, cwd) }).toEqual({ value, cwd, may: true })
        // Where the working folder is unknown, it is taken to be some folder above the skill's.
        if (LOCATION.startsWith(`${cwd}/`)) expect({ value, may: may(value, undefined) }).toEqual({ value, may: true })
      }),
      { numRuns: runs(10_000) },
    )
    // Enough of them match, or the law would hold of nothing.
    expect(matched).toBeGreaterThan(runs(100))
  })

  it.each(['x'.repeat(1_001), '{a,b}'.repeat(10), `{${'a,'.repeat(300)}b}`])(
    '[GATE-17] takes what it cannot compare to name everything',
    (value) => {
      expect(expandPattern(value)).toBeUndefined()
    },
  )

  it.each([
    '('.repeat(1_000),
    '{'.repeat(1_000),
    '{}'.repeat(500),
    '*a'.repeat(500),
    '[('.repeat(500),
    '{a}'.repeat(333),
  ])('[GATE-17, ABUSE-43] comes to an end with a hostile pattern', (value) => {
    expect(may(value, '/home/u')).toBeTypeOf('boolean')
  })
})
