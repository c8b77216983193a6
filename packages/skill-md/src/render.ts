import { SkillError } from './errors.ts'
import { FIELDS } from './fields/fields.ts'
import { parseSkill } from './parse.ts'
import { findDifference, findNotPlain, isObject } from './plain-value.ts'
import { DEFAULT_MANIFEST, type Manifest, type SkillContent, type SkillDefinition } from './ports/manifest.ts'
import { quote, shown } from './text/escape.ts'

type YamlLibrary = typeof import('js-yaml')

/** One line for each value, in quotes whatever old or new YAML readers do not read as text. */
const DUMP = { lineWidth: -1, noRefs: true, quoteStyle: 'double' } as const

/** The types that a skill can have, and what a definition of each has. */
const DEFINED: Readonly<Record<string, readonly string[]>> = {
  instruction: ['content'],
  composite: ['steps'],
  script: ['script', 'language'],
  template: ['template'],
} satisfies Record<SkillDefinition['type'], readonly string[]>

/**
 * Renders a SKILL.md. The text is parsed again and compared, so that `parseSkill` returns what was passed here, field by
 * field; otherwise this function throws. Defaults are left out. The standard fields come first, in their standard form.
 * An instruction is the body itself; the definition of another type, if no body is given, becomes a fenced code block.
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
  const fields = collectFields(manifest, stated)
  if (body !== undefined && typeof body !== 'string') throw cannotRender('the body is not a text')
  const unusable = definition === undefined ? undefined : definitionProblem(definition)
  if (unusable !== undefined) throw cannotRender(unusable)
  if (whole !== undefined) {
    const found = await checkWritten(whole, { manifest, body, definition })
    if (found !== undefined) throw found
    return whole
  }
  const library = await import('js-yaml')
  const bodies = body === undefined ? renderBlocks(definition!, library) : [body]
  let problem: SkillError | undefined
  // `readable` is preferred; some text needs escapes, such as text that consists only of blank lines.
  for (const style of ['readable', 'escaped'] as const) {
    for (const text of bodies) {
      const written = `---\n${renderFields(fields, style, library)}---\n${text}`
      const found = await checkWritten(written, { manifest, body: text, definition })
      if (found === undefined) return written
      problem ??= found
    }
  }
  throw problem ?? cannotRender('it has no text')
}

function collectFields(manifest: Manifest, stated: readonly string[]): ReadonlyMap<string, unknown> {
  const properties = new Set<string>(Array.from(FIELDS.values(), ({ property }) => property)).add('extra')
  for (const [key, value] of Object.entries(manifest)) {
    if (value === undefined) continue
    const problem = properties.has(key)
      ? (findNotPlain(value, key) ?? shapeProblem(key, value))
      : `a manifest has no property ${quote(key)}; fields of your own are in "extra"`
    if (problem !== undefined) throw cannotRender(problem)
  }
  const fields = new Map<string, unknown>()
  for (const [key, { property, written }] of FIELDS) {
    const value = stated.includes(key)
      ? manifest[property]
      : written === undefined
        ? unlessDefault(property, manifest)
        : written(manifest)
    if (value !== undefined) fields.set(key, value)
  }
  for (const [key, value] of Object.entries(manifest.extra)) {
    if (fields.has(key)) throw cannotRender(`"extra" holds ${quote(key)}, which is a field`)
    fields.set(key, value)
  }
  return fields
}

/** Returns why a field does not have the form of a manifest, but one that only a file may have. */
function shapeProblem(key: string, value: unknown): string | undefined {
  if (key === 'allowedTools' || key === 'disallowedTools') {
    const isRules =
      Array.isArray(value) && value.every((rule: unknown) => isObject(rule) && typeof rule['tool'] === 'string')
    return isRules ? undefined : `"${key}" is not a list of rules such as { tool: "Bash", pattern: "git:*" }`
  }
  if (key !== 'parameters' || (isObject(value) && value['type'] === 'object')) return undefined
  return '"parameters" is not the JSON Schema of an object, { type: "object", properties: { … } }'
}

