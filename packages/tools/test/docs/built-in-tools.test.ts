import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { codeOf, resultOf } from '../run.ts'
import { base, root, useTemporaryFolder, write } from '../temporary-folder.ts'
import { projectTools } from './built-in-tools-example.ts'
import { openTools } from './readme-example.ts'

useTemporaryFolder()

it('[ADPT-4, TOOL-5] the program of the page makes the four tools, held as it says', async () => {
  write('package-lock.json', '{}')
  const database = new DatabaseSync(join(base, 'data.db'))
  database.exec('create table t (a)')
  const [http, files, command, sql] = projectTools(root, database)
  expect(await codeOf(http!, { url: 'https://other.example' })).toBe('NOT_ALLOWED')
  expect(await codeOf(files!, { operation: 'delete', path: 'package-lock.json' })).toBe('NOT_ALLOWED')
  expect(await resultOf(command!, { program: 'ls' })).toMatchObject({ exitCode: 0, stdout: 'package-lock.json\n' })
  expect(await resultOf(sql!, { sql: 'select count(*) as n from t' })).toMatchObject({ columns: ['n'], rows: [[0]] })
  expect(await codeOf(sql!, { sql: 'drop table t' })).toBe('NOT_ALLOWED')
  database.close()
})

it('[ADPT-4, TOOL-5] the program of the README makes three', () => {
  expect(openTools(root).map(({ name }) => name)).toEqual(['http_request', 'file_operations', 'execute_command'])
})
