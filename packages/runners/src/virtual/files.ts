import { posix } from 'node:path'
import type { IFileSystem, OverlayFs } from 'just-bash'

/** All that only reads. What a later version adds is taken for a change until it is known. */
const READS: ReadonlySet<PropertyKey> = new Set<keyof IFileSystem>([
  'readFile',
  'readFileBytes',
  'readFileBuffer',
  'exists',
  'stat',
  'lstat',
  'readdir',
  'readdirWithFileTypes',
  'getAllPaths',
  'resolvePath',
  'readlink',
  'realpath',
])

/** These go through folders by themselves, and would meet what is hidden in them. */
const WHOLE_FOLDERS: ReadonlySet<PropertyKey> = new Set<keyof IFileSystem>(['cp', 'mv', 'rm', 'getAllPaths'])
const TWO_PATHS: ReadonlySet<PropertyKey> = new Set<keyof IFileSystem>(['cp', 'mv', 'link'])

/** The same files, which cannot be changed. */
export function readOnlyFiles(files: IFileSystem): IFileSystem {
  return guarded(files, {}, (name, [path]) =>
    READS.has(name) ? undefined : new Error(`EROFS: read-only file system, '${path}'`),
  )
}

/**
 * A workspace without hidden paths, links and what is no file: hidden paths and links are in no list. A link that is
 * listed and cannot be opened makes Python list nothing of its folder. Opening a named pipe would block a thread that
 * no limit ends.
 */
export function workspaceFiles(files: OverlayFs, hidden: readonly string[]): IFileSystem {
  const roots = hidden.map(plain)
  const isHidden = (path: string): boolean => roots.some((root) => `${plain(path)}/`.startsWith(`${root}/`))
  const holdsHidden = (path: string): boolean =>
    roots.some((root) => root.startsWith(`${plain(path)}/`.replace('//', '/')))
  const list: OverlayFs['readdirWithFileTypes'] = async (path) => {
    if (isHidden(path)) throw notFound(path)
    const entries = await files.readdirWithFileTypes(path)
    return entries.filter(({ name, isSymbolicLink }) => !isSymbolicLink && !isHidden(`${path}/${name}`))
  }
  // On the object itself: every way of reading a file goes through this method.
  const readFileBuffer = files.readFileBuffer.bind(files)
  files.readFileBuffer = async (path, seen) => {
    const stats = await files.lstat(path).catch(() => undefined)
    if (stats === undefined || stats.isFile || stats.isDirectory || stats.isSymbolicLink)
      return readFileBuffer(path, seen)
    throw new Error(`EACCES: permission denied, open '${path}' (not a file)`)
  }
  const replaced: Partial<IFileSystem> = {
    exists: async (path) => !isHidden(path) && files.exists(path),
    readdirWithFileTypes: list,
    readdir: async (path) => (await list(path)).map(({ name }) => name),
    getAllPaths: () => files.getAllPaths().filter((path) => !isHidden(path)),
    resolvePath: (base, path) => files.resolvePath(base, path),
  }
  return guarded(files, replaced, (name, paths) => {
    const found = paths.find((path) => isHidden(path) || (WHOLE_FOLDERS.has(name) && holdsHidden(path)))
    return found === undefined ? undefined : notFound(found)
  })
}

/** The same files, with some methods replaced, and calls of the others refused with an error. */
function guarded(
  files: IFileSystem,
  replaced: Partial<Record<PropertyKey, unknown>>,
  refusal: (name: PropertyKey, paths: readonly string[]) => Error | undefined,
): IFileSystem {
  return new Proxy(files, {
    get(target, name) {
      const value: unknown = replaced[name] ?? Reflect.get(target, name, target)
      if (typeof value !== 'function' || name in replaced) return value
      return (...args: unknown[]): unknown => {
        const paths = args.slice(0, TWO_PATHS.has(name) ? 2 : 1).filter((arg) => typeof arg === 'string')
        const error = refusal(name, paths)
        return error === undefined ? Reflect.apply(value, target, args) : Promise.reject(error)
      }
    },
  })
}

/** As file systems compare that do not tell capitals. */
function plain(path: string): string {
  return posix.resolve('/', path).normalize('NFC').toLowerCase()
}

function notFound(path: string): Error {
  return new Error(`ENOENT: no such file or directory, '${path}'`)
}
