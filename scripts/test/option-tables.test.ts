import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { STORED_SESSION_OPTIONS } from '../../packages/core/src/repertoire/stored/stored-session.ts'
import { MCP_SOURCE_OPTIONS } from '../../packages/library/src/origins/mcp/source.ts'
import { ADD_OPTIONS } from '../../packages/library/src/install/add.ts'
import { FILE_STORE_OPTIONS } from '../../packages/library/src/store/file-store.ts'
import { BUBBLEWRAP_OPTIONS } from '../../packages/runners/src/bubblewrap/open.ts'
import { SANDBOX_OPTIONS } from '../../packages/runners/src/sandbox/runner.ts'
import { SEARCH_OPTIONS } from '../../packages/core/src/catalog/search.ts'
import { STORES_OPTIONS } from '../../packages/storage/src/stores.ts'
import { readPages } from './documents.ts'

interface Row {
  readonly path: string
  readonly default: unknown
  readonly isRequired: boolean
}

const ROOT = join(import.meta.dirname, '../..')
const importFrom = async (file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(ROOT, file)).href)) as Record<string, unknown>

const { optionRows } = (await importFrom('packages/core/src/options/index.ts')) as {
  readonly optionRows: (table: unknown) => readonly Row[]
}

async function rowsOf(file: string, name: string, prefix = ''): Promise<readonly Row[]> {
  const rows = optionRows((await importFrom(`packages/${file}`))[name])
  return rows.flatMap((row) => (row.path.startsWith(prefix) ? [{ ...row, path: row.path.slice(prefix.length) }] : []))
}

const CORE = 'core/src/repertoire/option-tables.ts'
const repertoire = await rowsOf(CORE, 'REPERTOIRE_OPTIONS')
const session = await rowsOf(CORE, 'SESSION_OPTIONS')
const ofSession = new Set(session.flatMap(({ path }) => (path === 'id' ? [] : [path])))
const stored = optionRows(STORED_SESSION_OPTIONS).filter(({ path }) => !ofSession.has(path))

/** Each table of options in the documentation: its page, the first option in it, the rows, and whether it has them all. */
const TABLES: readonly (readonly [page: string, first: string, rows: readonly Row[], isComplete: boolean])[] = [
  ['docs/audit.md', 'sink', await rowsOf(CORE, 'REPERTOIRE_OPTIONS', 'audit.'), true],
  ['docs/built-in-tools.md', 'allow', await rowsOf('tools/src/http/request-tool.ts', 'HTTP_REQUEST_OPTIONS'), true],
  [
    'docs/built-in-tools.md',
    'roots',
    await rowsOf('tools/src/files/operations-tool.ts', 'FILE_OPERATIONS_OPTIONS'),
    true,
  ],
  [
    'docs/built-in-tools.md',
    'programs',
    await rowsOf('tools/src/command/execute-tool.ts', 'EXECUTE_COMMAND_OPTIONS'),
    true,
  ],
  ['docs/built-in-tools.md', 'connection', await rowsOf('tools/src/sql/execute-tool.ts', 'EXECUTE_SQL_OPTIONS'), true],
  ['docs/built-in-tools.md', 'workspace', await rowsOf('tools/src/shell/bash-tool.ts', 'BASH_OPTIONS'), true],
  ['docs/configuration.md', 'sources', repertoire, false],
  ['docs/indexes.md', 'client', optionRows(MCP_SOURCE_OPTIONS), true],
  [
    'docs/install.md',
    'project',
    [...optionRows(ADD_OPTIONS), ...(await rowsOf('library/src/install/restore.ts', 'INSTALL_OPTIONS'))],
    false,
  ],
  ['docs/library.md', 'root', optionRows(FILE_STORE_OPTIONS), true],
  ['docs/long-conversations.md', 'summarizeAbove', await rowsOf(CORE, 'REPERTOIRE_OPTIONS', 'window.'), true],
  ['docs/origins.md', 'cwd', await rowsOf('library/src/origins/options.ts', 'ORIGIN_OPTIONS'), true],
  ['docs/rules-and-policy.md', 'policy.allow', [...repertoire, ...session], false],
  ['docs/rules-and-policy.md', 'admit.tools', repertoire, false],
  ['docs/runners.md', 'workspace', optionRows(BUBBLEWRAP_OPTIONS), true],
  ['docs/runners.md', 'isolated', optionRows(SANDBOX_OPTIONS), false],
  ['docs/scripts.md', 'limits.timeoutMs', await rowsOf(CORE, 'REPERTOIRE_OPTIONS', 'scripts.'), true],
  ['docs/search.md', 'limit', optionRows(SEARCH_OPTIONS), true],
  ['docs/session-stores.md', 'store', stored, true],
  ['docs/sessions.md', 'id', session, true],
  ['docs/sources.md', 'watch', repertoire, false],
  ['docs/storage.md', 'engine', optionRows(STORES_OPTIONS), true],
  ['docs/turns.md', 'triggers', session, false],
  [
    'packages/react-loop/README.md',
    'protocol',
    [
      ...(await rowsOf('react-loop/src/options.ts', 'LOOP_OPTIONS')),
      ...(await rowsOf('react-loop/src/options.ts', 'RUN_OPTIONS')),
    ],
    false,
  ],
]

