import { describe, expect, test } from 'vitest'
import { hostRules, mayUse, type HostToolsOptions, type Policy, NO_POLICY } from '../../src/internal.ts'
import { permits, type PolicyVerdict } from '../permits.ts'
import { rule } from '../rules.ts'
import { toolset } from '../toolset.ts'

type Tools = HostToolsOptions['toolMap']

/** A host that calls nothing as skills do. */
const OWN = {
  readDoc: 'Read',
  putDoc: { as: 'Write', argument: 'doc' },
  runCommand: { as: 'Bash', argument: 'cmd' },
  searchCode: { as: 'Grep', argument: 'dir' },
  deploy: { argument: 'target', kind: 'text' },
} as const satisfies Tools
const NAMES = ['readDoc', 'putDoc', 'runCommand', 'searchCode', 'deploy', 'sendMail']

const allowing = (...rules: string[]): Policy => ({ ...NO_POLICY, lists: [{ skill: 's', rules: rules.map(rule) }] })
const denying = (...rules: string[]): Policy => ({
  ...NO_POLICY,
  lists: [],
  denied: [{ skill: 's', rules: rules.map(rule) }],
})

async function judge(
  policy: Policy,
  tool: string,
  input: unknown,
  { tools = OWN, names = NAMES }: { tools?: Tools; names?: readonly string[] } = {},
): Promise<PolicyVerdict> {
  return permits(policy, { tool, input }, { tools: toolset(tools, names), cwd: '/p' })
}
const allows = async (...call: Parameters<typeof judge>): Promise<boolean> => (await judge(...call)).allowed

describe('rules that allow', () => {
  test.each([
    ['Read', 'readDoc', { path: 'a' }],
    ['Read(docs/**)', 'readDoc', { file_path: 'docs/a' }],
    ['Write(docs/**)', 'putDoc', { doc: 'docs/a', content: '/etc/x' }],
    ['Bash', 'runCommand', { cmd: 'id' }],
    ['bash(git log:*)', 'runCommand', { cmd: 'git log -3' }],
    ['Grep(src/**)', 'searchCode', { dir: 'src/a' }],
    ['deploy(staging)', 'deploy', { target: 'staging' }],
    ['runCommand(git:*)', 'RUNCOMMAND', { cmd: 'git log' }],
    // As other clients call it, of which this host has none.
    ['read_file', 'readDoc', { path: 'a' }],
    ['run_shell_command(git:*)', 'runCommand', { cmd: 'git log' }],
  ])('[GATE-9] %s allows %s %j', async (allowed, tool, input) => {
    expect(await judge(allowing(allowed), tool, input)).toEqual({ allowed: true })
  })

  test.each([
    ['Read(docs/**)', 'readDoc', { file_path: 'src/a' }],
    ['Write(docs/**)', 'putDoc', { path: 'docs/a' }],
    ['Write(docs/**)', 'putDoc', { doc: 'docs/a', path: '/etc/x' }],
    ['Bash(git log:*)', 'runCommand', { cmd: 'git push' }],
    ['Bash(git log:*)', 'runCommand', { command: 'git log' }],
    ['Grep', 'readDoc', { path: 'a' }],
    ['Read', 'sendMail', {}],
    ['Write', 'deploy', { target: 'a' }],
    // An unknown meaning is none.
    ['search', 'searchCode', { dir: 'a' }],
  ])('[GATE-9] %s does not allow %s %j', async (allowed, tool, input) => {
    expect(await allows(allowing(allowed), tool, input)).toBe(false)
  })

  test('[GATE-9, GATE-7] a refusal names the tools as the host does', async () => {
    expect(await judge(allowing('Read', 'Write(docs/**)', 'WebSearch'), 'runCommand', { cmd: 'id' })).toEqual({
      allowed: false,
      skill: 's',
      reason:
        '"runCommand" may not be used while the skill "s" is active: it allows only readDoc, putDoc(docs/**), WebSearch.',
      allowedTools: ['readDoc', 'putDoc(docs/**)', 'WebSearch'],
    })
    expect(await judge(allowing('Bash(git:*)'), 'runCommand', { cmd: 'id' })).toMatchObject({
      reason:
        '"runCommand" may only be used as runCommand(git:*) while the skill "s" is active; the command "id" is not covered by a rule. Only a rule such as "Bash(id:*)" or "Bash(id)" would permit it.',
      allowedTools: ['runCommand(git:*)'],
    })
  })

  test('[GATE-9, GATE-1] tools are hidden by what they stand for', () => {
    const tools = toolset(OWN, NAMES)
    const shown = (policy: Policy): readonly string[] => NAMES.filter((name) => mayUse(policy, name, tools))
    expect(shown(allowing('Read', 'Bash(git:*)'))).toEqual(['readDoc', 'runCommand'])
    expect(shown(denying('Read', 'Bash(git:*)'))).toEqual(['putDoc', 'runCommand', 'searchCode', 'deploy', 'sendMail'])
  })
})

