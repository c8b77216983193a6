import type { ADVICE_CODES } from '../../ports/diagnostic-codes.ts'
import { isSkillError } from '../../errors.ts'
import type { Diagnostic } from '../../ports/diagnostic.ts'
import type { FolderListing, SkillFolder } from '../../ports/folder.ts'

/** What is read for advice at most: it is no reason to read whole archives. */
export const MAX_FILES = 100
/** Larger files are passed over. */
export const MAX_BYTES = 256 * 1024

/** Takes one piece of advice. */
export type Advise = (code: keyof typeof ADVICE_CODES, finding: Omit<Diagnostic, 'code' | 'severity'>) => void

/** A place in a file; the line is 1-based. */
export interface Place {
  readonly path: string
  readonly line: number
}

/** The files that advice is about. */
export interface AdvisedFiles {
  readonly folder: SkillFolder
  readonly listing: FolderListing
}

/** Reads a text file. Nothing of a file that is refused, too large, or no text. */
export async function readAdvised(path: string, { folder }: AdvisedFiles): Promise<string | undefined> {
  try {
    const bytes = await folder.read(path, { maxBytes: MAX_BYTES })
    return bytes.subarray(0, 1024).includes(0) ? undefined : new TextDecoder().decode(bytes)
  } catch (error) {
    if (isSkillError(error)) return undefined
    throw error
  }
}
