import { SkillError } from '../errors.ts'
import { DEFAULT_MANIFEST } from '../ports/manifest.ts'
import type { Manifest, SkillDefinition } from '../ports/manifest.ts'
import { renderBlocks } from './definition/definition-block.ts'
import { FIELDS } from './fields/fields.ts'
import { quote } from './hidden.ts'
import { parseSkill } from './parse.ts'
import { findDifference, findNotPlain } from './plain-value.ts'

/** What a SKILL.md is made of. A `SkillDocument` that has a manifest is one. */
export interface SkillContent {
  /** A name and a description will do: what is left out has its default. */
  readonly manifest: Pick<Manifest, 'name' | 'description'> & Partial<Manifest>
  /** The text after the frontmatter. It is written as it stands. */
  readonly body?: string
  /** What the body defines. Where `body` is given too, it must hold this definition. */
  readonly definition?: SkillDefinition
}

type YamlLibrary = typeof import('yaml')

/**
 * Writes a SKILL.md. What is written is parsed again and compared, so that `parseSkill` gives back what was passed
 * here, field by field, or nothing is written at all. Defaults are left out, the fields of the standard come first and
 * as the standard has them. An instruction is the body as it stands; the definition of another type, where no body is
 * given, becomes a fenced code block.
 * @returns the file's text: UTF-8 when it is saved, the frontmatter's lines ended by a line feed
 * @throws {SkillError} MANIFEST_INVALID if the parser would refuse the file, or read something else in it
 * @throws {TypeError} if there is neither a body nor a definition
 */
export async function renderSkill({ manifest: given, body, definition }: SkillContent): Promise<string> {
  if (body === undefined && definition === undefined) throw new TypeError('renderSkill: pass a body or a definition.')
  const manifest: Manifest = { ...DEFAULT_MANIFEST, ...given }
  const fields = collectFields(manifest)
  const library = await import('yaml')
  const bodies = body === undefined ? renderBlocks(definition!, library) : [body]
  let problem: SkillError | undefined
  // The first is the better one to read; the second says what only escapes can, such as text of blank lines alone.
  for (const style of ['readable', 'escaped'] as const) {
    for (const text of bodies) {
      const written = `---\n${renderFields(fields, style, library)}---\n${text}`
      const found = await checkWritten(written, { manifest, ...(definition !== undefined && { definition }) }, text)
      if (found === undefined) return written
      problem ??= found
    }
  }
  throw problem ?? cannot('it has no text')
}

function collectFields(manifest: Manifest): ReadonlyMap<string, unknown> {
  for (const [key, value] of Object.entries(manifest)) {
    const foreign = value === undefined ? undefined : findNotPlain(value, key)
    if (foreign !== undefined) throw cannot(foreign)
  }
  const fields = new Map<string, unknown>()
  for (const [key, { property, written }] of FIELDS) {
    const value = written === undefined ? unlessDefault(property, manifest) : written(manifest)
    if (value !== undefined) fields.set(key, value)
  }
  for (const [key, value] of Object.entries(manifest.extra)) {
    if (fields.has(key)) throw cannot(`"extra" holds ${quote(key)}, which is a field`)
    fields.set(key, value)
  }
  return fields
}

/** Why the file does not say what it should; nothing where it does. */
async function checkWritten(
  written: string,
  { manifest, definition }: { readonly manifest: Manifest; readonly definition?: SkillDefinition },
  body: string,
): Promise<SkillError | undefined> {
  const read = await parseSkill(written)
  const error = read.diagnostics.find(({ severity }) => severity === 'error')
  if (error !== undefined) return cannot(lowerFirst(error.message.replace(/\.$/, '')), error.hint)
  const difference =
    findDifference(manifest, read.manifest, '') ??
    findDifference(body, read.body, 'body') ??
    (definition === undefined ? undefined : findDifference(definition, read.definition, 'definition'))
  return difference === undefined ? undefined : cannot(difference)
}

/** Text that readers of YAML, old and new ones, take for something else, or as the beginning of it. */
const AMBIGUOUS = /^(?:[-+.]?\d.*|y|n|yes|no|on|off|true|false|null|[-+]?\.(?:inf|nan)|~|=|<<)$/i
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\0-\x08\x0B-\x1F\x7F-\x9F\u2028\u2029\uFEFF]/

function renderFields(
  fields: ReadonlyMap<string, unknown>,
  style: 'readable' | 'escaped',
  { Document, Scalar, visit }: YamlLibrary,
): string {
  const document = new Document(fields, { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value !== 'string') return
      const plain = style === 'readable' && !AMBIGUOUS.test(node.value) && !UNPRINTABLE.test(node.value)
      if (!plain) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity })
}

/** A property's value; undefined where it is the default, of which the empty collections are equal. */
function unlessDefault(property: keyof Manifest, manifest: Manifest): unknown {
  const value: unknown = manifest[property]
  const fallback: unknown = DEFAULT_MANIFEST[property]
  if (value === fallback) return undefined
  return isEmpty(fallback) && isEmpty(value) ? undefined : value
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function cannot(reason: string, hint = 'Change the value.'): SkillError {
  return new SkillError('MANIFEST_INVALID', `No SKILL.md can say this: ${reason}. ${hint}`)
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
