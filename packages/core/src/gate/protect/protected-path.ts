import { partsOf } from '../../resources/inside.ts'

/** A protected file, by its folder and its name in it. */
export interface Place {
  readonly folder: string
  readonly name: string
  /** Whether the folder is only the end of its path: the file is relative to a working folder that is not known. */
  readonly anywhere: boolean
}

export function placeOf(file: string, cwd: string | undefined): Place {
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts: string[] = []
  for (const part of partsOf(isAbsolute || cwd === undefined ? file : `${cwd}/${file}`)) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  const folder = parts.slice(0, -1).join('/')
  return {
    folder: /^[a-z]:/i.test(folder) ? folder : `/${folder}`,
    name: parts.at(-1) ?? file,
    anywhere: !isAbsolute && cwd === undefined,
  }
}

/** Characters of a path at the most: what is longer names no file. */
export const MAX_PATH_CHARS = 65_536

/** Paths and patterns that one call is compared by at the most. One that holds more may mean anything. */
export const MAX_READ = 5_000
