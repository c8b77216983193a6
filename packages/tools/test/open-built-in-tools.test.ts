import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ScriptRunner } from '@repertoire/core'
import { virtualRunner } from '@repertoire/runners'
import { isMissing } from '@repertoire/test-servers'
import { expect, it } from 'vitest'
import { openBuiltInTools } from '../src/index.ts'
import { openProjectTools } from './docs/opened-tools-example.ts'
import { resultOf } from './run.ts'
import { useWorkspace, workspace } from './shell/workspace-folder.ts'

useWorkspace()

it('[TOOL-5] are opened in one list with the shell, and each can be left out', async () => {
  const connection = new DatabaseSync(join(workspace, 'data.db'))
  let closed = 0
  const runner = (): ScriptRunner => ({
    ...virtualRunner({ workspace: { path: workspace } }),
    close: async () => void closed++,
  })
  const bash = { workspace: { path: workspace }, runner }
  const names = async (options: Parameters<typeof openBuiltInTools>[0]): Promise<readonly string[]> => {
    await using opened = await openBuiltInTools(options)
    expect(opened.isolation?.name).toBe(options?.bash === undefined ? undefined : 'virtual shell')
    return opened.tools.map(({ name }) => name)
  }
  expect(await names({ command: { programs: ['true'] }, sql: { connection }, bash })).toEqual([
    'http_request',
    'file_operations',
    'execute_command',
    'execute_sql',
    'Bash',
  ])
  expect(await names({ http: false, files: false, bash })).toEqual(['Bash'])
  expect(closed).toBe(2)
  expect(await names({})).toEqual(['http_request', 'file_operations'])
  connection.close()
})

it('[TOOL-5] open nothing where one of them cannot be made', async () => {
  let opened = 0
  const runner = (): ScriptRunner => {
    opened++
    return virtualRunner()
  }
  const bash = { workspace: { path: workspace }, runner }
  await expect(openBuiltInTools({ command: { programs: [] }, bash })).rejects.toThrow('`programs` has no program')
  expect(opened).toBe(0)
})

it.skipIf(isMissing('bubblewrap'))(
  '[ADPT-4, TOOL-5] the program of the page has a shell in a sandbox (needs bubblewrap)',
  async () => {
    await using opened = await openProjectTools(workspace)
    expect(opened.isolation?.isolated).toBe(true)
    expect(await resultOf(opened.tools.at(-1)!, { command: 'echo hello' })).toMatchObject({ stdout: 'hello\n' })
  },
)
