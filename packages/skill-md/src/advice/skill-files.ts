import type { ADVICE_CODES } from '../ports/diagnostic-codes.ts'
import { isSkillError } from '../errors.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { FolderListing, SkillFolder } from '../ports/folder.ts'

/** The most files that are read for advice, which does not justify reading whole archives. */
export const MAX_FILES = 100
/** Larger files are skipped. */
export const MAX_BYTES = 256 * 1024

/** Reports one piece of advice. */
export type ReportAdvice = (code: keyof typeof ADVICE_CODES, finding: Omit<Diagnostic, 'code' | 'severity'>) => void

/** A position in a file; the line is 1-based. */
export interface TextPosition {
  readonly path: string
  readonly line: number
}

/** The files that advice is about. */
export interface SkillFiles {
  readonly folder: SkillFolder
  readonly listing: FolderListing
}

/** Reads a text file. Returns undefined for a file that is refused, too large, or not text. */
export async function readText(path: string, { folder }: SkillFiles): Promise<string | undefined> {
  try {
    const bytes = await folder.read(path, { maxBytes: MAX_BYTES })
    return bytes.subarray(0, 1024).includes(0) ? undefined : new TextDecoder().decode(bytes)
  } catch (error) {
    if (isSkillError(error)) return undefined
    throw error
  }
}
