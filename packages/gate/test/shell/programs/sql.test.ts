import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlainSql } from '../../../src/shell/programs/sql.ts'
import { covers } from '../prefix-rules.ts'

const BLANKS = fc.constantFrom('', ' ', '\n', '\t', '/**/', '/* x */', '--x\n')
const QUOTES = fc.constantFrom(['', ''], ['"', '"'], ['`', '`'], ['[', ']'])

describe('SQL in a command', () => {
  test('[ABUSE-111] a function that is not known is called in no spelling', () => {
    const names = 'edit load_extension writefile readfile lo_export pg_read_file sys_exec EDIT'.split(' ')
    fc.assert(
      fc.property(fc.constantFrom(...names), BLANKS, QUOTES, BLANKS, (name, before, [open, close], after) => {
        const sql = `select${before === '' ? ' ' : before}${open}${name}${close}${after}('x')`
        expect(isPlainSql(sql, { quotes: 'backtick' })).toBe(false)
        const commands = ['sqlite3|x.db|', 'psql|-c|', 'psql|-c', 'mysql|-e|', 'mysql|-Ne'].map((each) => each + sql)
        expect(commands.filter((command) => covers(command))).toEqual([])
      }),
    )
  })

  test.each([
    'sqlite3|x.db|select "edit"(a) from t',
    'sqlite3|x.db|select edit/**/(a)',
    'sqlite3|x.db|select 1; vacuum "main" into "y"',
    'sqlite3|x.db|select 1; attach database y as z',
    'sqlite3|x.db|create virtual table t using csv(filename=y)',
    'sqlite3|x.db|pragma temp_store_directory = "y"',
    'sqlite3|x.db|.once|id',
    'sqlite3|x.db|.mode list\n.shell id',
    'sqlite3|-cmd|.shell id|x.db',
    'sqlite3|-A|x',
    'duckdb|-c|install x',
    'duckdb|x.db|copy t to y',
    'psql|-f|x',
    'psql|-1f|x',
    'psql|--fi=x',
    'psql|-c|\\i x',
    'psql|-c|copy t to program $$id$$',
    'psql|-c|do $$begin end$$',
    'psql|-c|select U&"lo\\005fexport"(1)',
    "psql|-c|select E'\\x27'",
    "psql|-c|create function f() returns void as 'x' language c",
    'psql|-c|select `id`',
    'psql|-c|select query_to_xml(a)',
    'mysql|-e|source f',
    'mysql|-e|\\. f',
    'mysql|-e|select 1; source f',
    'mysql|-esource f',
    'mysql|-e|select 1 /*! into outfile 0x61 */',
    'mysql|-e|select 1 into @a; set global general_log=1',
    'mysql|-e|create table t (a int) data directory "/x"',
    'mysql|--loose-pager=id',
    'mysql|--exec=source f',
    'mysql|--init-command=source f',
    'mysql|--plugin_dir=x',
    'redis-cli|eval|x|0',
    'redis-cli|CONFIG|SET|dir|/x',
  ])('[ABUSE-111] %s may run or write something else', (command) => {
    expect(covers(command)).toBe(false)
  })

  test.each([
    "sqlite3|x.db|select * from t where a like '%x%' and b in (1, 2) order by c limit 5",
    'sqlite3|-header|-csv|data/x.db|select count(*), max(length(a)) from t group by b having count(*) > 1',
    "sqlite3|x.db|insert into t (a, b) values ('it''s', 2); update t set a = 1; delete from t where b = 2",
    'sqlite3|x.db|create table if not exists t (id integer primary key, a varchar(10) default (1))',
    'sqlite3|x.db|create unique index if not exists i on t (a, b)',
    'sqlite3|x.db|with r(a) as (select 1) select a from r',
    'sqlite3|x.db|pragma table_info(t)',
    'sqlite3|./x.db|.schema t',
    'sqlite3|x.db|.tables',
    "psql|-h|localhost|-U|u|-d|x|-At|-c|select now(), to_char(a, 'YYYY') from public.t",
    'psql|-c|\\d+ t',
    'psql|postgresql://u@h:5432/d|-c|explain select 1',
    'mysql|-u|root|-psecret|-e|show databases',
    'mysql|x|-Ne|select `a`, concat(b, c) from t;',
    'redis-cli|-h|x|get|y',
  ])('[GATE-3] %s runs and writes nothing else', (command) => {
    expect(covers(command)).toBe(true)
  })
})
