import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { removeFolder } from './copy.ts'

/** Waits until its input ends, which it also does when the host is killed, and removes the folder. */
const SCRIPT = 'while read -r _; do :; done; chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"'

/** A temporary folder that goes away with the process, however that ends. */
export interface WatchedFolder {
  readonly path: string
  remove(): Promise<void>
}

export async function createWatchedFolder(): Promise<WatchedFolder> {
  const path = await mkdtemp(join(tmpdir(), 'repertoire-run-'))
  if (process.platform === 'win32') return { path, remove: () => removeFolder(path) }
  const watcher = execa('/bin/sh', ['-c', SCRIPT, 'sh', path], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    extendEnv: false,
    reject: false,
    // A signal to the host's group must not end what cleans up after it.
    detached: true,
    cleanup: false,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // It must not keep the host running.
  watcher.nodeChildProcess.unref()
  const { stdin } = watcher
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return {
    path,
    async remove() {
      await removeFolder(path)
      // Now it must: a host that has nothing else to do would end before this returns.
      watcher.nodeChildProcess.ref()
      stdin.end()
      await watcher
    },
  }
}
