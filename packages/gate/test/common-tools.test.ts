import { describe, expect, test } from 'vitest'
import { type ToolArgument, NO_POLICY } from '../src/internal.ts'
import { WELL_KNOWN_TOOLS } from '../src/internal/options.ts'
import { permits } from './permits.ts'
import { toolset } from './toolset.ts'

const hostTools = toolset()

async function allows(tool: string, pattern: string, input: Record<string, unknown>): Promise<boolean> {
  const policy = { ...NO_POLICY, lists: [{ skill: 's', rules: [{ tool, pattern }] }] }
  return (await permits(policy, { tool, input }, { tools: hostTools, cwd: '/p' })).allowed
}

/** Names of tools, the arguments that their rules speak of, the kind, and whether they show what they point at. */
const KNOWN: readonly (readonly [string, string, ToolArgument['kind'], ToolArgument['reads']])[] = [
  [
    'Bash shell sh terminal run_command execute_command run_shell_command run_terminal_cmd execute_bash bash_tool exec',
    'command cmd',
    'shell',
    undefined,
  ],
  [
    'Read read_file read_text_file read_media_file view view_file open_file cat show_file',
    'file_path path filename file absolute_path target_file',
    'path',
    true,
  ],
  ['read_many_files read_multiple_files', 'paths include', 'path', 'below'],
  ['str_replace_based_edit_tool str_replace_editor', 'path', 'path', true],
  ['NotebookRead', 'notebook_path file_path path', 'path', true],
  [
    'Write write_file Edit edit_file MultiEdit create_file delete_file append_file replace search_replace',
    'file_path path filename file absolute_path target_file',
    'path',
    undefined,
  ],
  ['NotebookEdit edit_notebook', 'notebook_path file_path path', 'path', undefined],
  ['move_file copy_file rename_file', 'source destination', 'path', undefined],
  ['Glob find_files file_search', 'pattern path', 'path', undefined],
  ['Grep search search_files grep_search', 'path', 'path', 'below'],
  ['LS ls list_directory list_dir list_files directory_tree', 'path dir_path directory', 'path', undefined],
  ['WebFetch web_fetch fetch fetch_url http_request http_get', 'url', 'url', undefined],
]

/** A pattern, a value that it covers and one that it does not. */
const SAMPLES: Readonly<Record<ToolArgument['kind'], readonly [string, string, string]>> = {
  shell: ['git:*', 'git log', 'id'],
  path: ['docs/**', 'docs/a', 'src/a'],
  url: ['domain:a.b', 'https://a.b/', 'https://c.d/'],
  sql: ['select *', 'select 1', 'drop table t'],
  text: ['a', 'a', 'b'],
}

describe('common tools', () => {
  const cases = KNOWN.flatMap(([tools, names, kind, reads]) =>
    tools.split(' ').map((tool) => [tool, names.split(' '), kind, reads] as const),
  )

  test.each(cases)('[GATE-3, ABUSE-44] %s is judged by %j, as a %s', async (tool, names, kind, reads) => {
    const [pattern, covered, other] = SAMPLES[kind]
    for (const name of names) {
      expect(await allows(tool, pattern, { [name]: covered })).toBe(true)
      expect(await allows(tool, pattern, { [name]: other })).toBe(false)
      // Of several that are there, every one has to be covered.
      for (const further of names)
        expect(await allows(tool, pattern, { [further]: covered, [name]: other })).toBe(false)
    }
    expect(await allows(tool, pattern, { another: covered })).toBe(false)
    expect(hostTools.find(tool).argument?.reads).toBe(reads)
  })

  test('[GATE-3] no tool is known under an empty name, and none has an argument without a name', () => {
    expect(hostTools.find('').argument).toBeUndefined()
    const names = WELL_KNOWN_TOOLS.flatMap(({ argument }) => argument?.argument ?? [])
    expect(names.filter((name) => !/^[a-zA-Z_]+$/.test(name))).toEqual([])
  })

  test('[GATE-3] an empty list of paths is an argument that is there and cannot be judged', async () => {
    expect(await allows('read_many_files', 'docs/**', { paths: [], include: 'docs/a' })).toBe(false)
    expect(await allows('read_many_files', 'docs/**', { paths: ['docs/a', 'docs/b'] })).toBe(true)
    expect(await allows('read_many_files', 'docs/**', { paths: ['docs/a', 'src/b'] })).toBe(false)
  })
})
