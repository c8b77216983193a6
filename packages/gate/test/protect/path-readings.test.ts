import { describe, expect, it } from 'vitest'
import { alternatives } from '../../src/protect/expansion.ts'
import { comparablePath, isPattern, mayName, pathPatterns, widen } from '../../src/protect/path-pattern.ts'

const LOCATION = '/home/u/pdf'
const patterns = (value: string, cwd: string | undefined = '/work', location = LOCATION): readonly string[] =>
  pathPatterns(value, location, cwd)

describe('the texts that groups in braces give', () => {
  it.each([
    ['a', ['a']],
    ['{a,b}', ['a', 'b']],
    ['x{a,b}y{c,d}', ['xayc', 'xayd', 'xbyc', 'xbyd']],
    ['{a,{b,c}}', ['a', 'b', 'a', 'c']],
    ['{a}', ['*']],
    ['{1..3}', ['*']],
    ['{}', ['*']],
    ['{,a}', ['', 'a']],
    ['{$&,b}', ['$&', 'b']],
    ['{a', ['{a']],
    ['a}', ['a}']],
  ])('[GATE-4] of %j are %j', (text, texts) => {
    expect(alternatives([text])).toEqual(texts)
  })

  it('[GATE-4] are a hundred at the most', () => {
    const group = (count: number): string => `{${Array.from({ length: count }, (_, index) => index).join(',')}}`
    expect(alternatives([group(100)])).toHaveLength(100)
    expect(alternatives([group(101)])).toBeUndefined()
    expect(alternatives([group(50), group(50)])).toHaveLength(100)
    expect(alternatives([group(50), group(51)])).toBeUndefined()
    expect(alternatives([])).toEqual([])
  })
})

describe('a text in which a star stands for all that a pattern holds', () => {
  it.each([
    ['a', 'a'],
    ['a?b', 'a*b'],
    ['a[xyz]b', 'a*b'],
    ['a[]b', 'a*b'],
    ['a[x/y]b', 'a[x/y]b'],
    ['@(a|b)c', '*c'],
    ['!(a)', '*'],
    ['+(a)', '*'],
    ['*(a)', '*'],
    ['?(a)', '*'],
    ['(a)b(c)d', '*d'],
    ['(a\nb)', '*'],
    ['a@b', 'a@b'],
    ['a*', 'a*'],
  ])('[GATE-4] is for %j %j', (text, wide) => {
    expect(widen(text)).toBe(wide)
  })
})

describe('a pattern', () => {
  it.each(['*', 'a?', '[a', '{a', 'a(b', 'a\\b'])('[GATE-4] is %j', (value) => {
    expect(isPattern(value)).toBe(true)
  })
  it.each(['', 'a', 'a]', 'a}', 'a)', 'a/b.c', '!a', '+a', '@a', '..'])('[GATE-4] is not %j', (value) => {
    expect(isPattern(value)).toBe(false)
  })
})

describe('what a path pattern may stand for', () => {
  it.each([
    ['/a/b.sh', ['a/b.sh']],
    ['/A/./x/../B.SH', ['a/b.sh']],
    ['b.sh', ['work/b.sh']],
    ['*.sh', ['work/*.sh']],
    ['**/*.sh', ['work/**.sh']],
    ['a/**/b', ['work/a/*b']],
    ['a/*/b', ['work/a/*b']],
    ['a*/b', ['work/a*/b']],
    ['a/*b/c', ['work/a/*b/c']],
    ['/**', ['*']],
    ['a***b', ['work/a*b']],
    ['{a,b}.sh', ['work/a.sh', 'work/b.sh']],
    ['../b*', ['b*']],
    ['file:///a/*', ['a/*']],
    ['https://x/*', ['https:/x/*', 'work/https:/x/*']],
    ['~/a*', ['work/~/a*', 'a*', 'home/a*', 'home/u/a*']],
    ['a\\b', ['work/a/b', 'work/ab']],
    [' /a*', ['a*']],
  ])('[GATE-4] is for %j %j', (value, found) => {
    expect(patterns(value)).toEqual(found)
  })

  it('[GATE-4] is taken against each folder above where no working folder is known', () => {
    expect(pathPatterns('b*', LOCATION, undefined)).toEqual(['b*', 'home/b*', 'home/u/b*'])
  })

  it.each([
    '*/../x',
    'a*/../../x',
    '[.][.]/x',
    '.*/x',
    '.?/x',
    '?./x',
    '@(..)/x',
    '@(..|.)/x',
    '@(a|../b)',
    '@(b/..)',
    '@(a/b|..)',
    '!(x)/../y',
    'a\\..\\[.]',
    '@(.)@(.)/x',
    'x'.repeat(1_001),
    '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}',
  ])('[GATE-4] is everything for %j', (value) => {
    expect(patterns(value)).toEqual(['*'])
  })

  it.each(['x'.repeat(1_000), '../x', 'a/../*', '*.sh', '*./x', '**./x', '*', 'a/.b*', '@(a|b)', '*..a'])(
    '[GATE-4] is not everything for %j',
    (value) => {
      expect(patterns(value)).not.toEqual(['*'])
    },
  )

  it('[GATE-4] on a drive of Windows is without the names of streams', () => {
    expect(pathPatterns('C:\\App\\a.sh::$DATA', 'C:\\app', undefined)).toContain('c:/app/a.sh')
    expect(patterns('/a/b.sh::$DATA')).toEqual(['a/b.sh::$data'])
    expect(comparablePath('C:\\app', 'scripts/a.sh:x\ny')).toBe('c:/app/scripts/a.sh')
    expect(comparablePath('/app', 'a.sh:x')).toBe('app/a.sh:x')
    expect(comparablePath('memory:a/b', 'c:d')).toBe('memory:a/b/c:d')
    expect(comparablePath('/App//X/', '')).toBe('app/x/')
  })
})

describe('whether a pattern may name a file', () => {
  it.each([
    ['a/b.sh', 'a/b.sh', true],
    ['a/b.sh', 'a/b.shx', false],
    ['a/b', 'x/a/b', false],
    ['a/*', 'a/b/c', true],
    ['a/*', 'b/a/c', false],
    ['*.sh', 'a/b.sh', true],
    ['*.sh', 'a/b.shx', false],
    ['a*c*e', 'abcde', true],
    ['a*x*e', 'abcde', false],
    ['a*b*a', 'aba', true],
    ['ab*ba', 'aba', false],
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['x'.repeat(1_000), 'a', false],
    ['x'.repeat(1_001), 'a', true],
  ])('[GATE-4] %j, %j: %s', (pattern, file, may) => {
    expect(mayName(pattern, file)).toBe(may)
  })
})
