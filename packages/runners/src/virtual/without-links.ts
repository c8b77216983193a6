import type { OverlayFs } from 'just-bash'

/**
 * The same files, with links left out of what is listed: none is followed, and one that is listed and cannot be opened
 * makes Python list nothing of its folder.
 */
export function withoutLinks(files: OverlayFs): OverlayFs {
  const listed: OverlayFs['readdirWithFileTypes'] = async (path) =>
    (await files.readdirWithFileTypes(path)).filter(({ isSymbolicLink }) => !isSymbolicLink)
  const replaced: Partial<Record<PropertyKey, unknown>> = {
    readdirWithFileTypes: listed,
    readdir: async (path: string) => (await listed(path)).map(({ name }) => name),
  } satisfies Partial<OverlayFs>
  return new Proxy(files, {
    get(target, name) {
      const value: unknown = replaced[name] ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
