import { parseSkill, renderSkill } from '@repertoire/skill-md'

/** Returns the problems of a SKILL.md, one in a line, and the file as the standard has it. */
export async function lint(text: string, folderName: string) {
  const { manifest, body = '', diagnostics } = await parseSkill(text, { folderName })
  const problems = diagnostics.map(
    ({ severity, line = 1, message, hint = '' }) => `${severity}, line ${line}: ${message} ${hint}`,
  )
  return { problems, standard: manifest && (await renderSkill({ manifest, body })) }
}
