import type { Diagnostic, FoundSkill, SkillSource } from '../src/index.ts'

/** Yields what a source finds, with a change of each skill. */
export async function* mapped(
  source: SkillSource,
  change: (found: FoundSkill) => FoundSkill,
): AsyncGenerator<FoundSkill | Diagnostic> {
  for await (const found of source.scan()) yield 'code' in found ? found : change(found)
}

/** Returns a scan that fails as a whole. */
export function failingScan(message: string): SkillSource['scan'] {
  return () => {
    throw new Error(message)
  }
}

/** A scan that never yields and never ends. */
export async function* neverScans(): AsyncGenerator<FoundSkill> {
  yield await new Promise<FoundSkill>(() => {})
}
