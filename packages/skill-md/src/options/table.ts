import { isObject } from '../plain-value.ts'
import { nearestNames } from '../text/nearest.ts'
import { quote, quoteName, shown, showName } from '../text/escape.ts'

/** A kind of value that an option takes. */
export interface OptionKind {
  /** What the option takes, as the end of the sentence "Give …". */
  readonly expects: string
  /** Returns what is wrong with a value, as one or two sentences; undefined: nothing is. */
  readonly problem: (value: unknown, path: string) => string | undefined
  /**
   * Returns a copy that later changes of the caller's lists and objects do not reach, of a value of any kind. Absent:
   * the value itself is kept.
   */
  readonly copy?: (value: unknown) => unknown
  /** What holds where the option is left out: a value, or a few words. Absent: nothing. */
  readonly default?: unknown
  readonly required?: undefined
  /** The options of an object. */
  readonly options?: AnyTable
}

/** A kind of value that an option must have. */
export interface RequiredKind extends Omit<OptionKind, 'required'> {
  readonly required: true
}

/** The options of one public function, by name. It has exactly the keys of its interface, or does not compile. */
export type OptionTable<Options extends object> = {
  readonly [Name in keyof Options]-?: {} extends Pick<Options, Name> ? OptionKind : RequiredKind
}

/** Options once their defaults are filled in. */
export type WithDefaults<Options extends object> = {
  readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined>
}

export type AnyTable = Readonly<Record<string, OptionKind | RequiredKind>>

/** What the documentation shows of an option. */
export interface OptionRow {
  /** Such as `policy.deny`. */
  readonly path: string
  readonly expects: string
  readonly default: unknown
  readonly isRequired: boolean
}

/**
 * Checks the options of a public function, before anything else is done.
 * @param name the function, for the message
 * @param example a correct call, for the message about a name that is unknown. Default: none
 * @throws {TypeError} an unknown name, a missing option, or a value of the wrong kind, at any depth
 */
export function checkOptions<Options extends object>(
  name: string,
  table: OptionTable<Options>,
  options: unknown,
  example?: string,
): void {
  const problem = tableProblem(table, options === undefined ? {} : options, '', example)
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`)
}

/** Checks an argument that is not an object of options. @throws {TypeError} it is of another kind */
export function checkArgument(name: string, argument: string, kind: OptionKind, value: unknown): void {
  const problem = kind.problem(value, argument)
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`)
}

/**
 * Reads options once, and checks what was read: neither a getter nor a later change of the caller's lists and objects
 * reaches the copy.
 * @throws {TypeError} as `checkOptions`
 */
export function readOptions<Options extends object>(
  name: string,
  table: OptionTable<Options>,
  options: unknown,
  example?: string,
): Options {
  const read = copyTable(table, options === undefined ? {} : options)
  checkOptions(name, table, read, example)
  return read as Options
}

/** Returns a table without some of its options. */
export function tableWithout<Table extends object, Name extends keyof Table & string>(
  table: Table,
  ...names: readonly Name[]
): Omit<Table, Name> {
  const entries = Object.entries(table).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(entries) as Omit<Table, Name>
}

/** Returns the rows of a table, and of the objects in it, for the documentation. */
export function optionRows(table: AnyTable, prefix = ''): readonly OptionRow[] {
  return Object.entries(table).flatMap(([name, kind]) => {
    const path = prefix + name
    const row = { path, expects: kind.expects, default: kind.default, isRequired: kind.required === true }
    return [row, ...(kind.options === undefined ? [] : optionRows(kind.options, `${path}.`))]
  })
}

export function tableProblem(table: AnyTable, value: unknown, path: string, example?: string): string | undefined {
  const names = Object.keys(table)
  const call = example === undefined ? '' : ` For example: ${example}.`
  if (!isOptions(value)) {
    const expects = `an object { ${names.join(', ')} }`
    return path === '' ? `the options are ${described(value)}. Give ${expects}.${call}` : wrong(path, value, expects)
  }
  // With those of a prototype: an object may have its options from there.
  for (const name in value) {
    if (Object.hasOwn(table, name)) continue
    const meant = meantBy(name, table, path)
    const known = `The options${path === '' ? '' : ` of \`${path}\``} are ${names.map((each) => `\`${each}\``).join(', ')}.`
    const hint = meant === undefined ? known : `Did you mean \`${meant}\`?`
    return `unknown option \`${joined(path, name)}\`. ${hint}${call}`
  }
  const entries = Object.entries(table)
  const isGiven = (name: string): boolean => value[name] !== undefined
  return (
    firstOf(entries, ([name, kind]) => (isGiven(name) ? kind.problem(value[name], joined(path, name)) : undefined)) ??
    firstOf(entries, ([name, { required, expects }]) =>
      required === true && !isGiven(name) ? `\`${joined(path, name)}\` is missing. Give ${expects}.` : undefined,
    )
  )
}

/**
 * The path of the option that an unknown name means: one of the same name a level deeper, one that it is the beginning
 * of ("arg" means `argument`, not `as`), or a similar one.
 */
function meantBy(name: string, table: AnyTable, path: string): string | undefined {
  const names = Object.keys(table)
  const owners = names.filter((each) => Object.hasOwn(table[each]?.options ?? {}, name))
  if (owners.length === 1) return joined(joined(path, owners[0]!), name)
  const begun = names.filter((each) => name.length > 2 && each.startsWith(name))
  const [nearest] = begun.length === 1 ? begun : nearestNames(name, names, 1)
  return nearest === undefined ? undefined : joined(path, nearest)
}

/** Returns a copy of options, whatever they are. Names that are not in the table are kept: they are refused later. */
export function copyTable(table: AnyTable, value: unknown): unknown {
  if (!isOptions(value)) return value
  const copies = Object.entries(table).map(([name, kind]) => [name, copyOf(kind, value[name])] as const)
  const unknown: (readonly [name: string, value: unknown])[] = []
  for (const name in value) if (!Object.hasOwn(table, name)) unknown.push([name, value[name]])
  return Object.fromEntries([...copies.filter(([, part]) => part !== undefined), ...unknown])
}

/** Whether a value is an object of options. A promise, a map or a date is not, although each is an object. */
function isOptions(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.prototype.toString.call(value) === '[object Object]'
}

export function copyOf(kind: OptionKind | RequiredKind, value: unknown): unknown {
  return kind.copy === undefined || value === undefined ? value : kind.copy(value)
}

export function firstOf<T>(items: Iterable<T>, problem: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = problem(item)
    if (found !== undefined) return found
  }
  return undefined
}

export function joined(path: string, name: string): string {
  if (!/^[\w$]+$/.test(name)) return `${path}[${quoteName(name)}]`
  return path === '' ? showName(name) : `${path}.${showName(name)}`
}

export function wrong(path: string, value: unknown, expects: string): string {
  return `\`${path}\` is ${described(value)}. Give ${expects}.`
}

/** A foreign object is not turned into a text, which may run its code. */
export function described(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'empty' : quote(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null) return 'an object'
  return shown(String(value))
}
