import type { Diagnostic, SkillSource } from '@repertoire/core'

/**
 * Wraps sources, so that a folder which several of them reach is reported once, by the first. Otherwise a skill would
 * seem to shadow itself if one named folder lies in another.
 */
export function withoutRepeats(sources: readonly SkillSource[]): readonly SkillSource[] {
  const folders = new Set<string>()
  const findings = new Set<string>()
  return sources.map((source) => ({
    id: source.id,
    layer: source.layer,
    scan: (visitor) =>
      source.scan({
        skill: (found) => {
          if (isNew(folders, found.folder.location)) visitor.skill(found)
        },
        diagnostic: (diagnostic) => {
          if (isNew(findings, keyOf(diagnostic))) visitor.diagnostic(diagnostic)
        },
      }),
  }))
}

function isNew(known: Set<string>, key: string): boolean {
  if (known.has(key)) return false
  known.add(key)
  return true
}

function keyOf({ code, path, line, message }: Diagnostic): string {
  return JSON.stringify([code, path, line, message])
}
