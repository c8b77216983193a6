/** A path that a command moves or removes, or puts something in the place of, with all that is in it. */
export interface MutatedPath {
  /** Relative to the working folder, absolute, or below somebody's home; `*` and its like as a shell has them. */
  readonly path: string
  /** The path is relative to a folder that is not known. */
  readonly anywhere?: boolean
  /** Something is put there: into it where it is a folder already, otherwise in its place. */
  readonly into?: boolean
  /** Lists of patterns: the name of what is removed below the path follows one of each list. */
  readonly named?: readonly (readonly string[])[]
  /** What is removed below the path is of this kind. */
  readonly only?: 'file' | 'folder'
}

/** Any path at all: for what cannot be read. */
export const ANY_PATH: MutatedPath = { path: '.', anywhere: true }

/** A path as it is seen from outside of the folder that it is relative to. */
export function below(folder: string, path: string): string {
  return folder === '' || /^(?:[/\\~$`%]|[a-z]:)/i.test(path) ? path : `${folder}/${path}`
}
