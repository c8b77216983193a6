import type { FolderSurvey, SkillFolder } from '../ports/folder.ts'

/** What a folder on this machine can do faster than the port says. */
export interface SurveyMeans {
  /** Hashes bytes; the result has 32 characters, one per byte. It is the key under which a scan remembers a manifest. */
  readonly characters: (bytes: Uint8Array) => string
  /** Hashes a text as UTF-8; the result is in hexadecimal digits. Used for the ids of consent requests. */
  readonly hex: (text: string) => string
}

const MEANS = Symbol('means')

interface SurveyWithMeans extends FolderSurvey {
  readonly [MEANS]?: SurveyMeans
}

/** Returns a survey with these means. They are not part of the port, which any host can implement. */
export function withMeans(survey: FolderSurvey, means: SurveyMeans): FolderSurvey {
  const result: SurveyWithMeans = { ...survey, [MEANS]: means }
  return result
}

/** Returns the means that came with a survey, if any. */
export function meansOf(survey: SurveyWithMeans | undefined): SurveyMeans | undefined {
  return survey?.[MEANS]
}

type Survey = NonNullable<SkillFolder['survey']>

/** By the method that surveys: every folder of a kind has the same. */
const atOnce = new WeakMap<object, (folder: SkillFolder) => FolderSurvey | undefined>()

/** Says how the folders with this method are surveyed at once; undefined where that takes waiting. */
export function surveysAtOnce(survey: Survey, now: (folder: SkillFolder) => FolderSurvey | undefined): void {
  atOnce.set(survey, now)
}

/**
 * Surveys a folder without waiting for anything, so that nobody needs to limit the wait; undefined where it has to be
 * waited for. @throws {SkillError} as its method does
 */
export function surveyAtOnce(folder: SkillFolder): FolderSurvey | undefined {
  // Read as a property: it is looked up here, and not called.
  const survey: unknown = Reflect.get(folder, 'survey')
  return typeof survey === 'function' ? atOnce.get(survey)?.(folder) : undefined
}
