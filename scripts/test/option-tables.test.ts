import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { AGENT_OPTIONS as CLAUDE_AGENT_OPTIONS } from '../../packages/claude-agent/src/claude-agent.ts'
import { STORED_SESSION_OPTIONS } from '../../packages/core/src/repertoire/stored/stored-session.ts'
import { HOST_PROFILE_OPTIONS } from '../../packages/conformance/src/host/run.ts'
import { MCP_SOURCE_OPTIONS } from '../../packages/library/src/origins/mcp/source.ts'
import { ADD_OPTIONS } from '../../packages/library/src/install/add.ts'
import { FILE_STORE_OPTIONS } from '../../packages/library/src/store/file-store.ts'
import { BUBBLEWRAP_OPTIONS } from '../../packages/runners/src/bubblewrap/open.ts'
import { SANDBOX_OPTIONS } from '../../packages/runners/src/sandbox/runner.ts'
import { SEARCH_OPTIONS } from '../../packages/core/src/catalog/search.ts'
import { STORES_OPTIONS } from '../../packages/storage/src/stores.ts'
import { figureIn, readAll, readPages } from './pages.ts'

interface Row {
  readonly path: string
  readonly default: unknown
  readonly isRequired: boolean
}

const REPERTOIRE = 'core/src/repertoire/option-tables.ts REPERTOIRE_OPTIONS'
const SESSION = 'core/src/repertoire/option-tables.ts SESSION_OPTIONS'

/** Each table of options on a page: the page, its first option, whether it is complete, and where the code has it. */
const TABLES: readonly (readonly [page: string, first: string, isComplete: boolean, tables: readonly unknown[]])[] = [
  ['docs/audit.md', 'sink', true, [`${REPERTOIRE} audit.`]],
  ['docs/built-in-tools.md', 'allow', true, ['tools/src/http/request-tool.ts HTTP_REQUEST_OPTIONS']],
  ['docs/built-in-tools.md', 'roots', true, ['tools/src/files/operations-tool.ts FILE_OPERATIONS_OPTIONS']],
  ['docs/built-in-tools.md', 'programs', true, ['tools/src/command/execute-tool.ts EXECUTE_COMMAND_OPTIONS']],
  ['docs/built-in-tools.md', 'connection', true, ['tools/src/sql/execute-tool.ts EXECUTE_SQL_OPTIONS']],
  ['docs/built-in-tools.md', 'workspace', true, ['tools/src/shell/bash-tool.ts BASH_OPTIONS']],
  ['docs/indexes.md', 'client', true, [MCP_SOURCE_OPTIONS]],
  ['docs/install.md', 'project', false, [ADD_OPTIONS, 'library/src/install/restore.ts INSTALL_OPTIONS']],
  ['docs/library.md', 'root', true, [FILE_STORE_OPTIONS]],
  ['docs/long-conversations.md', 'summarizeAbove', true, [`${REPERTOIRE} context.summaries.`]],
  ['docs/origins.md', 'cwd', true, ['library/src/origins/options.ts ORIGIN_OPTIONS']],
  ['docs/rules-and-policy.md', 'policy.allow', false, [REPERTOIRE, SESSION]],
  ['docs/rules-and-policy.md', 'admit.tools', false, [REPERTOIRE]],
  ['docs/runners.md', 'workspace', true, [BUBBLEWRAP_OPTIONS]],
  ['docs/runners.md', 'isolated', false, [SANDBOX_OPTIONS]],
  ['docs/scripts.md', 'runner', true, [`${REPERTOIRE} scripts.`]],
  ['docs/search.md', 'limit', true, [SEARCH_OPTIONS]],
  ['docs/session-stores.md', 'store', false, [STORED_SESSION_OPTIONS]],
  ['docs/sessions.md', 'repertoire', false, [CLAUDE_AGENT_OPTIONS]],
  ['docs/sessions.md', 'id', true, [SESSION]],
  ['docs/sources.md', 'watch', false, [REPERTOIRE]],
  ['docs/storage.md', 'engine', true, [STORES_OPTIONS]],
  ['docs/sub-agents.md', 'subagents', true, ['react-loop/src/sub-agent.ts FORK_OPTIONS']],
  ['docs/testing-your-loader.md', 'hosts', true, [HOST_PROFILE_OPTIONS]],
  ['docs/turns.md', 'turns.triggers', false, [SESSION]],
  [
    'packages/react-loop/README.md',
    'protocol',
    false,
    ['react-loop/src/options.ts LOOP_OPTIONS', 'react-loop/src/options.ts RUN_OPTIONS'],
  ],
]

