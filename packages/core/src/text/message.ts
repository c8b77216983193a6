import {
  type Diagnostic,
  type SkillError,
  type SkillErrorCode,
  isSkillError,
  showHidden,
  showName,
} from '@repertoire/skill-md/internal'

/** Returns the message of any thrown value, with what is invisible in it made visible. */
export function messageOf(error: unknown): string {
  try {
    return showHidden(String(error instanceof Error ? error.message : error))
  } catch {
    // An object without a prototype, a getter that throws.
    return 'what was thrown cannot be shown'
  }
}

export function diagnosticText({ message, hint = '' }: Pick<Diagnostic, 'message' | 'hint'>): string {
  return `${message} ${hint}`.trimEnd()
}

/** Returns the first of some texts as a list, and how many more there are. */
export function listSome(texts: readonly string[], most: number, show: (text: string) => string = showName): string {
  const list = texts.slice(0, most).map(show).join(', ')
  return texts.length > most ? `${list} and ${texts.length - most} more` : list
}

export function hasCode(error: unknown, code: SkillErrorCode): error is SkillError {
  return isSkillError(error) && error.code === code
}

/** Returns the error that kept a SKILL.md from being read. A parsed file without a manifest has one. */
export function firstError(diagnostics: readonly Diagnostic[]): Diagnostic {
  return diagnostics.find(({ severity }) => severity === 'error')!
}
