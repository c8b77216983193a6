import { openRepertoire, type Repertoire, type ScriptRunner, type SkillSource } from '@repertoire/core'

export function openWithScripts(sources: readonly SkillSource[], runner: ScriptRunner): Promise<Repertoire> {
  return openRepertoire({ sources, scripts: { runner, hooks: true, limits: { timeout: 30_000 } } })
}