const importFrom = async (file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../packages', file)).href)) as Record<string, unknown>
const { optionRows } = (await importFrom('core/src/options/index.ts')) as {
  readonly optionRows: (table: unknown) => readonly Row[]
}

/** Returns the options of a table, or of `file CONSTANT`, or of `file CONSTANT prefix` for those below an option. */
async function rowsOf(table: unknown): Promise<readonly Row[]> {
  if (typeof table !== 'string') return optionRows(table)
  const [file = '', name = '', prefix = ''] = table.split(' ')
  const rows = optionRows((await importFrom(file))[name])
  return rows.flatMap((row) => (row.path.startsWith(prefix) ? [{ ...row, path: row.path.slice(prefix.length) }] : []))
}

interface Documented {
  readonly names: readonly string[]
  readonly shown: string
}

const pages = readPages()

/** The tables on pages whose head has an option and its default, by page and first option. */
const documented = new Map(
  pages.flatMap(({ path, text }) =>
    [...text.matchAll(/^\| option\b[^|]*\| default *\|.*\n.*\n((?:\|.*\n)+)/gm)].map(([, body = '']) => {
      const rows = body
        .trim()
        .split('\n')
        .map((line): Documented => {
          const [, names = '', shown = ''] = line.split('|')
          return { names: Array.from(names.matchAll(/`([^`]+)`/g), ([, name]) => name!), shown: shown.trim() }
        })
      return [`${path} ${rows[0]?.names[0]}`, { text, rows }] as const
    }),
  ),
)

/** Returns how pages may write a default. */
function spellings(value: unknown): readonly string[] {
  if (typeof value !== 'number') return [String(value).replaceAll('`', '')]
  const written = value.toLocaleString('en-US')
  const inUnits = [
    `${value / 1000} s`,
    `${value / 60_000} minutes`,
    `${value / 86_400_000} days`,
    `${value / 2 ** 20} MiB`,
  ]
  return [written, `${written} ms`, `${written} tokens`, ...inUnits]
}

/** Whether a page shows the default of an option. Lists are described in words. */
function isShown(row: Row, { names, shown }: Documented): boolean {
  if (row.isRequired) return shown === '' || shown === 'required'
  if (row.default === undefined) return !/^(`[^`]+`|[\d,.]+( \w+)?)$/.test(shown)
  // Several options in one row are described on another page.
  if (shown === '' && names.length > 1) return true
  return Array.isArray(row.default) || spellings(row.default).includes(shown.replaceAll('`', ''))
}

it('[CFG-1] every table of options in the documentation is compared with the code', () => {
  expect([...documented.keys()].toSorted()).toEqual(TABLES.map(([page, first]) => `${page} ${first}`).toSorted())
})

it.each(TABLES)(
  '[CFG-1] %s has the options and defaults of the code from `%s` on',
  async (page, first, isComplete, tables) => {
    const all = (await Promise.all(tables.map(rowsOf))).flat()
    const { rows, text } = documented.get(`${page} ${first}`)!
    const wrong = rows.flatMap((each) =>
      each.names.flatMap((name) => {
        const row = all.find(({ path }) => path === name)
        if (row === undefined) return [`${name}: there is no such option`]
        return isShown(row, each) ? [] : [`${name}: the default is ${String(row.default)}, not "${each.shown}"`]
      }),
    )
    const missing = all
      .map(({ path }) => path)
      .filter((path) => !path.includes('.') && !new RegExp(`\`(?:[\\w.]+\\.)?${path}\\b`).test(text))
    expect({ wrong, missing: isComplete ? missing : [] }).toEqual({ wrong: [], missing: [] })
  },
)

it('[CFG-1] every option of `openRepertoire` is on a page', async () => {
  const text = pages.map((page) => page.text).join('\n')
  const paths = (await rowsOf(REPERTOIRE)).map(({ path }) => path)
  expect(paths).toContain('sources')
  expect(paths.filter((path) => !path.includes('.') && !new RegExp(`\`${path}\\b`).test(text))).toEqual([])
})

it('[NFR-4] the documentation of an option names the default that a table of its package has', async () => {
  const sources = readAll(['packages/*/src/**/*.ts'])
  const defaults = new Map<string, number[]>()
  for (const { path, text } of sources)
    for (const [, name] of text.matchAll(/^export const ([A-Z_]+_OPTIONS)\b/gm))
      for (const row of await rowsOf(`${path.slice('packages/'.length)} ${name}`)) {
        const option = `${path.split('/')[1]} ${row.path.split('.').at(-1)}`
        if (typeof row.default === 'number') defaults.set(option, [...(defaults.get(option) ?? []), row.default])
      }
  const told = sources.flatMap(({ path, text }) => {
    const options = text.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:readonly )?(\w+)\?:/g)
    return Array.from(options, ([, comment = '', name]) => {
      const [, figure = ''] =
        /Default ([\d,.]+(?: (?:minutes|days|MiB))?)/.exec(comment.replaceAll(/\n\s*\* /g, ' ')) ?? []
      return { path, name, figure, known: defaults.get(`${path.split('/')[1]} ${name}`) ?? [] }
    }).filter(({ figure, known }) => figure !== '' && known.length > 0)
  })
  expect(told.length).toBeGreaterThan(30)
  expect(told.filter(({ figure, known }) => !known.includes(figureIn(figure.replace(/[,.]$/, ''))))).toEqual([])
})
