import { resolved } from '../inside.ts'

/** A protected file, by its folder and its name in it. */
export interface ProtectedPath {
  readonly folder: string
  readonly name: string
  /** Whether the folder is only the end of its path: the file is relative to a working folder that is not known. */
  readonly isPartial: boolean
}

/** Reads the path of a protected file. */
export function readProtectedPath(file: string, cwd: string | undefined): ProtectedPath {
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts = resolved([], isAbsolute || cwd === undefined ? file : `${cwd}/${file}`)
  const folder = parts.slice(0, -1).join('/')
  return {
    folder: /^[a-z]:/i.test(folder) ? folder : `/${folder}`,
    name: parts.at(-1) ?? file,
    isPartial: !isAbsolute && cwd === undefined,
  }
}
