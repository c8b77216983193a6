import type { FunctionTool } from '@repertoire/core'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import { dirname, join, sep } from 'node:path'
import process from 'node:process'
import { COMMITS } from './story.ts'
import { realTools } from './tools/real-tools.ts'

/** The folders that the story plays in: one for each adapter, below one temporary folder. */
export interface Workspaces {
  /** Whether the folders are git repositories: false if git is not installed. */
  readonly withGit: boolean
  /** Makes the folder of one adapter, the same for each. */
  open(adapter: string): Promise<Workspace>
  /** Removes all of them. Safe to repeat; happens by itself when the process ends. */
  remove(): void
}

/** One adapter's folder. */
export interface Workspace {
  readonly folder: string
  /** Tools that really work in the folder. */
  readonly tools: readonly FunctionTool[]
  /** The current files, except git's own: relative path → content. */
  readonly files: () => Promise<Readonly<Record<string, string>>>
}

/** Makes the temporary folder, with a template of what every adapter gets. */
export async function openWorkspaces(): Promise<Workspaces> {
  // In one go: a signal in between would leave the folder behind.
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-demo-')))
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  const template = join(root, 'template')
  const withGit = await commitAll(template)
  return {
    withGit,
    async open(adapter) {
      const folder = join(root, adapter)
      await cp(template, folder, { recursive: true })
      return { folder, tools: realTools(folder, environment(root)), files: () => filesBelow(folder) }
    },
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}

/** Writes the story's files, and commits them if git is installed. */
async function commitAll(folder: string): Promise<boolean> {
  await mkdir(folder)
  // Names and times are fixed, so that a commit has the same id on every machine.
  const identity = ['-c', 'user.name=Demo', '-c', 'user.email=demo@example.org', '-c', 'core.autocrlf=false']
  const git = (...args: readonly string[]): boolean => {
    const env = { ...environment(dirname(folder)), GIT_AUTHOR_DATE: COMMITTED, GIT_COMMITTER_DATE: COMMITTED }
    return spawnSync('git', [...identity, ...args], { cwd: folder, env, stdio: 'ignore' }).status === 0
  }
  let isCommitted = git('init', '--quiet')
  for (const { message, tag, files } of COMMITS) {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    isCommitted &&= git('add', '--all') && git('commit', '--quiet', '--no-gpg-sign', '--message', message)
    if (tag !== undefined) isCommitted &&= git('tag', tag)
  }
  return isCommitted
}

const COMMITTED = '2026-01-01T00:00:00Z'

/** The environment of commands: without the caller's variables and git settings, so that all runs are equal. */
function environment(home: string): NodeJS.ProcessEnv {
  const { PATH, SystemRoot } = process.env
  return {
    PATH,
    SystemRoot,
    HOME: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CEILING_DIRECTORIES: home,
  }
}

async function filesBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith(`.git${sep}`))
    .toSorted()
  const read = async (path: string): Promise<[string, string]> => [
    path.replaceAll(sep, '/'),
    await readFile(join(folder, path), 'utf8'),
  ]
  return Object.fromEntries(await Promise.all(paths.map(read)))
}
