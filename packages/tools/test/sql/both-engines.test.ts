import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type PostgresServer, startPostgres } from '@repertoire/test-servers'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { executeSqlTool, type ExecuteSqlToolOptions, type SqlResult } from '../../src/index.ts'
import { codeOf, resultOf } from '../run.ts'
import { base, useTemporaryFolder } from '../temporary-folder.ts'

useTemporaryFolder()

let server: PostgresServer
let admin: Client
beforeAll(async () => {
  server = await startPostgres()
  admin = new Client(server.options('postgres'))
  await admin.connect()
  await admin.query(`
    create role reader login;
    create table users (id int primary key, name text not null, bytes bytea);
    create table log (what text);
    create function noting() returns trigger language plpgsql as $$ begin insert into log values (new.name); return new; end $$;
    create trigger noted after insert on users for each row execute function noting();
    grant select, insert, update, delete on users, log to reader`)
})
afterAll(async () => {
  await admin.end()
  await server.close()
})

const ROWS = `insert into users (id, name) values (1, 'Ada'), (2, 'Grace')`

describe.each(['SQLite', 'PostgreSQL'])('a statement for %s', (engine) => {
  let connection: DatabaseSync | Pool
  beforeEach(async () => {
    if (engine === 'SQLite') {
      connection = new DatabaseSync(join(base, 'data.db'))
      connection.exec(`
        create table users (id integer primary key, name text not null, bytes blob);
        create table log (what text);
        create trigger noted after insert on users begin insert into log values (new.name); end;
        ${ROWS}`)
    } else {
      await admin.query(`truncate users, log; ${ROWS}`)
      connection = new Pool({ ...server.options('reader'), max: 1 })
    }
    return async () => (connection instanceof Pool ? connection.end() : connection.close())
  })

  const tool = (options: Partial<ExecuteSqlToolOptions>) => executeSqlTool({ connection, ...options })
  const input = (sql: string, params: readonly unknown[]) => ({
    sql: engine === 'SQLite' ? sql : sql.replaceAll('?', () => `$${(place += 1)}`),
    params,
  })
  let place = 0
  beforeEach(() => {
    place = 0
  })

  it.each<[string, readonly unknown[], Partial<ExecuteSqlToolOptions>, Partial<SqlResult>]>([
    [
      'select id, name, bytes from users order by id',
      [],
      {},
      {
        columns: ['id', 'name', 'bytes'],
        rows: [
          [1, 'Ada', null],
          [2, 'Grace', null],
        ],
        truncated: false,
      },
    ],
    ['select count(*), sum(id), 9007199254740993, 0.5 from users', [], {}, { rows: [[2, 3, '9007199254740993', 0.5]] }],
    ['select name from users where id = ?', [2], {}, { rows: [['Grace']] }],
    ['select 7 / ?, id from users where id = ? limit ?', [2, 1, 1], {}, { rows: [[3, 1]] }],
    ["select coalesce(?, '') || 'x', 1.5 * ?", [1, 3], {}, { rows: [['1x', 4.5]] }],
    ['select id as a, name as a from users where id = 1', [], {}, { columns: ['a', 'a'], rows: [[1, 'Ada']] }],
    ['select name from users where id > 5', [], {}, { columns: ['name'], rows: [], truncated: false }],
    ['select id from users order by id', [], { maxRows: 1 }, { rows: [[1]], truncated: true }],
    ['select id from users', [], { maxRows: 2 }, { truncated: false }],
    ['select name from users order by id', [], { maxBytes: 8 }, { rows: [['Ada']], truncated: true }],
    [
      `insert into users (id, name) values (?, 'x'), (4, 'y')`,
      [3],
      { access: 'write' },
      { columns: [], rows: [], changes: 2 },
    ],
    [
      `insert into users (id, name) values (?, 'x') returning id, name`,
      [3],
      { access: 'write' },
      { rows: [[3, 'x']], changes: 1 },
    ],
    [`update users set name = 'x' returning id`, [], { access: 'write', maxRows: 1 }, { truncated: true, changes: 2 }],
    [`update users set name = 'x' where id = ?`, [9], { access: 'write' }, { changes: 0 }],
    [
      'with old as (select 1 as id) delete from users where id in (select id from old)',
      [],
      { access: 'write' },
      { changes: 1 },
    ],
    ['select 1', [], { access: 'write' }, { rows: [[1]] }],
  ])('[TOOL-4] returns the same on both engines: %s %j %j', async (sql, params, options, expected) => {
    const result = await resultOf<SqlResult>(tool(options), input(sql, params))
    expect(result).toMatchObject(expected)
    expect('changes' in result).toBe('changes' in expected)
  })

  it.each<[string, readonly unknown[], string]>([
    ['update users set name = ?', [], 'INPUT_INVALID'],
    ['update users set name = ?', ['x', 'y'], 'INPUT_INVALID'],
    [`update users set name = 'x'`, ['y'], 'INPUT_INVALID'],
    ['select 1; select 2', [], 'NOT_ALLOWED'],
    ['drop table users', [], 'NOT_ALLOWED'],
    ['select missing from users', [], 'FAILED'],
    ['insert into users (id, name) values (9, null)', [], 'FAILED'],
  ])('[TOOL-4, ABUSE-89, ABUSE-153] refuses the same on both engines: %s %j', async (sql, params, code) => {
    expect(await codeOf(tool({ access: 'write' }), input(sql, params))).toBe(code)
    const names = await resultOf<SqlResult>(tool({}), { sql: 'select name from users order by id' })
    expect(names.rows).toEqual([['Ada'], ['Grace']])
  })

  it.each([`update users set name = 'x'`, 'delete from users returning *'])(
    '[TOOL-4, ABUSE-89] refuses the same on both engines unless the host allows changes: %s',
    async (sql) => {
      expect(await codeOf(tool({}), { sql })).toBe('NOT_ALLOWED')
    },
  )
})