describe('rules that deny', () => {
  test.each([
    ['Bash', 'runCommand', { cmd: 'ls' }],
    ['Bash(git push:*)', 'runCommand', { cmd: 'sudo git push' }],
    ['Read(.env)', 'readDoc', { path: './.env' }],
    ['Write(.env)', 'putDoc', { other: 1 }],
    ['runCommand', 'runCommand', { cmd: 'ls' }],
    ['run*', 'runCommand', { cmd: 'ls' }],
    ['Bas*', 'runCommand', { cmd: 'ls' }],
    ['terminal', 'runCommand', { cmd: 'ls' }],
  ])('[GATE-9, MAN-7] %s denies %s %j', async (denied, tool, input) => {
    expect(await allows(denying(denied), tool, input)).toBe(false)
  })

  test.each([
    ['Bash(git push:*)', 'runCommand', { cmd: 'git log' }],
    ['Read(.env)', 'readDoc', { path: 'a' }],
    ['Read', 'sendMail', {}],
    ['run_*', 'runCommand', { cmd: 'ls' }],
  ])('[GATE-9, MAN-7] %s leaves %s %j', async (denied, tool, input) => {
    expect(await allows(denying(denied), tool, input)).toBe(true)
  })

  test.each([
    // A name that may mean several things.
    ['Grep', 'search', { path: 'a' }],
    ['Grep(src/**)', 'search', { path: 'src/a' }],
    ['Bash(git push:*)', 'exec', { command: 'git push' }],
    ['Write(docs/**)', 'delete_file', { path: 'docs/a' }],
    ['Edit', 'replace', { file_path: 'a' }],
    // A server's tool of a name that is known.
    ['Bash(git push:*)', 'mcp__box__run_shell_command', { command: 'git push' }],
    ['Read(.env)', 'mcp__files__read_file', { path: '.env' }],
    // What it may be elsewhere, it may be as a server's tool.
    ['Write(docs/**)', 'mcp__files__move_file', { source: 'docs/a', destination: 'b' }],
    ['Read(.env)', 'mcp__files__move_file', { source: '.env', destination: 'b' }],
    ['Write(docs/**)', 'mcp__files__create_directory', { path: 'docs/a' }],
    ['Glob(docs/**)', 'mcp__files__search_files', { path: 'docs' }],
    ['Bash(git push:*)', 'mcp__box__execute', { command: 'git push' }],
    ['WebFetch(domain:a.b)', 'mcp__fetch__fetch', { url: 'https://a.b' }],
    ['WebFetch(domain:a.b)', 'mcp__web__fetch', { host: 'a.b' }],
    ['WebFetch(domain:a.b)', 'mcp__web__fetch', { uri: 'https://a.b/c' }],
    ['Grep(src/**)', 'mcp__a__b__search', { path: 'src/a' }],
    ['Read(.env)', 'files__read_file', { path: '.env' }],
    ['Read(.env)', 'files.read_file', { path: '.env' }],
    // A name that says that it runs commands.
    ['Bash(git push:*)', 'run_in_terminal', { command: 'git push' }],
    ['Bash(git push:*)', 'executeShellCommand', { command: 'git push' }],
    ['Bash(git push:*)', 'PowerShell', { command: 'git push' }],
    ['Bash(git push:*)', 'start_process', { command: 'git push' }],
    ['Bash(git push:*)', 'run_in_terminal', { lines: ['git push'] }],
    ['Bash(git push:*)', 'mcp__box__run_in_terminal', { command: 'git push' }],
    ['Bash', 'mcp__box__terminal', { command: 'ls' }],
    ['Bash', 'container_exec', { cmd: ['ls'] }],
    ['Bash(git push:*)', 'write_stdin', { session_id: 1, chars: 'git push\n' }],
    // Editors of files by other names.
    ['Edit(docs/**)', 'NotebookEdit', { notebook_path: 'docs/a.ipynb' }],
    ['Edit(docs/**)', 'replace_string_in_file', { filePath: 'docs/a' }],
    ['Write(docs/**)', 'write_to_file', { path: 'docs/a' }],
  ])('[GATE-9] %s denies what %s %j may be, and allows nothing of it', async (named, tool, input) => {
    const host = { tools: {}, names: [tool, 'Other'] }
    expect(await allows(denying(named), tool, input, host)).toBe(false)
    expect(await allows(allowing(named), tool, input, host)).toBe(false)
  })

  test.each([
    ['WebSearch', 'search', { query: 'weather' }],
    ['Bash(git push:*)', 'git_log', { repo_path: '.' }],
    ['Bash(git push:*)', 'mcp__git__git_log', { repo_path: '.' }],
    ['Read(.env)', 'mcp__files__read_file', { path: 'a' }],
    ['Bash(git push:*)', 'mcp__box__run_shell_command', { command: 'git log' }],
    // Another tool that skills know.
    ['Read(.env)', 'Grep', { pattern: 'x', path: '.env' }],
    // Named alike by chance.
    ['Read', 'mcp__mail__send', {}],
    // A server's tool of a common name, and nothing that says that it is about files or commands.
    ['Grep(src/**)', 'mcp__web__search', { query: 'x' }],
    ['Grep', 'mcp__web__search', { query: 'x' }],
    ['Bash(git push:*)', 'mcp__postgres__execute', { sql: 'select 1' }],
    ['Write', 'mcp__mail__delete', { id: 7 }],
    ['WebFetch(domain:a.b)', 'mcp__git__fetch', { remote: 'origin' }],
    ['WebFetch(domain:a.b)', 'mcp__web__fetch', { uri: 'https://c.d/a.b' }],
    ['Bash(git push:*)', 'run_in_terminal', { command: 'git log' }],
    ['Bash', 'get_terminal_output', { id: 1 }],
    ['Bash', 'list_commands', {}],
    ['Bash', 'list_processes', {}],
    ['Write(docs/**)', 'mcp__files__move_file', { source: 'a', destination: 'b' }],
  ])('[GATE-9] %s leaves %s %j', async (denied, tool, input) => {
    expect(await allows(denying(denied), tool, input, { tools: {}, names: [tool] })).toBe(true)
  })

  test.each([
    ['Read(.env)', 'mcp__files__read_file', { path: 'a' }],
    ['Read(.env)', 'mcp__files__move_file', { source: 'a', destination: 'b' }],
  ])('[GATE-9] %s denies what %s %j may be if its input is nested too deep to be read', async (denied, tool, input) => {
    let deep: unknown = 'x'
    for (let depth = 0; depth < 120; depth++) deep = [deep]
    expect(await allows(denying(denied), tool, { ...input, x: deep }, { tools: {} })).toBe(false)
    expect(await allows(denying(denied), tool, { ...input, x: ['x'] }, { tools: {} })).toBe(true)
  })

  test('[GATE-9] leave a tool of a server for which the host switches off what is known', async () => {
    const call = ['mcp__files__read_file', { path: '.env' }] as const
    expect(await allows(denying('Read(.env)'), ...call, { tools: {} })).toBe(false)
    expect(await allows(denying('Read(.env)'), ...call, { tools: { mcp__files__read_file: false } })).toBe(true)
  })

  test.each([
    ['Edit(docs/**)', 'MultiEdit', { file_path: 'docs/a' }],
    ['Write(docs/**)', 'delete_file', { path: 'docs/a' }],
    ['Bash(git push:*)', 'execute_command', { command: 'git push' }],
  ])('[GATE-9] %s denies a tool that stands for %s, which may be the same', async (denied, as, input) => {
    expect(await allows(denying(denied), 'mine', input, { tools: { mine: as } })).toBe(false)
    expect(await allows(denying(denied), 'mine', input, { tools: { mine: 'Other' } })).toBe(true)
  })
})

