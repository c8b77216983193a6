import { isAbsolute, relative, sep } from 'node:path'
import { visibleName } from './text.ts'

/** A path for display: relative if it is in the folder from which the command was called. */
export function shownPath(path: string, folder: string): string {
  if (!isAbsolute(path)) return visibleName(path)
  const inside = relative(folder, path)
  const isInside = inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  return visibleName(isInside ? inside : path)
}
