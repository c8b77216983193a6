import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { type BashTool, type BashToolOptions, openBashTool } from '@repertoire/tools'
import type { Workspace } from '@repertoire/core'
import { openBubblewrapRunner } from '@repertoire/runners'
import { afterEach, beforeEach } from 'vitest'

/** Whom the workspace belongs to where the tests run as root. */
const ORDINARY = 1_234

/** A new folder for each test of the file that calls `useWorkspace`. */
export let workspace: string

export function useWorkspace(): void {
  beforeEach(() => {
    workspace = mkdtempSync(join(realpathSync(tmpdir()), 'bash-tool-'))
    own(workspace)
  })
  afterEach(() => rmSync(workspace, { recursive: true, force: true }))
}

export function put(path: string, content = ''): void {
  const whole = join(workspace, path)
  mkdirSync(dirname(whole), { recursive: true })
  writeFileSync(whole, content)
  for (let at = whole; at !== workspace; at = dirname(at)) own(at)
}

function own(path: string): void {
  if (process.getuid?.() === 0) chownSync(path, ORDINARY, ORDINARY)
}

/** The tool over the workspace, in bubblewrap, for as long as it is used. */
export async function withBash<T>(
  { workspace: more, ...options }: Partial<Omit<BashToolOptions, 'workspace'>> & { workspace?: Partial<Workspace> },
  use: (tool: BashTool) => Promise<T>,
): Promise<T> {
  const tool = await openBashTool({
    workspace: { path: workspace, access: 'write', ...more },
    runner: (shown) => openBubblewrapRunner({ workspace: shown }),
    ...options,
  })
  try {
    return await use(tool)
  } finally {
    await tool.close()
  }
}
