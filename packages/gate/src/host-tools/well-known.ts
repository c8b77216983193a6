import type { ToolArgument } from '../ports/tool.ts'

/** Tools that are known by name, without being told. */
export interface WellKnownTool {
  readonly names: readonly string[]
  /** What they are mapped to. Absent: nothing certain. */
  readonly as?: string
  /** The argument whose value tells which of `uses` a call is. */
  readonly by?: string
  readonly uses?: Readonly<Record<string, string>>
  /** What they may be as well, for rules that deny. */
  readonly maybe?: readonly string[]
  /** What a rule's pattern is compared with. */
  readonly argument?: ToolArgument
}

const SHELL: ToolArgument = { argument: ['command', 'cmd'], kind: 'shell' }
const SHELLS: ToolArgument = { argument: ['command', 'cmd', 'commands'], kind: 'shell' }
const FILE: ToolArgument = {
  argument: ['file_path', 'filePath', 'path', 'filename', 'file', 'absolute_path', 'target_file'],
  kind: 'path',
}
const READ: ToolArgument = { ...FILE, reads: true }
const NOTEBOOK: ToolArgument = { argument: ['notebook_path', 'file_path', 'path'], kind: 'path' }
const GLOB: ToolArgument = { argument: ['pattern', 'path', 'dir_path'], kind: 'path' }
const GREP: ToolArgument = { argument: ['path', 'dir_path'], kind: 'path', reads: 'below' }
const FOLDER: ToolArgument = { argument: ['path', 'dir_path', 'directory'], kind: 'path' }
const URL: ToolArgument = { argument: 'url', kind: 'url' }
const QUERY: ToolArgument = { argument: 'query', kind: 'text' }
const AGENT: ToolArgument = { argument: ['subagent_type', 'agent_name'], kind: 'text' }

function known(names: string, meaning: Omit<WellKnownTool, 'names'>): WellKnownTool {
  return { names: names.split(' '), ...meaning }
}

/**
 * The tools of well-known clients, frameworks and servers, and what is known of other common names. What skills call a
 * tool is the name that it has in Claude Code. Looked up in: `sdk-tools.d.ts` of @anthropic-ai/claude-agent-sdk 0.3.330
 * (Claude Code), deepagents 1.14.1, bash-tool 1.3.19, @modelcontextprotocol/server-filesystem 2026.8.31,
 * @google/gemini-cli-core 0.61.0, openai/codex (`codex-rs/tools`), @openai/agents-core 0.20.0, @repertoire/tools,
 * @anthropic-ai/sdk 1.12.0, @mastra/core 1.71.0, @strands-agents/sdk 1.16.0, @google/adk 2.0.0. Names that mean
 * different things stand for nothing: what they may be counts for rules that deny alone.
 */
