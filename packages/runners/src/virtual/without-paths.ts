import { posix } from 'node:path'
import type { IFileSystem } from 'just-bash'

/** These go through folders by themselves, and would meet what is hidden in them. */
const WHOLE_FOLDERS: ReadonlySet<PropertyKey> = new Set<keyof IFileSystem>(['cp', 'mv', 'rm', 'getAllPaths'])
const TWO_PATHS: ReadonlySet<PropertyKey> = new Set<keyof IFileSystem>(['cp', 'mv', 'link'])

/** The same files without some paths: they are in no list, and can be neither opened nor made. */
export function withoutPaths<FileSystem extends IFileSystem>(files: FileSystem, hidden: readonly string[]): FileSystem {
  if (hidden.length === 0) return files
  const roots = hidden.map(plain)
  const isHidden = (path: string): boolean => roots.some((root) => `${plain(path)}/`.startsWith(`${root}/`))
  const holdsHidden = (path: string): boolean =>
    roots.some((root) => root.startsWith(`${plain(path)}/`.replace('//', '/')))
  const listed =
    <Entry>(list: (path: string) => Promise<Entry[]>, nameOf: (entry: Entry) => string) =>
    async (path: string): Promise<Entry[]> => {
      if (isHidden(path)) throw notFound(path)
      return (await list(path)).filter((entry) => !isHidden(`${path}/${nameOf(entry)}`))
    }
  const replaced: Partial<Record<PropertyKey, unknown>> = {
    exists: async (path) => !isHidden(path) && files.exists(path),
    readdir: listed((path) => files.readdir(path), String),
    ...(files.readdirWithFileTypes !== undefined && {
      readdirWithFileTypes: listed(
        (path) => files.readdirWithFileTypes!(path),
        ({ name }) => name,
      ),
    }),
    getAllPaths: () => files.getAllPaths().filter((path) => !isHidden(path)),
    resolvePath: (base, path) => files.resolvePath(base, path),
  } satisfies Partial<IFileSystem>
  return new Proxy(files, {
    get(target, name) {
      const own = replaced[name]
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const paths = args.slice(0, TWO_PATHS.has(name) ? 2 : 1).filter((arg) => typeof arg === 'string')
        const found = paths.find((path) => isHidden(path) || (WHOLE_FOLDERS.has(name) && holdsHidden(path)))
        if (found !== undefined) {
          if (String(name).endsWith('Sync')) throw notFound(found)
          return Promise.reject(notFound(found))
        }
        return Reflect.apply(value, target, args)
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
