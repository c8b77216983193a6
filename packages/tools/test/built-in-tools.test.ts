import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type FunctionTool, memorySource, openRepertoire } from '@repertoire/core'
import { adapterSession } from '@repertoire/core/adapter'
import { describe, expect, it } from 'vitest'
import { builtInTools } from '../src/index.ts'
import { codeOf, run } from './run.ts'
import { root, useTemporaryFolder, write } from './temporary-folder.ts'

useTemporaryFolder()

const names = (tools: readonly FunctionTool[]): readonly string[] => tools.map(({ name }) => name)

describe('the built-in tools', () => {
  it('[TOOL-5] are one list, and each can be left out', () => {
    const connection = new DatabaseSync(join(root, 'data.db'))
    const all = builtInTools({ command: { programs: ['true'] }, sql: { connection } })
    expect(names(all)).toEqual(['http_request', 'file_operations', 'execute_command', 'execute_sql'])
    expect(names(builtInTools())).toEqual(['http_request', 'file_operations'])
    expect(names(builtInTools({ http: false, files: false, sql: { connection } }))).toEqual(['execute_sql'])
    expect(builtInTools({ http: false, files: false, command: false, sql: false })).toEqual([])
    connection.close()
  })

  it('[TOOL-6] are function tools, with a JSON Schema that takes an object and nothing unknown', () => {
    for (const tool of builtInTools({ command: { programs: ['true'] } })) {
      const { description, inputSchema, risk } = tool
      expect([typeof description, typeof tool.execute, risk]).toEqual(['string', 'function', 'risky'])
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.parse(JSON.stringify(inputSchema))).toEqual(inputSchema)
      expect(Object.keys(inputSchema)).not.toContain('$schema')
    }
  })

  it('[TOOL-5] say success, result or error, and how long it took', async () => {
    const [files] = builtInTools({ http: false, files: { roots: [root] } })
    expect(await run(files!, { operation: 'read', path: 'none' })).toEqual({
      success: false,
      error: { code: 'NOT_FOUND', message: expect.stringContaining('is not there') },
      durationMs: expect.any(Number),
    })
    expect(await run(files!, { operation: 'list', path: '.' })).toEqual({
      success: true,
      result: { path: root, entries: [], truncated: false },
      durationMs: expect.any(Number),
    })
    expect(await codeOf(files!, undefined)).toBe('INPUT_INVALID')
    await expect(run(files!, {}, AbortSignal.abort(new Error('over')))).rejects.toThrow('over')
  })

  it('[TOOL-5, GATE-1] are held by a session like all tools of the host', async () => {
    write('notes.md', 'hello')
    const manifest = (rules: string): object => ({
      'SKILL.md': `---\nname: notes\ndescription: Keeps notes.\nallowed-tools: ${rules}\n---\nRead them.\n`,
    })
    const skills = { notes: manifest('Read(notes.md) execute_command(cat notes.md)') as Record<string, string> }
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', id: 'tests', skills })] })
    const tools = builtInTools({ files: { roots: [root] }, command: { programs: ['cat'], roots: [root] } })
    const outcomes = await repertoire.runTask({ consent: () => true, cwd: root }, async (session) => {
      let id = 0
      // A step for each call: what is activated in one restricts the next.
      const call = async (tool: string, input: object): Promise<unknown> => {
        await adapterSession(session).step({ tools: names(tools) })
        const callId = `${id++}`
        const found = tools.find(({ name }) => name === tool)
        const outcome = await session.call({ id: callId, tool, input }, () => found?.execute(input, { callId }))
        return outcome.ok
          ? ((outcome.value as { success?: boolean } | undefined)?.success ?? true)
          : outcome.refusal.code
      }
      return [
        await call('activate_skill', { name: 'notes' }),
        await call('file_operations', { operation: 'read', path: 'notes.md' }),
        await call('file_operations', { operation: 'write', path: 'other.md', content: 'x' }),
        await call('execute_command', { program: 'cat', args: ['notes.md'] }),
        await call('execute_command', { program: 'cat', args: ['/etc/passwd'] }),
        await call('http_request', { url: 'https://example.com' }),
      ]
    })
    expect(outcomes).toEqual([true, true, 'TOOL_NOT_ALLOWED', true, 'TOOL_NOT_ALLOWED', 'TOOL_NOT_ALLOWED'])
  })
})
