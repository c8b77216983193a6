import { isAbsolute, relative, sep } from 'node:path'
import { visible } from './text.ts'

/** A path as a person is shown it: relative where it lies in the folder that the command was called from. */
export function shownPath(path: string, folder: string): string {
  if (!isAbsolute(path)) return visible(path)
  const inside = relative(folder, path)
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  return visible(isInside ? inside : path)
}
