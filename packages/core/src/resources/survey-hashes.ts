import type { FolderSurvey } from '../ports/folder.ts'

/** SHA-256 by the machine's own means, which are faster than JavaScript's. */
export interface SurveyHashes {
  /** Of bytes, as 32 characters, one for each byte. What a scan read of a manifest is found again by it. */
  readonly characters: (bytes: Uint8Array) => string
  /** Of a text as UTF-8, in hexadecimal digits. The id of a consent request is made with it. */
  readonly hex: (text: string) => string
}

const HASHES = Symbol('hashes')

interface HashingSurvey extends FolderSurvey {
  readonly [HASHES]?: SurveyHashes
}

/** A survey with the hashes of the machine that made it. They are no part of the port, which any host can implement. */
export function withHashes(survey: FolderSurvey, hashes: SurveyHashes): FolderSurvey {
  const hashing: HashingSurvey = { ...survey, [HASHES]: hashes }
  return hashing
}

/** The hashes that came with a survey. */
export function hashesOf(survey: HashingSurvey | undefined): SurveyHashes | undefined {
  return survey?.[HASHES]
}
