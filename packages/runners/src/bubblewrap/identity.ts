import { statSync } from 'node:fs'
import process from 'node:process'
import { SkillError } from '@repertoire/core'
import type { Identity } from '../process/contained.ts'
import type { Workspace } from './workspace.ts'

const NOBODY: Identity = { uid: 65_534, gid: 65_534 }

/**
 * Who runs the sandbox where the host is root: nobody, or the owner of the workspace. Root inside a sandbox is still
 * root to the files below `/proc/sys`, and no limit of processes holds for it.
 * @throws {SkillError} SCRIPT_NOT_STARTED: root alone could write to the workspace
 */
export function sandboxIdentity(workspace: Workspace | undefined): Identity | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (workspace === undefined) return NOBODY
  const { uid, gid } = statSync(workspace.path)
  if (uid !== 0) return { uid, gid }
  if (workspace.access !== 'write') return NOBODY
  throw new SkillError(
    'SCRIPT_NOT_STARTED',
    `The workspace "${workspace.path}" belongs to root, and no sandbox runs as root. ` +
      'Run the host as an ordinary user, give the folder to one (chown), or let scripts only read it.',
  )
}
