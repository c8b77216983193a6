import type { ToolArgument } from '../ports/tool.ts'

/** Tools that are known by name, without being told. */
export interface WellKnownTool {
  readonly names: readonly string[]
  /** What they stand for; a list: all of these together. Absent: nothing that is certain. */
  readonly as?: string | readonly string[]
  /** The argument whose value tells which of `uses` a call is. */
  readonly by?: string
  readonly uses?: Readonly<Record<string, string>>
  /** Tools of the same framework. `as` holds only where the host has all of them: alone, the name may mean anything. */
  readonly beside?: readonly string[]
  /** What they may be as well, for rules that deny. */
  readonly maybe?: readonly string[]
  /** The command that a call amounts to, for rules that deny commands. */
  readonly command?: string
  /** What a rule's pattern is compared with. */
  readonly argument?: ToolArgument
}

const SHELL: ToolArgument = { argument: ['command', 'cmd'], kind: 'shell' }
const FILE: ToolArgument = {
  argument: ['file_path', 'filePath', 'path', 'filename', 'file', 'absolute_path', 'target_file'],
  kind: 'path',
}
const READ: ToolArgument = { ...FILE, reads: true }
const READ_MANY: ToolArgument = { argument: ['paths', 'include'], kind: 'path', reads: 'below' }
const MOVE: ToolArgument = { argument: ['source', 'destination'], kind: 'path' }
const NOTEBOOK: ToolArgument = { argument: ['notebook_path', 'file_path', 'path'], kind: 'path' }
const GLOB: ToolArgument = { argument: ['pattern', 'path', 'dir_path'], kind: 'path' }
const GREP: ToolArgument = { argument: ['path', 'dir_path'], kind: 'path', reads: 'below' }
const FOLDER: ToolArgument = { argument: ['path', 'dir_path', 'directory'], kind: 'path' }
const URL: ToolArgument = { argument: 'url', kind: 'url' }
const QUERY: ToolArgument = { argument: 'query', kind: 'text' }
const AGENT: ToolArgument = { argument: ['subagent_type', 'agent_name'], kind: 'text' }
const EDITOR: ToolArgument = { argument: 'path', kind: 'path', reads: true }
const REPOSITORY: ToolArgument = { argument: 'repo_path', kind: 'path' }

/** The files of deepagents, which all its agents have. */
const DEEPAGENTS = ['ls', 'read_file', 'write_file', 'edit_file', 'glob', 'grep']
/** Tools of gemini-cli that are called so nowhere else. */
const GEMINI = ['run_shell_command', 'grep_search', 'write_file', 'read_file']
/** Tools of MCP's file system server that are called so nowhere else. */
const MCP_FILES = ['read_text_file', 'read_multiple_files', 'list_allowed_directories']

/**
 * The tools of well-known clients, frameworks and servers, and what is known of other common names. What skills call a
 * tool is the name that it has in Claude Code. Looked up in: `sdk-tools.d.ts` of @anthropic-ai/claude-agent-sdk 0.3.330
 * (Claude Code), deepagents 1.14.1, bash-tool 1.3.19, @modelcontextprotocol/server-filesystem 2026.8.31, mcp-server-git
 * (its README), @google/gemini-cli-core 0.61.0, openai/codex (`codex-rs/tools`), @openai/agents-core 0.20.0,
 * @anthropic-ai/sdk 1.12.0, @repertoire/tools, @mastra/core 1.71.0, @strands-agents/sdk 1.16.0, @google/adk 2.0.0. Names that none of them
 * has, or that mean different things, stand for nothing: what they may be counts for rules that deny alone.
 *
 * Tools that search files show their lines: with a script of an active skill as their path, or a folder of the skill
 * with scripts in it, they would show these whole, and are refused. So is a search with a pattern that
 * names the skill's folder or a script. A search in a folder above the skill's, a whole project's, stays allowed, also
 * for all files of a type (`*.py`), though it may show lines of a script that lies there: scripts are kept from the model so
 * that it runs them instead of spending its context on them, and a project that cannot be searched costs more than that.
 */
