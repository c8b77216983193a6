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

/** Folders in those of the system's which hold sources, in many images those of the host's own program. They are empty inside. */
const MASKED_FOLDERS = ['/usr/src']

/** The arguments of bubblewrap that show the system, read-only. What is not listed here is not there. */
export function systemArguments(network: boolean): readonly string[] {
  return [
    ...FOLDERS.flatMap(folderArguments),
    ...[...TABLES, ...(network ? NETWORK_TABLES : [])].flatMap((path) => ['--ro-bind-try', path, path]),
  ]
}

/** Whether `systemArguments` show what is at a real path. */
export function showsPath(path: string): boolean {
  const isIn = (folder: string): boolean => path.startsWith(`${folder}/`)
  return FOLDERS.some(isIn) && !MASKED_FOLDERS.some(isIn)
}

/** The arguments that show folders of the system's empty, but for the toolchains in them, until these are mounted. */
export function maskArguments(): readonly string[] {
  return maskedFolders().flatMap((folder) => ['--tmpfs', folder])
}

/** The folders to mask that are there. */
export function maskedFolders(): readonly string[] {
  return MASKED_FOLDERS.filter((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
}

/** `/bin` is a link to `/usr/bin` on most systems, and stays one. */
function folderArguments(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}
