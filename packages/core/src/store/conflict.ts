import { SkillError } from '@repertoire/skill-md/internal'

/** Compares what a writer has seen with what is stored. @throws {SkillError} STORE_CONFLICT */
export function refuseConflict(name: string, expected: string | null | undefined, stored: string | undefined): void {
  if (expected === undefined || (expected ?? undefined) === stored) return
  const reason =
    expected === null
      ? 'a skill of that name is stored already. Choose another name, or get it and save with its revision'
      : stored === undefined
        ? 'it is not stored any more. Save it with the revision null if it should be there again'
        : 'it was changed since it was read. Get it again and repeat the change on what is there now'
  throw new SkillError('STORE_CONFLICT', `The skill "${name}" was not written: ${reason}.`)
}
