import type { core } from 'zod'
import { nearestNames, SkillError, type ConfigurationProblem, unicodeExpression } from '@repertoire/skill-md/internal'

const FOLDERS = 'a list of folders, or false for none'
const MILLISECONDS = 'a number of milliseconds, 0 or more'
const SWITCH = 'true or false'

/** What a setting expects that is no choice, as the end of a sentence. `{…}` is the names that an object has. */
const EXPECTED: ReadonlyMap<string, string> = new Map([
  ['$schema', 'the address of a schema'],
  ['enabled', SWITCH],
  ['listingBudget', '{…}, a number of tokens, a part of it from 0 to 1 and names, or false for no limit'],
  ['contextWindow', 'a number of tokens, more than 0'],
  ['admit', '{…}'],
  ['layers', 'a list of enterprise, personal, project, plugin, bundled, each at most once'],
  ['ask', 'a list of rules'],
  ['roots', 'folders by layer: {…}'],
  ['roots.enterprise', FOLDERS],
  ['roots.personal', FOLDERS],
  ['roots.project', FOLDERS],
  ['roots.plugin', FOLDERS],
  ['roots.bundled', 'true, false, or a list of folders'],
  ['toolMap', "the host's tools by name: { runCommand: 'Bash' }, or {…} for each"],
  ['toolRoot', 'an absolute path'],
  ['skillsDir', 'a folder'],
  ['writeRoot', 'a folder, or false for none'],
  ['folders', 'a list of folders'],
  ['packages', 'true, false, or a list of names of packages'],
  ['trustProject', SWITCH],
  ['followLinks', 'a list of enterprise, personal, project, plugin, bundled'],
  ['watch', SWITCH],
  ['cacheTtl', MILLISECONDS],
  ['minReloadInterval', MILLISECONDS],
])

/** What an issue says whose check has no message. */
const DEFAULT_MESSAGE = 'Invalid input'

/** A problem, with the path in the checked value to what it is about. */
export interface LocatedProblem {
  readonly problem: ConfigurationProblem
  readonly path: readonly PropertyKey[]
}

/** Turns the issues of a schema into problems, one for each setting. */
export async function problemsOf(
  issues: readonly core.$ZodIssue[],
  given: unknown,
  at?: string,
): Promise<readonly LocatedProblem[]> {
  const { configurationJsonSchema } = await import('./schema.ts')
  const schema: Shape = configurationJsonSchema()
  const problems = new Map<string, LocatedProblem>()
  for (const issue of flattened(issues)) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : []
    for (const name of unknown) {
      const path = [...issue.path, name]
      const key = path.map(String).join('.')
      problems.set(key, {
        path,
        problem: { key, message: unknownSetting(name, namesIn(schema, issue.path)), at },
      })
    }
    if (unknown.length > 0) continue
    const key = settingOf(issue.path)
    if (problems.has(key)) continue
    const names = (): string => `{ ${namesIn(schema, key === 'toolMap' ? [key, 'any'] : [key]).join(', ')} }`
    const shape = (EXPECTED.get(key) ?? choicesIn(schema.properties?.[key]) ?? 'an object of settings').replace(
      '{…}',
      names,
    )
    const value = issue.path.reduce<unknown>((inside, part) => propertyOf(inside, part), given)
    const inside = issue.path.map(String).join('.')
    const found = inside === key ? `not ${showValue(value)}` : `and "${inside}" is ${showValue(value)}`
    const message = ownReason(issue) ?? `takes ${shape}, ${found}`
    problems.set(key, { path: issue.path, problem: { key, message, at } })
  }
  return [...problems.values()]
}

/** What a setting's own reader or check says. */
function ownReason(issue: core.$ZodIssue): string | undefined {
  if (issue.code !== 'custom') return undefined
  const reason: unknown = issue.params?.['reason']
  if (typeof reason === 'string') return reason
  return issue.message === DEFAULT_MESSAGE ? undefined : `is refused: ${issue.message}`
}

/** An issue of a union contains those of its members: an unknown key among them says more than that none fits. */
function flattened(issues: readonly core.$ZodIssue[]): readonly core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue]
    const inside = issue.errors.flat().filter(({ code }) => code === 'unrecognized_keys')
    return inside.length > 0 ? inside.map((found) => ({ ...found, path: [...issue.path, ...found.path] })) : [issue]
  })
}

function settingOf(path: readonly PropertyKey[]): string {
  const depth = path[0] === 'roots' ? 2 : 1
  return path.slice(0, depth).map(String).join('.')
}

function unknownSetting(name: string, names: readonly string[]): string {
  const [nearest] = nearestNames(name, names, 1)
  return nearest === undefined ? 'is not a setting. Remove it' : `is not a setting. Did you mean "${nearest}"?`
}

/** The names that an object of settings may have, to suggest one for a typing error. */
function namesIn(schema: Shape, path: readonly PropertyKey[]): readonly string[] {
  let shapes: readonly Shape[] = formsOf(schema)
  for (const part of path)
    shapes = shapes.flatMap(({ properties, additionalProperties: others }) => {
      const shape = properties?.[String(part)] ?? (typeof others === 'object' ? others : undefined)
      return shape === undefined ? [] : formsOf(shape)
    })
  return shapes.flatMap(({ properties = {} }) => Object.keys(properties))
}

/** A part of a JSON Schema. */
interface Shape {
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | false
}

function choicesIn(shape?: Shape): string | undefined {
  return shape?.enum && `${shape.enum.slice(0, -1).join(', ')} or ${shape.enum.at(-1)}`
}

function formsOf(shape: Shape): readonly Shape[] {
  return shape.anyOf?.flatMap(formsOf) ?? [shape]
}

function propertyOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
}

function showValue(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  // JSON has neither NaN nor infinity, and would show null.
  const text =
    typeof value === 'number'
      ? String(value)
      : (jsonOf(value) ?? (typeof value === 'object' ? 'an object' : `a ${typeof value}`))
  return escapeControls(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** Returns undefined for a value without JSON, or one that is nested too deeply. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

const CONTROL = unicodeExpression(String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, 'gu')

/** Untrusted text as one line without characters that control a terminal. */
export function escapeControls(text: string): string {
  return text.replaceAll(CONTROL(), (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`)
}

/** How many problems the message lists. The error's `problems` has all of them. */
const MAX_LISTED = 50

/** All problems as one error. */
export function invalidConfiguration(problems: readonly ConfigurationProblem[]): SkillError {
  const [first] = problems
  const lines = problems.slice(0, MAX_LISTED + 1).map(({ key, message, at, line }) => {
    const where = at === undefined ? 'in code' : line === undefined ? at : `${at}:${line}`
    return escapeControls(`${where}: ${key === '' ? 'the configuration' : `"${key}"`} ${message}`)
  })
  const many = problems.length === 1 ? '' : `${problems.length} problems:\n`
  if (lines.length > MAX_LISTED) lines.splice(MAX_LISTED, Infinity, `and ${problems.length - MAX_LISTED} more`)
  return new SkillError('CONFIGURATION_INVALID', `The configuration is invalid. ${many}${lines.join('\n')}`, {
    ...(first?.at !== undefined && { path: first.at }),
    ...(first?.line !== undefined && { line: first.line }),
    problems,
  })
}