interface Documented {
  readonly names: readonly string[]
  readonly shown: string
}

/** The tables of pages whose head has an option and its default. */
function documentedTables(): readonly {
  readonly key: string
  readonly text: string
  readonly rows: readonly Documented[]
}[] {
  return readPages().flatMap(({ path, text }) =>
    text
      .split('\n\n')
      .filter((block) => /^\| option\b[^|]*\| default *\|/.test(block))
      .map((block) => {
        const rows = block
          .trim()
          .split('\n')
          .slice(2)
          .map((line) => {
            const [, names = '', shown = ''] = line.split('|')
            return { names: [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!), shown: shown.trim() }
          })
        return { key: `${path} ${rows[0]?.names[0]}`, text, rows }
      }),
  )
}

const DOCUMENTED = documentedTables()
const withoutMarks = (text: string): string => text.replaceAll('`', '')

/** How the pages may write a default. */
function spellings(value: unknown): readonly string[] {
  if (typeof value !== 'number') return [withoutMarks(String(value))]
  const written = value.toLocaleString('en-US')
  return [
    written,
    ...['ms', 'tokens'].map((unit) => `${written} ${unit}`),
    `${value / 1000} s`,
    `${value / 60_000} minutes`,
    `${value / 86_400_000} days`,
    `${value / 2 ** 20} MiB`,
  ]
}

/** Whether a page shows the default of a row. Lists are described in words. */
function isShown(row: Row, { names, shown }: Documented): boolean {
  if (row.isRequired) return shown === '' || shown === 'required'
  if (row.default === undefined) return !/^(`[^`]+`|[\d,.]+( \w+)?)$/.test(shown)
  // Several options in one row are described on another page.
  if (shown === '' && names.length > 1) return true
  return Array.isArray(row.default) || spellings(row.default).includes(withoutMarks(shown))
}

it('[CFG-1] every table of options in the documentation is known here', () => {
  const known = TABLES.map(([page, first]) => `${page} ${first}`)
  expect(DOCUMENTED.map(({ key }) => key).toSorted()).toEqual(known.toSorted())
})

it.each(TABLES)(
  '[CFG-1] %s documents the options from `%s` on as the code has them',
  (page, first, rows, isComplete) => {
    const { rows: documented, text } = DOCUMENTED.find(({ key }) => key === `${page} ${first}`)!
    const wrong = documented.flatMap((each) =>
      each.names.flatMap((name) => {
        const row = rows.find(({ path }) => path === name)
        if (row === undefined) return [`${name}: there is no such option`]
        return isShown(row, each) ? [] : [`${name}: the default is ${String(row.default)}, not "${each.shown}"`]
      }),
    )
    const missing = rows
      .map(({ path }) => path)
      .filter((path) => isComplete && !path.includes('.') && !new RegExp(`\`(?:[\\w.]+\\.)?${path}\\b`).test(text))
    expect({ wrong, missing }).toEqual({ wrong: [], missing: [] })
  },
)

it('[CFG-1] every option of `openRepertoire` stands on a page', () => {
  const pages = readPages()
    .filter(({ path }) => !path.startsWith('docs/api'))
    .map(({ text }) => text)
    .join('\n')
  const missing = repertoire
    .map(({ path }) => path)
    .filter((path) => !path.includes('.') && !new RegExp(`\`${path}\\b`).test(pages))
  expect(missing).toEqual([])
})
