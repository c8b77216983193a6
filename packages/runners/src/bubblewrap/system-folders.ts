import { lstatSync, readlinkSync } from 'node:fs'

/** What interpreters need of a system: programs, libraries, and tables that say nothing about the host or its users. */
const FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']
const TABLES = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/python3',
]
/** What a program also needs to reach other machines. */
const NETWORK_TABLES = [
  '/etc/ca-certificates',
  '/etc/hosts',
  '/etc/nsswitch.conf',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/resolv.conf',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]

/** The arguments of bubblewrap that show the system, read-only. What is not listed here is not there. */
export function systemArguments(network: boolean): readonly string[] {
  return [
    ...FOLDERS.flatMap(folderArguments),
    ...[...TABLES, ...(network ? NETWORK_TABLES : [])].flatMap((path) => ['--ro-bind-try', path, path]),
  ]
}

/** `/bin` is a link to `/usr/bin` on most systems, and stays one. */
function folderArguments(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}
