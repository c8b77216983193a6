import { type Diagnostic, type Skill, showHidden, quoteName } from '@repertoire/skill-md/internal'

/** Returns the diagnostic for a manifest that the source failed to read. */
export function manifestFailed(path: string, source: string, error: unknown): Diagnostic {
  return {
    code: 'MANIFEST_UNREADABLE',
    severity: 'error',
    path,
    message: `The manifest could not be read: ${messageOf(error)}`,
    hint: `The source ${quoteName(source)} failed at this skill alone. Fix it and reload.`,
  }
}

/** Returns the diagnostic for a skill that is kept from an earlier scan. */
export function skillKept({ name, path }: Skill): Diagnostic {
  return {
    code: 'SKILL_KEPT',
    severity: 'warning',
    path,
    message: `The skill ${quoteName(name)} cannot be read any more. It is kept as it was read last.`,
    hint: 'Fix its SKILL.md, or delete it; it cannot be activated until then.',
  }
}

/**
 * Returns the diagnostic for a source that failed.
 * @param keptSkills how many skills of an earlier scan are kept because of the failure
 */
export function sourceFailed(source: string, error: unknown, keptSkills: number): Diagnostic {
  const kept =
    keptSkills === 0
      ? ''
      : ` Its other ${keptSkills === 1 ? 'skill is' : `${keptSkills} skills are`} kept as read last.`
  return {
    code: 'SOURCE_FAILED',
    severity: 'error',
    path: source,
    message: `The source ${quoteName(source)} failed: ${messageOf(error)}${kept}`,
    hint: 'The skills that it had shown before are kept. Fix the source and reload.',
  }
}

/** Returns the message of any thrown value, with what is invisible in it made visible. */
export function messageOf(error: unknown): string {
  try {
    return showHidden(error instanceof Error ? error.message : String(error))
  } catch {
    // An object without a prototype, a getter that throws.
    return 'it threw what has no message'
  }
}
