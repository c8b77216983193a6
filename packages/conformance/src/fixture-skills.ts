import { fileURLToPath } from 'node:url'
import type { SkillSource } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'

/** The folder of the skills that every adapter is tested with. */
export const FIXTURE_SKILLS = fileURLToPath(new URL('../fixtures/skills', import.meta.url))

/**
 * Returns the skills that every adapter is tested with, as a source of the project layer. Hard links are allowed in
 * them: pnpm
 * installs every file of a package as one.
 */
export function fixtureSkills(): SkillSource {
  return directorySource({ root: FIXTURE_SKILLS, layer: 'project', id: 'fixtures', hardLinks: 'allow' })
}
