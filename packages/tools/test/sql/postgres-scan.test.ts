import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanPostgres, type ScannedSql } from '../../src/sql/postgres-scan.ts'

function scanned(sql: string): ScannedSql {
  const found = scanPostgres(sql)
  if ('problem' in found) throw new Error(found.problem)
  return found
}

const anything = fc.string({
  unit: fc.constantFrom('a', '(', ')', "'", '"', '\\', '$', ';', '-', '/', '*', '\n', ' ', '.', 'é', '1'),
})

describe('the text of a statement', () => {
  it('[TOOL-4, ABUSE-89] shows no call in a string, a name or a comment, whatever that holds', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const single = `'${text.replaceAll("'", "''")}'`
        const name = `"x${text.replaceAll('"', '""')}"`
        const escaped = `E'${text.replaceAll(/['\\]/g, '\\$&')}'`
        const line = `-- ${text.replaceAll('\n', ' ')}\n`
        const tagged = `$tag$${text.replaceAll('$', '')}$tag$`
        const { called, command } = scanned(`select ${single}, ${escaped}, ${tagged}, 1 as ${name} ${line} from f(1)`)
        expect([command, called]).toEqual(['select', ['f']])
      }),
    )
  })

  it('[TOOL-4, ABUSE-89] shows every call outside of them', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "'x'",
            '"y"',
            '$$z$$',
            '/* /* ( */ */',
            '-- f(\n',
            '-- f(\r',
            "E'\\''",
            '1',
            '$1',
            'a$b',
            '(1)',
          ),
          { maxLength: 6 },
        ),
        (parts) => {
          expect(scanned(`select ${parts.join(' , ')} , danger /* x */ (1)`).called).toContain('danger')
        },
      ),
    )
  })

  it('[TOOL-4] reads any text, and quickly', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const found = scanPostgres(text)
        expect('problem' in found ? found.problem : found.sql).toBeTypeOf('string')
      }),
    )
    for (const text of ["'", '"', '$$', '/*', '(', ')', ';', '--', "E'\\"]) {
      expect(scanPostgres(`select ${text.repeat(25_000)}`)).toBeDefined()
    }
    // Quadratic work on this much takes minutes, and the test's time limit ends it.
    expect(scanned(`select (x)${'.a'.repeat(500_000)}`).afterValue).toEqual(['a'])
    expect(scanned(`select x${'.a'.repeat(500_000)}`).afterRow).toEqual(['a'])
  })

  it.each([
    ['select 1; select 2', /more than one/],
    ["select ';'; x", /more than one/],
    ['select (1', /parentheses/],
    ['select 1) , (2', /parentheses/],
    ["select 'x", /not closed/],
    ['select "x', /not closed/],
    ['select $a$ x $b$', /not closed/],
    ['/* /* */ select 1', /not closed/],
    ["select U&'x'", /U&/],
    ['select u&"x"', /U&/],
    ["select E'x'\n'y'", /one piece/],
    ["select 1e'\\'' || f() || ''", /touches/],
    ["select $1e'\\'' || f() || ''", /touches/],
    ['select 1a$x$ , f() as b$x$', /touches/],
    ['select $1a$x$ , f() as b$x$', /touches/],
    ["select 'a\0b'", /NUL/],
    ['select * into copy from users', /into a table/],
    ['with d as (delete from users returning *) select * into copy from d', /into a table/],
    ['with d as (delete from users returning *) (select * into copy from d)', /into a table/],
    ['with delete as (select 1) select * into copy from delete', /into a table/],
    ['with d as (select 1) select (1) insert into copy from d', /into a table/],
    ['with d as (select 1) select 1 as merge into copy from d', /into a table/],
    [' ;; -- x', /there is none/],
  ])('[TOOL-4, ABUSE-89] is refused where it is uncertain or several: %s', (sql, problem) => {
    expect(scanPostgres(sql)).toEqual({ problem: expect.stringMatching(problem) })
  })

  it('[TOOL-4] is given back without what ends it', () => {
    expect(scanned('Select 1 /* ; */ ;; ').sql).toBe('Select 1 /* ; */ ')
    expect(scanned('SELECT F(1), "G"(2), a.b, c . d, s.e(1)')).toMatchObject({
      command: 'select',
      called: ['f', 'G', 'e'],
      afterRow: ['b', 'd'],
      afterValue: [],
    })
    expect(scanned('insert into t select "into" from u').command).toBe('insert')
    expect(scanned('with d as (insert into t values (1)) merge into u using d on true').command).toBe('with')
  })

  it('[TOOL-4, ABUSE-89] shows what a dot calls, by what stands before it', () => {
    const { afterRow, afterValue } = scanned(
      'select (9).a, (x) /* y */ . "b".c, $1.d, list[1].e, ((f.g)).h, i.j.k, $12::int, 1.5, (x).m(1)',
    )
    expect([afterRow, afterValue]).toEqual([
      ['g', 'j', 'k'],
      ['a', 'b', 'c', 'd', 'e', 'h'],
    ])
  })

  // To PostgreSQL they are letters: what begins with one is a name, in which no text begins.
  it.each(['\u00A0', '\uFEFF', '\u2003', '\u2028', '\u3000'])(
    '[TOOL-4, ABUSE-89] shows what is called behind a space that is none: %j',
    (space) => {
      expect(scanned(`select 1 as ${space}$x$, f() as ${space}$x$`).called).toEqual(['f'])
    },
  )
})