describe('well-known tools', () => {
  test.each([
    ['Read', 'read_file'],
    ['Read', 'readFile'],
    ['Read', 'mastra_workspace_read_file'],
    ['Write', 'writeFile'],
    ['Edit', 'edit_file'],
    ['Bash', 'run_shell_command'],
    ['Bash', 'exec_command'],
    ['Grep', 'grep_search'],
    ['LS', 'list_directory'],
    ['WebFetch', 'web_fetch'],
    ['WebFetch', 'load_web_page'],
    ['WebSearch', 'google_web_search'],
    ['AskUserQuestion', 'ask_user'],
    ['TodoWrite', 'write_todos'],
    ['Task', 'Agent'],
    ['Agent', 'Task'],
  ])('[GATE-9] %s allows %s without a table', async (named, tool) => {
    expect(await allows(allowing(named), tool, {}, { tools: {}, names: [tool] })).toBe(true)
  })

  test.each(['search', 'replace', 'exec', 'fetch', 'view', 'delete', 'search_files', 'list_files', 'cat'])(
    '[GATE-9] %s may mean anything, and stands for nothing',
    async (tool) => {
      const all = ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch']
      expect(await allows(allowing(...all), tool, {}, { tools: {}, names: [tool] })).toBe(false)
      expect(await allows(allowing(tool), tool, {}, { tools: {}, names: [tool] })).toBe(true)
    },
  )

  test('[GATE-9] a host that says so knows better', async () => {
    const host = { tools: { read_file: false, exec: 'Bash' }, names: ['read_file', 'exec'] } as const
    expect(await allows(allowing('Read'), 'read_file', { path: 'a' }, host)).toBe(false)
    expect(await allows(denying('Read'), 'read_file', { path: 'a' }, host)).toBe(true)
    expect(await allows(allowing('Bash(git:*)'), 'exec', { command: 'git log' }, host)).toBe(true)
  })

  test('[GATE-9] a rule means the tool that has its very name, and no other', async () => {
    const host = { tools: {}, names: ['read_file', 'read_text_file'] }
    expect(await allows(allowing('read_file'), 'read_text_file', { path: 'a' }, host)).toBe(false)
    expect(await allows(allowing('Read'), 'read_text_file', { path: 'a' }, host)).toBe(true)
  })
})

