import { type SkillFolder } from '@repertoire/core'
import { adviseSkill, parseSkill, renderSkill } from '@repertoire/core/authoring'

/** A skill's file with its description changed, or why it cannot be read, with notes for its author. */
export async function describeAnew(text: string, folder: SkillFolder, description: string) {
  const document = await parseSkill(text, { path: 'tidy/SKILL.md', folderName: 'tidy' })
  const { manifest, body = '', diagnostics } = document
  if (manifest === undefined) return { problems: diagnostics.map(({ line, message }) => `${line}: ${message}`) }
  const notes = await adviseSkill(document, folder)
  return { text: await renderSkill({ manifest: { ...manifest, description }, body }), notes }
}
