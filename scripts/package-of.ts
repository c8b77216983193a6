import { relative, sep } from 'node:path'

const root = import.meta.dirname.slice(0, -'/scripts'.length)

/** The folder name of the package or app that holds a test; `scripts` for those of the repository's own scripts. */
export function packageOf(testFile: string): string {
  const [parent = '', name = ''] = relative(root, testFile).split(sep)
  return parent === 'scripts' ? parent : name
}
