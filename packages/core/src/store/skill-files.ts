import {
  SkillError,
  normalizeName,
  parseSkill,
  MAX_DIGEST_FILE_BYTES,
  MAX_MANIFEST_BYTES,
  type Diagnostic,
  type Manifest,
  type SkillContent,
  type SkillDefinition,
  quote,
  quoteName,
} from '@repertoire/skill-md/internal'
import type { SkillFiles, StoredFile } from '../ports/skill-store.ts'
import { isWithheld, pathProblem, quoted, resourceParts } from '../resources/path.ts'
import { createPathIndex, foldName, lowerName, portabilityProblem } from './path-rules.ts'
import { diagnosticText, firstError } from '../text/message.ts'

/** The most files of one skill that a store takes: as many as a listing of its folder shows. */
const MAX_FILES = 1_000

/** The most bytes of one skill that a store takes. */
const MAX_SKILL_BYTES = 256 * 1024 * 1024

/** The parts of a SKILL.md whose text was read without an error. */
export interface CheckedSkill {
  readonly manifest: Manifest
  readonly body: string
  readonly definition: SkillDefinition
}

/**
 * Checks a name under which a store keeps a skill: one part of a path, not hidden, in lower case and in the normal form
 * NFC, so that no file system takes two of them for one.
 * @throws {SkillError} MANIFEST_INVALID
 */
export function checkSkillName(name: unknown): asserts name is string {
  if (typeof name !== 'string') throw new TypeError('The name of a skill is a string.')
  const problem = nameProblem(name)
  if (problem === undefined) return
  throw new SkillError(
    'MANIFEST_INVALID',
    `A store keeps no skill under the name ${quote(name)}: ${problem}. Use lowercase letters, digits and single hyphens.`,
  )
}

/**
 * Returns the name under which a store keeps a skill: that of its manifest, or, where no store could, the nearest one,
 * as `pdf-forms` for `PDF Forms`. The manifest stays as it is.
 */
export function storedSkillName(manifestName: string): string {
  return nameProblem(manifestName) === undefined ? manifestName : normalizeName(manifestName)
}

function nameProblem(name: string): string | undefined {
  const problem = pathProblem(name)
  if (problem !== undefined) return problem
  if (name.includes('/')) return 'it holds a "/"'
  if (isWithheld(name)) return 'skills in such a folder are not found'
  return name === lowerName(name) ? portabilityProblem(name) : 'it is not in lower case or not in the normal form NFC'
}

/**
 * Checks that a value can be saved as a SKILL.md, and returns its manifest.
 * @throws {SkillError} MANIFEST_INVALID: it has no manifest with a name, or neither a body nor a definition
 */
export function checkSkillContent(content: SkillContent): SkillContent['manifest'] {
  const { manifest, body, definition } = Object(content) as Partial<SkillContent>
  if (typeof manifest?.name !== 'string') {
    const message = 'The skill is not saved: it has no manifest with a `name`. Pass `{ manifest, body }`.'
    throw new SkillError('MANIFEST_INVALID', message)
  }
  if (body !== undefined || definition !== undefined) return manifest
  const message = `The skill ${quote(manifest.name)} is not saved: it has neither a body nor a definition. Pass one of them, \`body: ''\` for a skill without text.`
  throw new SkillError('MANIFEST_INVALID', message)
}

/**
 * Checks the path of a file that is to be stored, and returns its parts.
 * @param hidden whether hidden files and SKILL.md are taken: as of a whole skill, whose bytes are its author's
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
 */
export function checkResource(skill: string, path: string, { bytes }: StoredFile, hidden = false): readonly string[] {
  return checkPath(skill, path, bytes.length, hidden)
}

function checkPath(skill: string, path: string, size: number, hidden: boolean): readonly string[] {
  const parts = resourceParts(path, skill, hidden)
  const problem = portabilityProblem(parts.join('/'))
  if (problem !== undefined) {
    const message = `${quoted(path)} of the skill ${quoteName(skill)} is not stored: ${problem}. Choose another path.`
    throw new SkillError('RESOURCE_PATH_INVALID', message, { path })
  }
  if (!hidden && foldName(parts.join('/')) === foldName('SKILL.md')) {
    const message = `${quoted(path)} of the skill ${quoteName(skill)} is not stored as a resource: it is the skill's manifest. Save the skill.`
    throw new SkillError('RESOURCE_REFUSED', message, { path })
  }
  const most = parts.join('/') === 'SKILL.md' ? MAX_MANIFEST_BYTES : MAX_DIGEST_FILE_BYTES
  if (size > most) {
    const message = `${quoted(path)} of the skill ${quoteName(skill)} is not stored: it has ${size} bytes, and ${most} are the most. Split it.`
    throw new SkillError('RESOURCE_TOO_LARGE', message, { path })
  }
  return parts
}

