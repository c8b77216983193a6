import { SkillError } from '../errors.ts'
import { parseSkill } from '../manifest/index.ts'
import { MAX_DIGEST_FILE_BYTES, MAX_MANIFEST_BYTES } from '../ports/limits.ts'
import type { Manifest, SkillDefinition } from '../ports/manifest.ts'
import type { SkillFiles, StoredFile } from '../ports/skill-store.ts'
import { pathProblem, quoted, resourceParts } from '../resources/path.ts'
import { normalForm } from '../text/normal-form.ts'
import { quote, quoteName } from '../text/quote.ts'
import { unicodeExpression } from '../text/unicode-expression.ts'

/** The most files of one skill that a store takes: as many as a listing of its folder shows. */
const MAX_FILES = 1_000

/** The most bytes of one skill that a store takes. */
const MAX_SKILL_BYTES = 256 * 1024 * 1024

/** The most levels of folders: below them no listing looks. */
const MAX_DEPTH = 16

/** Characters and names that Windows does not write, or writes as something else. */
const NOT_PORTABLE = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const CONTROL = unicodeExpression(String.raw`[\0-\x1F\x7F]|\p{Cf}`)

/** The parts of a SKILL.md whose text was read without an error. */
export interface CheckedSkill {
  readonly manifest: Manifest
  readonly body: string
  readonly definition: SkillDefinition
}

/** Whether a file system may take two names for one: they differ in case, or in the normal form of Unicode, alone. */
export function isSameName(a: string, b: string): boolean {
  return fold(a) === fold(b)
}

function fold(name: string): string {
  return normalForm(name, 'NFC').toLowerCase()
}

/**
 * Checks a name under which a store keeps a skill: one part of a path, not hidden, in lower case and in the normal form
 * NFC, so that no file system takes two of them for one.
 * @throws {SkillError} MANIFEST_INVALID
 */
export function checkSkillName(name: unknown): asserts name is string {
  if (typeof name !== 'string') throw new TypeError('The name of a skill is a string.')
  const problem =
    pathProblem(name) ??
    (name.includes('/')
      ? 'it holds a "/"'
      : name.startsWith('.') || name === 'node_modules'
        ? 'skills in such a folder are not found'
        : name !== fold(name)
          ? 'it is not in lower case or not in the normal form NFC'
          : oddPart(name))
  if (problem === undefined) return
  throw new SkillError(
    'MANIFEST_INVALID',
    `A store keeps no skill under the name ${quote(name)}: ${problem}. Use lowercase letters, digits and single hyphens.`,
  )
}

/**
 * Checks the path of a file that is to be stored, and returns its parts.
 * @param hidden whether hidden files and SKILL.md are taken: of a whole skill they are, since its bytes are its author's
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
 */
export function checkResource(skill: string, path: string, { bytes }: StoredFile, hidden = false): readonly string[] {
  return checkPath(skill, path, bytes.length, hidden)
}

function checkPath(skill: string, path: string, size: number, hidden: boolean): readonly string[] {
  const parts = resourceParts(path, skill, hidden)
  const odd = parts.map((part) => oddPart(part)).find((problem) => problem !== undefined)
  const problem = odd ?? (parts.length > MAX_DEPTH + 1 ? `it has more than ${MAX_DEPTH} folders` : undefined)
  if (problem !== undefined) {
    const message = `${quoted(path)} of the skill ${quoteName(skill)} is not stored: ${problem}. Choose another path.`
    throw new SkillError('RESOURCE_PATH_INVALID', message, { path })
  }
  if (!hidden && isSameName(parts.join('/'), 'SKILL.md')) {
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

function oddPart(part: string): string | undefined {
  if (CONTROL().test(part)) return 'it holds a character that is not shown'
  if (NOT_PORTABLE.test(part)) return 'not every system can have a file of that name'
  return undefined
}

/**
 * Checks all files of a skill before a store writes them: judged whole, so that nothing is written of a skill with one bad
 * file.
 * @returns what its SKILL.md says
 * @throws {SkillError} MANIFEST_INVALID (no SKILL.md, it would not be loaded, another name), RESOURCE_PATH_INVALID,
 * RESOURCE_REFUSED (twins, a file that is also a folder), RESOURCE_TOO_LARGE
 */
export async function checkSkillFiles(name: string, files: SkillFiles): Promise<CheckedSkill> {
  const sizes = [...files].map(([path, file]): readonly [string, number] => {
    if (file?.bytes instanceof Uint8Array) return [path, file.bytes.length]
    throw new TypeError(`The file ${quoted(path)} has no bytes.`)
  })
  checkSkillPaths(name, sizes)
  const manifest = files.get('SKILL.md')
  if (manifest !== undefined) return checkManifest(name, manifest.bytes)
  const message = `The skill ${quoteName(name)} has no file SKILL.md, and is not stored without one.`
  throw new SkillError('MANIFEST_INVALID', message)
}

/**
 * Checks the paths and sizes of all files of a skill, for a store that has not read them all.
 * @throws {SkillError} MANIFEST_INVALID (the name), RESOURCE_PATH_INVALID, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
 */
export function checkSkillPaths(name: string, sizes: readonly (readonly [path: string, size: number])[]): void {
  checkSkillName(name)
  checkSizes(name, sizes)
  const written = new Map<string, { readonly path: string; readonly isFile: boolean }>()
  for (const [path, size] of sizes) {
    const parts = checkPath(name, path, size, true)
    for (const end of parts.keys()) {
      const part = parts.slice(0, end + 1).join('/')
      const isFile = end === parts.length - 1
      const other = written.get(fold(part))
      if (other !== undefined && (other.path !== part || other.isFile || isFile)) throw twins(name, part, other.path)
      written.set(fold(part), { path: part, isFile })
    }
  }
}

function checkSizes(name: string, sizes: readonly (readonly [path: string, size: number])[]): void {
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  if (sizes.length <= MAX_FILES && total <= MAX_SKILL_BYTES) return
  const found = sizes.length > MAX_FILES ? `${sizes.length} files` : `${total} bytes`
  const most = sizes.length > MAX_FILES ? MAX_FILES : MAX_SKILL_BYTES
  const message = `The skill ${quoteName(name)} is not stored: it has ${found}, and ${most} are the most.`
  throw new SkillError('RESOURCE_TOO_LARGE', message)
}

function twins(name: string, path: string, other: string): SkillError {
  const reason =
    path === other ? 'is there twice, or is a file and a folder' : `and ${quoted(other)} are one to some file systems`
  const message = `The skill ${quoteName(name)} is not stored: ${quoted(path)} ${reason}. Rename one of them.`
  return new SkillError('RESOURCE_REFUSED', message, { path })
}

async function checkManifest(name: string, bytes: Uint8Array): Promise<CheckedSkill> {
  const { manifest, body, definition, diagnostics } = await parseSkill(bytes, { folderName: name })
  const error = diagnostics.find(({ severity }) => severity === 'error')
  if (manifest !== undefined && body !== undefined && definition !== undefined && manifest.name === name) {
    return { manifest, body, definition }
  }
  const reason = error?.message ?? `Its name is ${quote(manifest?.name ?? '')}.`
  throw new SkillError(
    'MANIFEST_INVALID',
    `The SKILL.md of ${quoteName(name)} is not stored: ${reason} ${error?.hint ?? 'Give both the same name.'}`,
    error?.line === undefined ? {} : { line: error.line },
  )
}