export const WELL_KNOWN_TOOLS: readonly WellKnownTool[] = [
  // Claude Code; bash-tool, Anthropic's bash tool and Strands (`bash`).
  { names: ['Bash'], as: 'Bash', argument: SHELL },
  // gemini-cli; codex; codex, OpenAI's shell tool and Strands; OpenAI's sandbox and codex; Mastra's workspace.
  {
    names: ['run_shell_command', 'shell_command', 'shell', 'exec_command', 'mastra_workspace_execute_command'],
    as: 'Bash',
    argument: { ...SHELL, argument: ['command', 'cmd', 'commands'] },
  },
  { names: ['execute'], as: 'Bash', beside: DEEPAGENTS, maybe: ['Bash'], argument: SHELL },
  {
    names: ['sh', 'terminal', 'bash_tool', 'exec', 'execute_bash', 'run_command', 'run_terminal_cmd'],
    maybe: ['Bash'],
    argument: SHELL,
  },
  // Claude Code: it runs a command and tells what that prints. codex: what goes to a command that runs.
  { names: ['Monitor'], maybe: ['Bash'], argument: SHELL },
  { names: ['write_stdin'], maybe: ['Bash'], argument: { argument: 'chars', kind: 'shell' } },

  // @repertoire/tools, which starts a program with a list of arguments; others are given a command line.
  {
    names: ['execute_command'],
    maybe: ['Bash'],
    argument: { ...SHELL, program: { name: 'program', args: 'args' } },
  },

  // Claude Code; Anthropic's agent tools (`read`).
  { names: ['Read'], as: 'Read', argument: READ },
  // deepagents, gemini-cli, MCP's file system, bash-tool (`readFile`); MCP's file system; Mastra; codex, OpenAI's sandbox.
  {
    names: ['read_file', 'read_text_file', 'read_media_file', 'mastra_workspace_read_file', 'view_image'],
    as: 'Read',
    argument: READ,
  },
  // gemini-cli; MCP's file system.
  { names: ['read_many_files', 'read_multiple_files'], as: 'Read', argument: READ_MANY },
  {
    names: 'view view_file open_file cat show_file fs_read file_read get_file get_file_contents'.split(' '),
    maybe: ['Read'],
    argument: READ,
  },
  { names: ['NotebookRead'], as: 'NotebookRead', maybe: ['Read'], argument: { ...NOTEBOOK, reads: true } },
  // MCP's file system; Mastra. They tell of a file what it is, and not what it holds.
  { names: ['get_file_info', 'mastra_workspace_file_stat'], maybe: ['LS', 'Read'], argument: FILE },

  { names: ['Write'], as: 'Write', argument: FILE },
  // deepagents, gemini-cli, MCP's file system, bash-tool (`writeFile`); Mastra.
  { names: ['write_file', 'mastra_workspace_write_file'], as: 'Write', argument: FILE },
  {
    names: ['create_file', 'append_file', 'save_file', 'fs_write', 'file_write', 'write_to_file'],
    maybe: ['Write', 'Edit'],
    argument: FILE,
  },
  // Claude Code has no tool that removes. deepagents (`delete`); Mastra.
  {
    names: ['delete', 'delete_file', 'file_delete', 'delete_path', 'remove_file', 'mastra_workspace_delete'],
    maybe: ['Write', 'Edit'],
    argument: FILE,
  },
  // MCP's file system; Mastra.
  { names: ['create_directory', 'mastra_workspace_mkdir'], maybe: ['Write'], argument: FOLDER },
  // MCP's file system (`move_file`). What was moved or copied can be read where it is then.
  {
    names: ['move_file', 'copy_file', 'rename_file', 'file_move', 'file_copy', 'move_path', 'copy_path'],
    maybe: ['Read', 'Write', 'Edit'],
    argument: MOVE,
  },
  { names: ['Edit'], as: 'Edit', argument: FILE },
  { names: ['MultiEdit'], as: 'MultiEdit', maybe: ['Edit'], argument: FILE },
  // deepagents, MCP's file system; Mastra.
  { names: ['edit_file', 'mastra_workspace_edit_file', 'mastra_workspace_ast_edit'], as: 'Edit', argument: FILE },
  { names: ['replace'], as: 'Edit', beside: GEMINI, maybe: ['Edit'], argument: FILE },
  // Editors and their extensions.
  {
    names: (
      'search_replace search_and_replace replace_in_file replace_string_in_file insert_edit_into_file ' +
      'insert_content apply_diff file_edit'
    ).split(' '),
    maybe: ['Edit'],
    argument: FILE,
  },
  // codex, OpenAI. A patch names the files, and makes and removes some: no argument tells where it writes.
  { names: ['apply_patch'], as: ['Edit', 'Write'] },
  { names: ['NotebookEdit'], as: 'NotebookEdit', maybe: ['Edit'], argument: NOTEBOOK },
  { names: ['edit_notebook'], maybe: ['NotebookEdit', 'Edit'], argument: NOTEBOOK },
  // Anthropic's text editor, of both generations; Strands (`fileEditor`).
  {
    names: ['str_replace_based_edit_tool', 'str_replace_editor', 'file_editor'],
    by: 'command',
    uses: { view: 'Read', create: 'Write', str_replace: 'Edit', insert: 'Edit', undo_edit: 'Edit' },
    argument: EDITOR,
  },

  // @repertoire/tools. What is renamed or deleted is covered by no rule for another tool.
  {
    names: ['file_operations'],
    by: 'operation',
    uses: { read: 'Read', list: 'LS', write: 'Write', edit: 'Edit' },
    argument: { argument: ['path', 'destination'], kind: 'path', reads: true },
  },

  // Claude Code, deepagents, gemini-cli, Anthropic's agent tools.
  { names: ['Glob'], as: 'Glob', argument: GLOB },
  { names: ['find_files', 'file_search'], maybe: ['Glob'], argument: GLOB },
  // By name in MCP's file system, by content in other clients.
  { names: ['search_files'], as: 'Glob', beside: MCP_FILES, maybe: ['Glob', 'Grep'], argument: GREP },
  // Claude Code, deepagents, Anthropic's agent tools.
  { names: ['Grep'], as: 'Grep', argument: GREP },
  // gemini-cli; the name that it had before; Mastra.
  { names: ['grep_search', 'search_file_content', 'mastra_workspace_grep'], as: 'Grep', argument: GREP },
  { names: ['search'], maybe: ['Grep', 'WebSearch'], argument: GREP },
  // Claude Code once had it; deepagents (`ls`).
  { names: ['LS'], as: 'LS', argument: FOLDER },
  // gemini-cli, MCP's file system; MCP's file system; codex; Mastra.
  {
    names: ['list_directory', 'list_directory_with_sizes', 'directory_tree', 'list_dir', 'mastra_workspace_list_files'],
    as: 'LS',
    argument: FOLDER,
  },
  { names: ['list_files'], maybe: ['LS', 'Glob'], argument: FOLDER },

  // Claude Code; gemini-cli and Anthropic (`web_fetch`), of which the first takes a text with addresses in it.
  { names: ['WebFetch'], as: 'WebFetch', argument: URL },
  // ADK.
  { names: ['load_web_page'], as: 'WebFetch', argument: URL },
  // Strands. It sends as well.
  {
    names: ['http_request', 'fetch', 'fetch_url', 'http_get', 'fetch_webpage', 'requests_get', 'browser_navigate'],
    maybe: ['WebFetch'],
    argument: URL,
  },
  // @repertoire/tools, MCP's database servers.
  { names: ['execute_sql'], argument: { argument: ['sql', 'query'], kind: 'sql' } },
  // Claude Code; Anthropic (`web_search`).
  { names: ['WebSearch'], as: 'WebSearch', argument: QUERY },
  // gemini-cli; ADK.
  { names: ['google_web_search', 'google_search'], as: 'WebSearch', argument: QUERY },

  // Claude Code; gemini-cli; codex.
  { names: ['AskUserQuestion'], as: 'AskUserQuestion' },
  { names: ['ask_user', 'ask_user_question', 'request_user_input'], as: 'AskUserQuestion' },
  // Claude Code, which called it Task before; deepagents (`task`); gemini-cli; codex.
  { names: ['Agent', 'Task'], as: 'Agent', argument: AGENT },
  { names: ['invoke_agent', 'spawn_agent'], as: 'Agent', argument: AGENT },
  // Claude Code; deepagents and gemini-cli; codex.
  { names: ['TodoWrite'], as: 'TodoWrite' },
  { names: ['write_todos', 'update_plan'], as: 'TodoWrite' },
  { names: ['TodoRead'], as: 'TodoRead' },
  { names: ['read_todos'], as: 'TodoRead' },

  // MCP's git server. In Claude Code these are commands; a rule that allows a command says nothing of another repository.
  ...(
    'git_status git_diff_unstaged git_diff_staged git_diff git_commit git_commit_signed git_add ' +
    'git_reset git_log git_create_branch git_checkout git_show git_branch'
  )
    .split(' ')
    .map((name) => ({ names: [name], maybe: ['Bash'], command: gitCommand(name), argument: REPOSITORY })),
]

/** The command that does what a tool of MCP's git server does. */
function gitCommand(tool: string): string {
  const other = new Map([
    ['git_diff_unstaged', 'git diff'],
    ['git_diff_staged', 'git diff'],
    ['git_commit_signed', 'git commit'],
    ['git_create_branch', 'git branch'],
  ])
  return other.get(tool) ?? tool.replace('_', ' ')
}

let index: ReadonlyMap<string, WellKnownTool> | undefined

/** What is known of a name, in any case, its words joined in any way: `readFile`, `read_file` and `read-file` are one. */
export function wellKnownTool(name: string): WellKnownTool | undefined {
  index ??= new Map(WELL_KNOWN_TOOLS.flatMap((tool) => tool.names.map((each) => [joined(each), tool] as const)))
  return index.get(joined(name))
}

function joined(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replace(/[_-]/g, '')
}
