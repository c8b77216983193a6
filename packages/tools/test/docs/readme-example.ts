import { builtInTools } from '@repertoire/tools'

/** Asks the web and works with the files of one folder, and runs git there. */
export function openTools(folder: string) {
  return builtInTools({
    files: { roots: [folder] },
    command: { programs: ['git'], roots: [folder] },
  })
}
