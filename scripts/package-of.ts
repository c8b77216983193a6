import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folder of the package that a file of this repository belongs to, or `scripts`. */
export function packageOf(path: string): string | undefined {
  const [parent, name] = relative(root, path).split(/[/\\]/)
  return parent === 'packages' || parent === 'apps' ? name : parent
}