export const WELL_KNOWN_TOOLS: readonly WellKnownTool[] = [
  known('Bash', { as: 'Bash', argument: SHELL }),
  known('run_shell_command shell_command shell exec_command mastra_workspace_execute_command execute', {
    as: 'Bash',
    argument: SHELLS,
  }),
  // @repertoire/tools, which starts a program with a list of arguments; others are given a command line.
  known('execute_command', { maybe: ['Bash'], argument: { ...SHELL, program: { name: 'program', args: 'args' } } }),
  known('exec Monitor', { maybe: ['Bash'], argument: SHELL }),
  known('write_stdin', { maybe: ['Bash'], argument: { argument: 'chars', kind: 'shell' } }),

  known('Read read_file read_text_file read_media_file mastra_workspace_read_file view_image', {
    as: 'Read',
    argument: READ,
  }),
  known('read_many_files read_multiple_files', {
    as: 'Read',
    argument: { argument: ['paths', 'include'], kind: 'path', reads: 'below' },
  }),
  known('view view_file open_file cat show_file fs_read file_read get_file get_file_contents', {
    maybe: ['Read'],
    argument: READ,
  }),
  known('NotebookRead', { as: 'NotebookRead', maybe: ['Read'], argument: { ...NOTEBOOK, reads: true } }),
  known('get_file_info mastra_workspace_file_stat', { maybe: ['LS', 'Read'], argument: FILE }),

  known('Write write_file mastra_workspace_write_file', { as: 'Write', argument: FILE }),
  known(
    'create_file append_file save_file fs_write file_write write_to_file delete delete_file file_delete delete_path ' +
      'remove_file mastra_workspace_delete',
    { maybe: ['Write', 'Edit'], argument: FILE },
  ),
  known('create_directory mastra_workspace_mkdir', { maybe: ['Write'], argument: FOLDER }),
  // What was moved or copied can be read where it is then.
  known('move_file copy_file rename_file file_move file_copy move_path copy_path', {
    maybe: ['Read', 'Write', 'Edit'],
    argument: { argument: ['source', 'destination'], kind: 'path' },
  }),
  known('Edit edit_file mastra_workspace_edit_file mastra_workspace_ast_edit', { as: 'Edit', argument: FILE }),
  known('MultiEdit', { as: 'MultiEdit', maybe: ['Edit'], argument: FILE }),
  known(
    'replace search_replace search_and_replace replace_in_file replace_string_in_file insert_edit_into_file ' +
      'insert_content apply_diff file_edit',
    { maybe: ['Edit'], argument: FILE },
  ),
  // A patch names the files, and makes and removes some: no argument tells where it writes.
  known('apply_patch', { as: 'Edit', maybe: ['Write'] }),
  known('NotebookEdit', { as: 'NotebookEdit', maybe: ['Edit'], argument: NOTEBOOK }),
  known('edit_notebook', { maybe: ['NotebookEdit', 'Edit'], argument: NOTEBOOK }),
  known('str_replace_based_edit_tool str_replace_editor file_editor', {
    by: 'command',
    uses: { view: 'Read', create: 'Write', str_replace: 'Edit', insert: 'Edit', undo_edit: 'Edit' },
    argument: { argument: 'path', kind: 'path', reads: true },
  }),
  // @repertoire/tools. What is renamed or deleted is covered by no rule for another tool.
  known('file_operations', {
    by: 'operation',
    uses: { read: 'Read', list: 'LS', write: 'Write', edit: 'Edit' },
    argument: { argument: ['path', 'destination'], kind: 'path', reads: true },
  }),

  known('Glob', { as: 'Glob', argument: GLOB }),
  known('find_files file_search', { maybe: ['Glob'], argument: GLOB }),
  // By name in MCP's file system, by content in other clients.
  known('search_files', { maybe: ['Glob', 'Grep'], argument: GREP }),
  known('Grep grep_search search_file_content mastra_workspace_grep', { as: 'Grep', argument: GREP }),
  known('search', { maybe: ['Grep'], argument: GREP }),
  known('LS list_directory list_directory_with_sizes directory_tree list_dir mastra_workspace_list_files', {
    as: 'LS',
    argument: FOLDER,
  }),
  known('list_files', { maybe: ['LS', 'Glob'], argument: FOLDER }),

  known('WebFetch load_web_page', { as: 'WebFetch', argument: URL }),
  known('http_request fetch fetch_url http_get fetch_webpage requests_get browser_navigate', {
    maybe: ['WebFetch'],
    argument: URL,
  }),
  known('execute_sql', { argument: { argument: ['sql', 'query'], kind: 'sql' } }),
  known('WebSearch google_web_search google_search', { as: 'WebSearch', argument: QUERY }),

  known('AskUserQuestion ask_user ask_user_question request_user_input', { as: 'AskUserQuestion' }),
  known('Agent Task invoke_agent spawn_agent', { as: 'Agent', argument: AGENT }),
  known('TodoWrite write_todos update_plan', { as: 'TodoWrite' }),
  known('TodoRead read_todos', { as: 'TodoRead' }),
]

let index: ReadonlyMap<string, WellKnownTool> | undefined

/** What is known of a name, in any case, its words joined in any way: `readFile`, `read_file`, `read-file` are one. */
export function wellKnownTool(name: string): WellKnownTool | undefined {
  index ??= new Map(WELL_KNOWN_TOOLS.flatMap((tool) => tool.names.map((each) => [joined(each), tool] as const)))
  return index.get(joined(name)) ?? (runsCommands(name) ? RUNNER : undefined)
}

function joined(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replace(/[_-]/g, '')
}

/** Words of names that say that a tool runs commands or types into a terminal: a shell, or a verb and what it runs. */
const SHELL_WORDS = 'shell bash zsh sh fish cmd powershell pwsh terminal tmux'.split(' ')
const RUN_WORDS = 'run exec execute invoke start send spawn launch write type'.split(' ')
const COMMAND_WORDS = 'command commands process script stdin cli'.split(' ')
/** Words of tools that only describe a file. */
const TELL_WORDS = 'get read list output history status log logs kill'.split(' ')

const RUNNER: WellKnownTool = {
  names: [],
  maybe: ['Bash'],
  argument: {
    argument: ['command', 'cmd', 'commands', 'command_line', 'commandLine', 'script', 'text'],
    kind: 'shell',
  },
}

function runsCommands(name: string): boolean {
  const parts = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').toLowerCase()
  const words = parts.split(/[^a-z]+/)
  const has = (some: readonly string[]): boolean => some.some((word) => words.includes(word))
  if (has(TELL_WORDS) && !has(RUN_WORDS)) return false
  return has(SHELL_WORDS) || words.at(-1) === 'exec' || (has(RUN_WORDS) && has(COMMAND_WORDS))
}
