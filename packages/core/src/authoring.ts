/**
 * `@repertoire/core/authoring`: what programs need that read, check, compare or write skills without using them.
 */
export {
  DIAGNOSTIC_CODES,
  formatRule,
  groupResources,
  parseSkill,
  PROFILES,
  readHidden,
  type ResourceGroups,
} from '@repertoire/skill-md/internal'
export type { SkillDemands } from './execution/demands.ts'
export { chooseInterpreter } from './execution/interpreter.ts'
export { digestFolder } from './resources/digest.ts'
export { findResource, readResource, type ReadOptions, type Resource } from './resources/read.ts'
import type { SkillDemands } from './execution/demands.ts'
import {
  type AdviceOptions,
  type SkillDocument,
  type Diagnostic,
  anyText,
  checkOptions,
  SkillError,
  type SkillFolder,
  type SkillContent,
  quoteName,
} from '@repertoire/skill-md/internal'

// For authors of skills. Each function imports its code on first use, so that the entry stays small.

/**
 * Advises the author of a skill: on the length of the body, on links that lead nowhere, on rules that hand out all that
 * a program can do. All of severity `info`, but for an `error` where a skill of the type composite, script or template
 * could never be executed; nothing of it keeps a skill from being loaded. It reads the listing and no file.
 * @param document as `parseSkill` gives it; without a body there is nothing to advise on
 * @throws {SkillError} what the folder's listing refuses
 */
export async function adviseSkill(
  document: SkillDocument,
  folder: SkillFolder,
  options: AdviceOptions = {},
): Promise<readonly Diagnostic[]> {
  checkOptions<AdviceOptions>('adviseSkill', { path: anyText }, options)
  const { path = `${folder.location}/SKILL.md` } = options
  const definitions = await import('./execution/advice.ts')
  const manifests = await import('@repertoire/skill-md')
  const rules = await import('@repertoire/gate/internal')
  return [
    ...(await definitions.adviseOnDefinition(document, path)),
    ...(await manifests.adviseSkill(document, folder, options)),
    ...rules.adviseOnRules(document, path),
  ]
}

/**
 * Writes a SKILL.md. What is written is parsed again and compared, so that `parseSkill` gives back what was passed
 * here, field by field, or nothing is written at all. Defaults are left out, the fields of the standard come first and
 * as the standard has them. An instruction is the body, unchanged; the definition of another type, where no body is
 * given, becomes a fenced code block.
 * @returns the file's text: UTF-8 when it is saved, the frontmatter's lines ended by a line feed
 * @throws {SkillError} MANIFEST_INVALID if the parser would refuse the file, or read something else in it; or if it is
 * a script that would never be run, since it holds a dangerous pattern
 * @throws {TypeError} if there is neither a body nor a definition
 */
export async function renderSkill(content: SkillContent): Promise<string> {
  const manifests = await import('@repertoire/skill-md')
  const text = await manifests.renderSkill(content)
  await refuseDangerIn(content)
  return text
}

/**
 * Writes a SKILL.md as a store keeps it: as `renderSkill`, and it states `type` and `status` also if they are the
 * default.
 * @throws {SkillError | TypeError} as `renderSkill`
 */
export async function renderStored(content: SkillContent): Promise<string> {
  const manifests = await import('@repertoire/skill-md')
  const text = await manifests.renderStored(content)
  await refuseDangerIn(content)
  return text
}

async function refuseDangerIn({ manifest, definition, body }: SkillContent): Promise<void> {
  const script = definition?.type === 'script' ? definition.script : manifest.type === 'script' ? body : undefined
  const language = definition?.type === 'script' ? definition.language : undefined
  if (script !== undefined) await refuseDanger(manifest.name, script, language)
}

/**
 * Returns what a skill asks for and brings: rules, scripts, hooks and tools. For a preview before it is installed. It
 * reads no script and runs nothing; its activation asks for consent all the same.
 * @param document as `parseSkill` gives it
 * @throws {SkillError} what the folder's listing refuses
 */
export async function inspectDemands(document: SkillDocument, folder: SkillFolder): Promise<SkillDemands> {
  const demands = await import('./execution/demands.ts')
  return demands.inspectDemands(document, folder)
}

async function refuseDanger(name: string, script: string, language: string | undefined): Promise<void> {
  const { findDanger } = await import('./execution/dangerous.ts')
  const { inlineInterpreter } = await import('./execution/inline-script.ts')
  const danger = await findDanger(script, inlineInterpreter(script, language))
  if (danger === undefined) return
  throw new SkillError(
    'MANIFEST_INVALID',
    `The script of the skill ${quoteName(name)} is not written: its line ${danger.line} holds a dangerous pattern (${danger.pattern}), so it would never run. Remove the pattern.`,
  )
}
