import type { IFileSystem } from 'just-bash'

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

/** The same files, which cannot be changed. */
export function readOnly<FileSystem extends IFileSystem>(files: FileSystem): FileSystem {
  return new Proxy(files, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (READS.has(name)) return value.bind(target)
      return (path: unknown) => Promise.reject(new Error(`EROFS: read-only file system, '${String(path)}'`))
    },
  })
}
