import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FunctionTool } from '@repertoire/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { executeSqlTool, type ExecuteSqlToolOptions, type SqlResult } from '../../src/index.ts'
import { codeOf, errorOf, resultOf, run } from '../run.ts'
import { base, useTemporaryFolder } from '../temporary-folder.ts'

useTemporaryFolder()

let connection: DatabaseSync

beforeEach(() => {
  connection = new DatabaseSync(join(base, 'data.db'))
  connection.exec(`
    create table users (id integer primary key, name text not null);
    insert into users values (1, 'Ada'), (2, 'Grace');
    create view names as select name from users;
    create index by_name on users (name);
    create table log (what text);
    create trigger logged after insert on users begin insert into log values (new.name); end`)
})
afterEach(() => {
  if (connection.isOpen) connection.close()
})

const open = (options: Partial<ExecuteSqlToolOptions> = {}): FunctionTool => executeSqlTool({ connection, ...options })
const ask = (sql: string, params?: readonly unknown[], options = {}): Promise<SqlResult> =>
  resultOf<SqlResult>(open(options), { sql, ...(params && { params }) })
const users = (): number => Number(connection.prepare('select count(*) as n from users').get()!['n'])

/** A statement that never ends. */
const ENDLESS = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n'

describe('a statement for SQLite', () => {
  it('[TOOL-4] reads from the database of the host’s own connection', async () => {
    expect(await run(open(), { sql: 'select id, name from users where id > ? order by id', params: [1] })).toEqual({
      success: true,
      result: { columns: ['id', 'name'], rows: [[2, 'Grace']], truncated: false },
      durationMs: expect.any(Number),
    })
    connection.exec("insert into users values (3, 'Barbara')")
    expect((await ask('select name from names where name like ?', ['B%'])).rows).toEqual([['Barbara']])
    expect((await ask('select name from users; -- the end\n;')).rows).toHaveLength(3)
    expect((await ask("select ';', '--' /* ; */")).rows).toEqual([[';', '--']])
  })

  it('[TOOL-4] reads how tables are made, and tables for full text', async () => {
    connection.exec("create virtual table texts using fts5(body); insert into texts values ('hello world')")
    expect((await ask('pragma table_info(users)')).rows.map(([, name]) => name)).toEqual(['id', 'name'])
    const all = "select t.name, c.name from pragma_table_list t, pragma_table_info(t.name) c where t.name = 'users'"
    expect((await ask(all)).rows).toEqual([
      ['users', 'id'],
      ['users', 'name'],
    ])
    const found = "select highlight(texts, 0, '<', '>') from texts where texts match 'hello'"
    expect((await ask(found)).rows).toEqual([['<hello> world']])
  })

  it('[TOOL-4] returns values as JSON has them', async () => {
    const { rows } = await ask("select 9007199254740993, x'00ff', 1.5, null, ?, 9e999, 'a\"漢'", [true])
    expect(rows).toEqual([['9007199254740993', 'AP8=', 1.5, null, 1, 'Infinity', 'a"漢']])
  })

  it.each([
    "insert into users values (9, 'x')",
    'update users set name = 1',
    "insert into users values (9, 'x') returning id",
    'with gone as (select 1) delete from users',
    'drop table users',
    'create table t (a)',
    'create temp table t (a)',
    'pragma query_only = 0',
    'pragma writable_schema = 1',
    'pragma journal_mode = wal',
    'pragma page_size = 1024',
    'select * from pragma_database_list',
    "attach 'OUT' as other",
    "vacuum into 'OUT'",
    'vacuum',
    'begin',
    'commit',
    'reindex users',
    'analyze',
    "select load_extension('OUT')",
    "select fts3_tokenizer('simple')",
  ])('[TOOL-4, ABUSE-88, ABUSE-89] is refused unless it reads: %s', async (sql) => {
    expect(await codeOf(open(), { sql: sql.replace('OUT', join(base, 'out.db')) })).toBe('NOT_ALLOWED')
    expect(users()).toBe(2)
    expect(existsSync(join(base, 'out.db'))).toBe(false)
  })

  it('[TOOL-4, ABUSE-89] is refused if there are several', async () => {
    for (const sql of [
      'select 1; drop table users',
      'select 1; select 2',
      "select ';'; delete from users",
      '/* a */ select 1 /*;*/; x',
    ]) {
      expect(await errorOf(open({ access: 'write' }), { sql })).toMatchObject({
        code: 'NOT_ALLOWED',
        message: expect.stringContaining('more than one'),
      })
    }
    expect(users()).toBe(2)
  })

  it('[TOOL-4, ABUSE-90] ends at the deadline, and with the signal', async () => {
    expect(await errorOf(open({ timeout: 400 }), { sql: ENDLESS })).toEqual({
      code: 'TIMED_OUT',
      message: 'The database did not answer within 400 ms, and the statement was ended.',
    })
    const abort = new AbortController()
    const call = run(open(), { sql: ENDLESS }, abort.signal)
    abort.abort(new Error('not wanted'))
    await expect(call).rejects.toThrow('not wanted')
  })

  it('[TOOL-4, ABUSE-91] returns a number of rows, and a number of bytes', async () => {
    const many = 'with recursive n(i) as (select 1 union all select i + 1 from n limit 10000000) select i from n'
    const rows = await ask(many)
    expect([rows.rows.length, rows.truncated]).toEqual([100, true])
    expect((await ask('select id from users', [], { maxRows: 2 })).truncated).toBe(false)
    expect((await resultOf<SqlResult>(open(), { sql: many, maxRows: 3 })).rows).toEqual([[1], [2], [3]])
    const bytes = await ask(`select printf('%.*c', 1000, 'x') from (${many})`, [], { maxBytes: 5000 })
    expect([bytes.rows.length, bytes.truncated]).toEqual([4, true])
  })

  it('[TOOL-4, ABUSE-91] is refused where a value is too large, or where it needs too much memory', async () => {
    expect(await codeOf(open(), { sql: 'select zeroblob(1000000000)' })).toBe('TOO_LARGE')
    expect(await codeOf(open(), { sql: "select replace(hex(zeroblob(400000)), '00', 'aaaaaaaa')" })).toBe('TOO_LARGE')
    const all =
      'select group_concat(a) over (order by a) from (select randomblob(900000) as a from generate_series(1, 999))'
    expect(await codeOf(open(), { sql: all.replace('generate_series(1, 999)', 'users, users, users') })).toMatch(
      /^(?:FAILED|TOO_LARGE)$/,
    )
  })

  it('[TOOL-4] changes rows where the host allows it, and nothing else', async () => {
    const writing = { access: 'write' } as const
    expect(await ask('insert into users (name) values (?), (?)', ['Barbara', 'Jean'], writing)).toMatchObject({
      changes: 2,
    })
    expect(await ask("update users set name = 'x' where id = 99", [], writing)).toMatchObject({ changes: 0 })
    expect(await ask('select 1', [], writing)).not.toHaveProperty('changes')
    expect(
      await ask('insert into users (name) values (1), (2), (3) returning id', [], { ...writing, maxRows: 1 }),
    ).toEqual({ columns: ['id'], rows: [[5]], truncated: true, changes: 3 })
    expect(await ask('delete from users where id > 4', [], writing)).toMatchObject({ changes: 3 })
    expect(await ask('update users set name = upper(name) where id = 1 returning name', [], writing)).toMatchObject({
      columns: ['name'],
      rows: [['ADA']],
      changes: 1,
    })
    expect(connection.prepare('select what from log').all()).toHaveLength(5)
    for (const sql of [
      'drop table users',
      'create table t (a)',
      'pragma user_version = 5',
      `vacuum into '${join(base, 'out.db')}'`,
      'commit',
    ]) {
      expect([sql, await codeOf(open(writing), { sql })]).toEqual([sql, 'NOT_ALLOWED'])
    }
    expect(await codeOf(open(writing), { sql: 'insert into users values (1, null)' })).toBe('FAILED')
    expect(await codeOf(open(writing), { sql: "update sqlite_schema set name = 'x'" })).toBe('FAILED')
    expect(users()).toBe(4)
    expect(existsSync(join(base, 'out.db'))).toBe(false)
  })

  it.each([
    ['update users set name = ?', []],
    ['update users set name = ? where id = ?', ['x']],
    ['update users set name = ?', ['x', 'y']],
    ['delete from users', [1]],
    ['update users set name = ?1', ['x']],
    ['update users set name = :name', []],
    ['update users set name = @name', ['x']],
    ["update users set name = '?' where id = $id", []],
  ])(
    '[TOOL-4, ABUSE-153] is an error with another number of parameters, and changes nothing: %s %j',
    async (sql, params) => {
      const error = await errorOf(open({ access: 'write' }), { sql, params })
      const message = expect.stringContaining(`has length ${params.length}. It needs that many places`) as string
      expect(error).toMatchObject({ code: 'INPUT_INVALID', message })
      expect(connection.prepare('select name from users').all()).toEqual([{ name: 'Ada' }, { name: 'Grace' }])
    },
  )

  it('[TOOL-4] takes a question mark in a text, a name and a comment for no place', async () => {
    const sql = `select '?', ? as "?" /* ? */ where 1 = ? -- ?`
    expect((await ask(sql, ['a', 1])).rows).toEqual([['?', 'a']])
  })

  it('[TOOL-4, ABUSE-90] changes nothing where the deadline comes first', async () => {
    const sql = `insert into users (name) select i from (${ENDLESS.replace('count(*)', 'i')})`
    expect(await codeOf(open({ access: 'write', timeout: 400 }), { sql })).toBe('TIMED_OUT')
    expect(users()).toBe(2)
  })

  it('[TOOL-4] says what the database says', async () => {
    expect(await errorOf(open(), { sql: 'select missing from nowhere' })).toEqual({
      code: 'FAILED',
      message: 'SQLite: no such table: nowhere.',
    })
    expect(await codeOf(open(), { sql: 'select ?', params: [{}] })).toBe('INPUT_INVALID')
    expect(await codeOf(open(), { sql: '' })).toBe('INPUT_INVALID')
    expect(await codeOf(open(), { sql: '-- nothing' })).toBe('FAILED')
  })

  it('[TOOL-4] refuses when it is made what it cannot hold, and what is not a connection', () => {
    // What node:sqlite of Node 22 has.
    const older = { prepare() {}, enableLoadExtension() {}, location: () => '/data.db' }
    expect(() => executeSqlTool({ connection: older })).toThrow(/Node 24/)
    const memory = new DatabaseSync(':memory:')
    expect(() => executeSqlTool({ connection: memory })).toThrow('in memory')
    memory.close()
    expect(() => executeSqlTool({ connection: memory })).toThrow('is closed')
    for (const [options, message] of [
      [{ connection: {} }, '`connection` is an object'],
      [{ connection: undefined }, '`connection` is missing'],
      [{ connection, access: 'all' }, '`access` is "all"'],
      [{ connection, maxRows: 0 }, '`maxRows` is 0'],
      [{ connection, maxBytes: 1.5 }, '`maxBytes` is 1.5'],
      [{ connection, timeout: -1 }, '`timeout` is -1'],
    ] as const) {
      expect(() => executeSqlTool(options as unknown as ExecuteSqlToolOptions)).toThrow(message)
    }
  })
})
