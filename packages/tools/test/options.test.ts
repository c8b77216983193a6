import { expect, it } from 'vitest'
import {
  builtInTools,
  executeCommandTool,
  executeSqlTool,
  fileOperationsTool,
  httpRequestTool,
  openBashTool,
  openBuiltInTools,
} from '../src/index.ts'

it.each<[() => unknown, string]>([
  [() => executeCommandTool({} as never), 'executeCommandTool: `programs` is missing. Give a list of program names'],
  [() => executeCommandTool(undefined as never), 'executeCommandTool: `programs` is missing.'],
  [() => executeCommandTool({ program: ['git'] } as never), 'Did you mean `programs`?'],
  [() => executeCommandTool({ programs: ['git'], timeout: '5' } as never), '`timeout` is "5".'],
  [
    () => httpRequestTool({ alow: ['x.com'] } as never),
    'httpRequestTool: unknown option `alow`. Did you mean `allow`?',
  ],
  [() => httpRequestTool({ allow: 'x.com' } as never), '`allow` is "x.com". Give a list of hosts.'],
  [() => fileOperationsTool({ protct: ['.env'] } as never), 'Did you mean `protect`?'],
  [() => executeSqlTool({} as never), 'executeSqlTool: `connection` is missing.'],
  [() => builtInTools({ htp: false } as never), 'Did you mean `http`?'],
  [
    () => builtInTools({ http: { alow: [] } } as never),
    'builtInTools: unknown option `http.alow`. Did you mean `http.allow`?',
  ],
])('[CFG-1, ABUSE-133] a tool refuses wrong options: %s', (create, message) => {
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})

it('[CFG-1, ABUSE-133] a shell is not opened with wrong options', async () => {
  const opened: string[] = []
  const runner = (): never => {
    opened.push('runner')
    throw new Error('opened')
  }
  const workspace = { path: '.', acess: 'write' }
  await expect(openBashTool({ workspace, runner })).rejects.toThrow('Did you mean `workspace.access`?')
  await expect(openBuiltInTools({ bash: { workspace: { path: '.', hid: [] }, runner } } as never)).rejects.toThrow(
    'openBuiltInTools: unknown option `bash.workspace.hid`. Did you mean `bash.workspace.hide`?',
  )
  expect(opened).toEqual([])
})
