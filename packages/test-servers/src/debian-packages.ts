import { execFileSync } from 'node:child_process'
import process from 'node:process'

/** A command that succeeds only if the package is installed and works on this machine. */
const PROBES = {
  bubblewrap: ['/usr/bin/bwrap', '--ro-bind', '/', '/', '--unshare-all', '/usr/bin/true'],
  busybox: ['busybox', 'ash', '-c', 'true'],
  chromium: ['/usr/bin/chromium', '--version'],
  file: ['file', '--version'],
  gh: ['gh', '--version'],
  jq: ['jq', '--version'],
  'redis-server': ['redis-server', '--version'],
  ripgrep: ['rg', '--version'],
  strace: ['strace', '-e', 'trace=none', '-e', 'inject=getppid:error=EIO', 'true'],
  tree: ['tree', '--version'],
} as const

/** A Debian package that some tests need and npm cannot install. */
export type DebianPackage = keyof typeof PROBES

const found = new Map<DebianPackage, boolean>()

/**
 * Says whether to skip the tests that need a Debian package. Put `(needs NAME)` in their titles: the report of skipped
 * tests groups them by it.
 *
 * @returns true if the package is missing or does not work. Always false if `CI` is set, so that the tests fail there
 */
export function isMissing(name: DebianPackage): boolean {
  if (process.env['CI'] !== undefined) return false
  if (!found.has(name)) found.set(name, succeeds(PROBES[name]))
  return found.get(name) === false
}

function succeeds([program, ...args]: readonly [string, ...string[]]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 10_000 })
    return true
  } catch {
    return false
  }
}