/** Returns why a value is not the definition of a skill. */
function definitionProblem(definition: unknown): string | undefined {
  if (!isObject(definition)) return 'the definition is not an object'
  const { type, ...parts } = definition
  const names = typeof type === 'string' && Object.hasOwn(DEFINED, type) ? DEFINED[type]! : undefined
  if (names === undefined) {
    return `there is no type ${quote(String(type))}. The types are ${Object.keys(DEFINED).join(', ')}`
  }
  const unknown = Object.keys(parts).find((key) => parts[key] !== undefined && !names.includes(key))
  if (unknown !== undefined) {
    return `unknown \`definition.${shown(unknown)}\`: ${String(type)} has \`${names.join('`, `')}\``
  }
  if (type === 'composite') {
    if (!Array.isArray(parts['steps'])) return 'a plan needs `steps`, a list of { tool, parameters }'
    const bad = parts['steps'].findIndex((step) => !isStep(step))
    if (bad >= 0) return `step ${bad + 1} needs \`tool\`, the name of a tool, and \`parameters\`, an object`
  } else {
    const wrong = names.find(
      (name) => typeof parts[name] !== 'string' && (name !== 'language' || parts[name] !== undefined),
    )
    if (wrong !== undefined) return `the definition needs \`${wrong}\`, a text`
  }
  return findNotPlain(definition, 'definition', 'absent')
}

function isStep(step: unknown): boolean {
  return isObject(step) && typeof step['tool'] === 'string' && isObject(step['parameters'])
}

/** Returns an error if the rendered file does not parse to what it should hold; undefined if it does. */
async function checkWritten(
  written: string,
  { manifest, body, definition }: Omit<SkillContent, 'manifest' | 'text'> & { readonly manifest: Manifest },
): Promise<SkillError | undefined> {
  const read = await parseSkill(written)
  const error = read.diagnostics.find(({ severity }) => severity === 'error')
  if (error !== undefined) return cannotRender(lowerFirst(error.message.replace(/\.$/, '')), error.hint)
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
function unlessDefault(property: keyof Manifest, manifest: Manifest): unknown {
  const value: unknown = manifest[property]
  const fallback: unknown = DEFAULT_MANIFEST[property]
  if (value === fallback) return undefined
  return isEmpty(fallback) && isEmpty(value) ? undefined : value
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function cannotRender(reason: string, hint = 'Change the value.'): SkillError {
  return new SkillError('MANIFEST_INVALID', `This cannot be written as a SKILL.md: ${reason}. ${hint}`)
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/**
 * Returns candidate bodies for a definition, the most readable first. The caller must parse a candidate to verify it: the
 * text of a script may itself look like a mapping.
 */
function renderBlocks(definition: SkillDefinition, library: YamlLibrary): readonly string[] {
  if (definition.type === 'instruction') return [definition.content]
  if (definition.type === 'composite') {
    const steps = definition.steps.map(({ tool, description, parameters, ...rest }) => ({
      tool,
      ...(description !== undefined && { description }),
      ...(Object.keys(parameters).length > 0 && { parameters }),
      ...rest,
    }))
    return asMapping({ steps }, library)
  }
  const { type, ...parts } = definition
  const texts =
    type === 'script'
      ? [fenced(definition.language ?? '', definition.script)]
      : [fenced('', definition.template), fenced('text', definition.template)]
  return [...texts, ...asMapping(parts, library)]
}

function asMapping(value: object, { dump }: YamlLibrary): readonly string[] {
  const yaml = dump(value, DUMP)
  // A block scalar may end with line feeds that are part of it; only the very last one ends the block's last line.
  return [fenced('yaml', yaml.replace(/\n$/, '')), fenced('json', JSON.stringify(value, undefined, 2))]
}

/** Returns a code block whose fence is longer than any in the text. */
function fenced(language: string, text: string): string {
  let length = 3
  for (const [run] of text.matchAll(/`{3,}/g)) length = Math.max(length, run.length + 1)
  const fence = '`'.repeat(length)
  return `\n${fence}${language}\n${text}\n${fence}\n`
}
