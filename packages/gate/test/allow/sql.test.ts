import { describe, expect, test } from 'vitest'
import { toolset } from '../toolset.ts'
import { allows, judge, policy, reason } from '../rules.ts'

const sql = (rules: string[], text: string): Promise<boolean> => allows(rules, 'execute_sql', { sql: text })

describe('rules for SQL', () => {
  test.each([
    ['select *', 'select name, count(*) from users group by name'],
    ['select *', "select * from t where a = 'x; y' limit 5"],
    ['select *', 'select 1;'],
    ['select *', "select 'a', 'b' from t, \"my table\" as u where c in ('d', 'e')"],
    ['select *', 'select a from "s"."t" join u on u.a = \'x\''],
    ['select *', 'select a\nfrom t'],
    ['select:*', 'select lower(a) from t'],
    ['insert into log *', "insert into log (a) values ('x')"],
    ['select 1; drop table x', 'select 1; drop table x'],
    ['select pg_read_file(1)', 'select pg_read_file(1)'],
  ])('[GATE-15] execute_sql(%s) permits %j', async (pattern, text) => {
    expect(await sql([`execute_sql(${pattern})`], text)).toBe(true)
    expect(await allows([`execute_sql(${pattern})`], 'execute_sql', { query: text })).toBe(true)
  })

  test.each([
    ['select *', 'select 1; drop table x'],
    ['select *', 'select 1;\ndrop table x'],
    ['select *', 'select 1 ; ; drop table x'],
    ['select *', 'select a into b from t'],
    ['select *', 'select a from t into outfile "x"'],
    ['select *', "select pg_read_file('/etc/passwd')"],
    ['select *', "select load_extension('x')"],
    ['select *', "select * from '/etc/passwd'"],
    ['select *', "select * from t, 'secret.csv'"],
    ['select *', "select * from t join 'https://evil.example/x.parquet'"],
    ['select *', 'select * from "/etc/passwd"'],
    ['select *', 'select * from "secret.csv"'],
    ['select *', 'select 1 -- x'],
    ['select *', 'select 1 /* ; */'],
    ['select *', 'select $$;$$'],
    ['select *', "select E'\\';drop table x'"],
    ['select *', 'SELECT 1'],
    ['with *', 'with x as (delete from t returning a) select a from x'],
    ['explain *', 'explain analyze delete from t'],
    ['insert into log *', 'insert into log values (1); delete from log'],
    ['* from t', 'drop table x; select 1 from t'],
    ['s*', 'set role admin'],
    [':*', 'select 1'],
  ])('[GATE-15, ABUSE-111] execute_sql(%s) does not permit %j', async (pattern, text) => {
    expect(await sql([`execute_sql(${pattern})`], text)).toBe(false)
  })

  test('[GATE-7] says that it has to be one statement', async () => {
    expect(await reason(['execute_sql(select *)'], 'execute_sql', { sql: 'select 1; drop table x' })).toBe(
      '"execute_sql" may only be used as execute_sql(select *) while the skill "skill-0" is active; "select 1; drop table ' +
        'x" is not certainly a single statement of which every word is known. Give one statement, without comments and ' +
        'without functions that do more than compute.',
    )
  })

  test.each([
    ['drop *', 'drop table x'],
    ['drop *', 'select 1; drop table x'],
    ['drop *', 'DROP TABLE x'],
    ['delete *', 'with x as (delete from t returning a) select a from x'],
    ['* secrets *', 'select a from secrets where b'],
    ['drop *', "select pg_read_file('x')"],
  ])('[ABUSE-114] a denied execute_sql(%s) holds for %j', async (pattern, text) => {
    const denied = { lists: [], denied: policy([`execute_sql(${pattern})`]).lists }
    expect(await allows(denied, 'execute_sql', { sql: text })).toBe(false)
    expect(await allows(denied, 'execute_sql', { sql: 'select a from t' })).toBe(true)
  })

  test('[GATE-15] hold for a tool of the host with an argument of that kind', async () => {
    const tools = toolset({ db: { argument: 'statement', kind: 'sql' } })
    const permits = async (statement: string): Promise<boolean> =>
      (await judge(['db(select *)'], 'db', { statement }, { tools })).allowed
    expect(await permits('select 1')).toBe(true)
    expect(await permits('select 1; delete from t')).toBe(false)
  })
})

describe('rules for plain text', () => {
  test.each([
    ['deploy *', 'deploy web to staging (v1.2)', true],
    ['deploy *', 'deploy web; drop', false],
    ['deploy *', 'deploy web\ndrop', false],
    ['deploy *', 'deploy web\u2028drop', false],
    ['deploy *', 'deploy web && drop', false],
    ['deploy *', 'deploy $(x)', false],
    ['deploy *', 'deploy `x`', false],
    ['deploy:*', 'deploy {x}', false],
    ['deploy *; *', 'deploy a; b', true],
    ['deploy a;\nb', 'deploy a;\nb', true],
  ])('[GATE-15] Deploy(%s), the text %j: %s', async (pattern, target, expected) => {
    expect(await allows([`Deploy(${pattern})`], 'Deploy', { target })).toBe(expected)
  })
})
