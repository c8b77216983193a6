import type { FolderSurvey } from '../ports/folder.ts'

/** Native SHA-256 functions, which are faster than those in JavaScript. */
export interface SurveyHashes {
  /** Hashes bytes; the result has 32 characters, one per byte. It is the key under which a scan remembers a manifest. */
  readonly characters: (bytes: Uint8Array) => string
  /** Hashes a text as UTF-8; the result is in hexadecimal digits. Used for the ids of consent requests. */
  readonly hex: (text: string) => string
}

const HASHES = Symbol('hashes')

interface HashingSurvey extends FolderSurvey {
  readonly [HASHES]?: SurveyHashes
}

/** Returns a survey with native hash functions. They are not part of the port, which any host can implement. */
export function withHashes(survey: FolderSurvey, hashes: SurveyHashes): FolderSurvey {
  const hashing: HashingSurvey = { ...survey, [HASHES]: hashes }
  return hashing
}

/** Returns the hash functions that came with a survey, if any. */
export function hashesOf(survey: HashingSurvey | undefined): SurveyHashes | undefined {
  return survey?.[HASHES]
}
