/** The name of the file that makes a folder a skill. */
export const MANIFEST_NAME = 'SKILL.md'

/** Whether a file's name is SKILL.md in any spelling. */
export function isManifestName(name: string): boolean {
  return name.length === MANIFEST_NAME.length && /^skill\.md$/i.test(name)
}
