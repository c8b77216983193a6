import { SkillError } from './errors.ts'
import { FIELDS } from './fields/fields.ts'
import { parseSkill } from './parse.ts'
import { findDifference, isObject, isWritable } from './plain-value.ts'
import { DEFAULT_MANIFEST, type Manifest, type SkillContent, type SkillDefinition } from './ports/manifest.ts'

type YamlLibrary = typeof import('js-yaml')

/** One line for each value, in quotes whatever old or new YAML readers do not read as text. */
const DUMP = { lineWidth: -1, noRefs: true, quoteStyle: 'double' } as const

/**
 * Renders a SKILL.md. The text is parsed again and compared, so that `parseSkill` returns what was passed here, field
 * by field; otherwise it throws. Defaults are left out. The standard fields come first, in their standard form. An
 * instruction is the body; another type's definition, if no body is given, becomes a fenced code block.
 * @returns the file's text, to be saved as UTF-8; the frontmatter's lines end with a line feed
 * @throws {SkillError} MANIFEST_INVALID if the parser would refuse the file, or read different content from it
 * @throws {TypeError} if the content is not an object, or has neither a body nor a definition
 */
export async function renderSkill(content: SkillContent): Promise<string> {
  return render(content, [])
}

/** Renders a SKILL.md as a store keeps it: it states type and status, also if they are the default. */
export async function renderStored(content: SkillContent): Promise<string> {
  return render(content, ['type', 'status'])
}

/** @param stated fields that are written also if they are the default */
async function render(content: SkillContent, stated: readonly string[]): Promise<string> {
  if (!isObject(content)) throw new TypeError('renderSkill: pass an object { manifest, body, definition }.')
  const { manifest: given, body, definition, text: whole } = content
  if (body === undefined && definition === undefined) throw new TypeError('renderSkill: pass a body or a definition.')
  const manifest: Manifest = { ...DEFAULT_MANIFEST, ...given }
  const bad = Object.entries({ ...manifest, body, definition }).find(
    ([, value]) => !(value === undefined || isWritable(value)),
  )
  if (bad !== undefined) throw cannotRender(`"${bad[0]}" holds what YAML cannot, such as a function or itself`)
  const rules: readonly unknown[] = [manifest.allowedTools ?? [], manifest.disallowedTools ?? []].flat()
  if (!rules.every((rule) => isObject(rule) && typeof rule['tool'] === 'string')) {
    throw cannotRender('"allowedTools" or "disallowedTools" is not a list of rules { tool: "Bash", pattern: "git:*" }')
  }
  if (definition !== undefined && !isObject(definition)) throw cannotRender('the definition is not an object')
  if (whole !== undefined) {
    const found = await checkWritten(whole, { manifest, body, definition })
    if (found !== undefined) throw found
    return whole
  }
  const library = await import('js-yaml')
  const fields = collectFields(manifest, stated)
  const bodies = body === undefined ? renderBlocks(definition!, library) : [body]
  let problem: SkillError | undefined
  // `readable` is preferred; some text needs escapes, such as text that consists only of blank lines.
  for (const style of ['readable', 'escaped'] as const) {
    for (const text of bodies) {
      const written = `---\n${renderFields(fields, style, library)}---\n${text}`
      const found = await checkWritten(written, { manifest, body: body ?? text, definition })
      if (found === undefined) return written
      problem ??= found
    }
  }
  throw problem!
}

function collectFields(manifest: Manifest, stated: readonly string[]): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const [key, { property, written = unlessDefault(property) }] of FIELDS) {
    const value = stated.includes(key) ? manifest[property] : written(manifest)
    if (value !== undefined) fields.set(key, value)
  }
  for (const [key, value] of Object.entries(manifest.extra)) fields.set(key, value)
  return fields
}

/** Returns an error if the rendered file does not parse to what it should hold; undefined if it does. */
async function checkWritten(
  written: string,
  { manifest, body, definition }: Omit<SkillContent, 'manifest' | 'text'> & { readonly manifest: Manifest },
): Promise<SkillError | undefined> {
  const read = await parseSkill(written)
  const error = read.diagnostics.find(({ severity }) => severity === 'error')
  if (error !== undefined) return cannotRender(error.message.replace(/\.$/, ''))
  const difference =
    findDifference(manifest, read.manifest, '') ??
    (body === undefined ? undefined : findDifference(body, read.body, 'body')) ??
    (definition === undefined ? undefined : findDifference(definition, read.definition, 'definition'))
  return difference === undefined ? undefined : cannotRender(difference)
}

function renderFields(
  fields: ReadonlyMap<string, unknown>,
  style: 'readable' | 'escaped',
  { dump }: YamlLibrary,
): string {
  // Each by itself: in one object, JavaScript puts keys that are numbers first.
  return Array.from(fields, ([key, value]) =>
    dump({ [key]: value }, { ...DUMP, forceQuotes: style === 'escaped' }),
  ).join('')
}

/** Returns a property's value; undefined if it equals the default. Empty collections count as equal. */
function unlessDefault(property: keyof Manifest): (manifest: Manifest) => unknown {
  const fallback: unknown = DEFAULT_MANIFEST[property]
  return ({ [property]: value }) => (value === fallback || (isEmpty(fallback) && isEmpty(value)) ? undefined : value)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function cannotRender(reason: string): SkillError {
  return new SkillError('MANIFEST_INVALID', `This cannot be written as a SKILL.md: ${reason}. Change the value.`)
}

/**
 * Returns candidate bodies for a definition, the most readable first. The caller must parse a candidate to verify it:
 * the text of a script may itself look like a mapping.
 */
function renderBlocks({ type, ...parts }: SkillDefinition, { dump }: YamlLibrary): readonly string[] {
  const { content, script, language = '', template } = parts as Partial<Record<string, string>>
  if (type === 'instruction') return [String(content)]
  const texts =
    typeof script === 'string'
      ? [fenced(language, script)]
      : typeof template === 'string'
        ? [fenced('', template), fenced('text', template)]
        : []
  // A block scalar may end with line feeds that are part of it; only the very last one ends the block's last line.
  const yaml = dump(parts, DUMP).replace(/\n$/, '')
  return [...texts, fenced('yaml', yaml), fenced('json', JSON.stringify(parts, undefined, 2))]
}

/** Returns a code block whose fence is longer than any in the text. */
function fenced(language: string, text: string): string {
  let length = 3
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1)
  const fence = '`'.repeat(length)
  return `\n${fence}${language}\n${text}\n${fence}\n`
}