/**
 * Checks all files of a skill before a store writes them: judged whole, so that nothing is written of a skill with one
 * bad file.
 * @returns what its SKILL.md says
 * @throws {SkillError} MANIFEST_INVALID (no SKILL.md, it would not be loaded, another name), RESOURCE_PATH_INVALID,
 * RESOURCE_REFUSED (twins, a file that is also a folder), RESOURCE_TOO_LARGE
 */
export async function checkSkillFiles(name: string, files: SkillFiles): Promise<CheckedSkill> {
  checkFileMap(files)
  checkSkillPaths(
    name,
    Array.from(files, ([path, { bytes }]) => [path, bytes.length]),
  )
  const manifest = files.get('SKILL.md')
  if (manifest !== undefined) return checkManifest(name, manifest.bytes)
  const message = `The skill ${quoteName(name)} has no file SKILL.md, and is not stored without one.`
  throw new SkillError('MANIFEST_INVALID', message)
}

/** @throws {TypeError} a caller has given something else than files by their paths */
export function checkFileMap(files: SkillFiles): void {
  const shape = "Pass a Map of files by their paths: new Map([['SKILL.md', { bytes }]])."
  const isMap = typeof files?.get === 'function' && typeof files[Symbol.iterator] === 'function'
  if (!isMap) throw new TypeError(`The files of a skill are not a Map. ${shape}`)
  for (const [path, file] of files) {
    if (file?.bytes instanceof Uint8Array) continue
    throw new TypeError(`The file ${quoted(path)} has no \`bytes\`, a Uint8Array. ${shape}`)
  }
}

/**
 * Checks the paths and sizes of all files of a skill, for a store that has not read them all.
 * @throws {SkillError} MANIFEST_INVALID (the name), RESOURCE_PATH_INVALID, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
 */
export function checkSkillPaths(name: string, sizes: readonly (readonly [path: string, size: number])[]): void {
  checkSkillName(name)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  if (sizes.length > MAX_FILES || total > MAX_SKILL_BYTES) {
    const found = `${sizes.length} files with ${total} bytes`
    const message = `The skill ${quoteName(name)} is not stored: it has ${found}, and ${MAX_FILES} with ${MAX_SKILL_BYTES} are the most.`
    throw new SkillError('RESOURCE_TOO_LARGE', message)
  }
  const index = createPathIndex()
  for (const [path, size] of sizes) {
    const twin = index.add(checkPath(name, path, size, true), 'file')
    if (twin === undefined) continue
    const both = `${quoted(twin.path)} and ${quoted(twin.other)} cannot both be written on every file system`
    const message = `The skill ${quoteName(name)} is not stored: ${both}. Rename one of them.`
    throw new SkillError('RESOURCE_REFUSED', message, { path: twin.path })
  }
}

async function checkManifest(name: string, bytes: Uint8Array): Promise<CheckedSkill> {
  const { manifest, body, definition, diagnostics } = await parseSkill(bytes, { folderName: name })
  if (manifest === undefined) throw notStored(name, firstError(diagnostics))
  // A name that no store can keep does not keep the skill out: it is found by its folder and shown by its own name.
  if ([manifest.name, storedSkillName(manifest.name)].includes(name))
    return { manifest, body: body!, definition: definition! }
  throw notStored(name, { message: `Its name is ${quote(manifest.name)}.`, hint: 'Give both the same name.' })
}

function notStored(name: string, why: Pick<Diagnostic, 'message' | 'hint' | 'line'>): SkillError {
  const message = `The SKILL.md of ${quoteName(name)} is not stored: ${diagnosticText(why)}`
  return new SkillError('MANIFEST_INVALID', message, { line: why.line })
}