describe('a tool that does several things', () => {
  const editor = { tools: {}, names: ['str_replace_based_edit_tool', 'bash'] }
  const call = (command: unknown, path = 'docs/a') => [{ command, path }, editor] as const
  const TOOL = 'str_replace_based_edit_tool'

  test('[GATE-9] is judged by what a call does', async () => {
    expect(await allows(allowing('Read'), TOOL, ...call('view'))).toBe(true)
    expect(await allows(allowing('Read'), TOOL, ...call('create'))).toBe(false)
    expect(await allows(allowing('Write(docs/**)'), TOOL, ...call('create'))).toBe(true)
    expect(await allows(allowing('Write(docs/**)'), TOOL, ...call('create', 'src/a'))).toBe(false)
    expect(await allows(allowing('Edit'), TOOL, ...call('str_replace'))).toBe(true)
    expect(await allows(denying('Edit'), TOOL, ...call('view'))).toBe(true)
    expect(await allows(denying('Edit'), TOOL, ...call('insert'))).toBe(false)
  })

  test.each([undefined, 'wipe', ['view'], 'VIEW', 1])('[GATE-9] does nothing certain with %j', async (command) => {
    const verdict = await judge(allowing('Read', 'Write', 'Edit'), TOOL, ...call(command))
    expect(verdict).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('argument "command": give "view"'),
    })
    expect(await allows(denying('Read(docs/**)'), TOOL, ...call(command))).toBe(false)
  })

  test('[GATE-9] is hidden where nothing of it may be used', () => {
    const tools = toolset({}, editor.names)
    expect(mayUse(allowing('Read'), TOOL, tools)).toBe(true)
    expect(mayUse(allowing('Bash'), TOOL, tools)).toBe(false)
    expect(mayUse(denying('Edit'), TOOL, tools)).toBe(true)
    expect(hostRules([rule('Read'), rule('Bash(git:*)')], tools).rules).toEqual([TOOL, 'bash(git:*)'])
  })

  test('[GATE-9] of a patch, rules for edits permit all, and rules that deny writing refuse all', async () => {
    const host = { tools: {}, names: ['apply_patch'] }
    expect(await allows(allowing('Edit'), 'apply_patch', { patch: 'x' }, host)).toBe(true)
    expect(await allows(allowing('Write'), 'apply_patch', { patch: 'x' }, host)).toBe(false)
    expect(await allows(allowing('Edit(docs/**)'), 'apply_patch', { patch: 'x' }, host)).toBe(false)
    expect(await allows(denying('Write(docs/**)'), 'apply_patch', { patch: 'x' }, host)).toBe(false)
  })
})
