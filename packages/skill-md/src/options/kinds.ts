import { DEFAULT_LAYERS } from '../ports/skill.ts'
import { MAX_TIMER_MS } from '../ports/limits.ts'
import { isObject } from '../plain-value.ts'
import {
  type AnyTable,
  copyOf,
  copyTable,
  described,
  firstOf,
  joined,
  type OptionKind,
  type OptionTable,
  type RequiredKind,
  tableProblem,
  wrong,
} from './table.ts'

/** Makes an option required. */
export function required(kind: OptionKind): RequiredKind {
  return { ...kind, required: true }
}

/** Gives an option a default, as the documentation shows it. */
export function withDefault(value: unknown, kind: OptionKind): OptionKind {
  return { ...kind, default: value }
}

export const text: OptionKind = kindOf(
  'a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
)

export const anyText: OptionKind = kindOf('a string', (value) => typeof value === 'string')

/** A string that no message repeats. */
export const secret: OptionKind = {
  expects: 'a secret as a string',
  problem: (value, path) => {
    if (typeof value === 'string' && value !== '') return undefined
    return `\`${path}\` ${value === '' ? 'is empty' : 'is not a string'}. Give a secret as a string, or leave it out.`
  },
}

export const flag: OptionKind = kindOf('true or false', (value) => typeof value === 'boolean')

export const callable: OptionKind = functionOf('a function')

export const signal: OptionKind = withMethods('an AbortSignal', 'addEventListener')

/** `false`, in the place of another kind. */
export const off: OptionKind = kindOf('false', (value) => value === false)

export const layerKind: OptionKind = oneOf(...DEFAULT_LAYERS)

export const textOrOff: OptionKind = either(text, off)

export const sessionKind: OptionKind = withMethods('a session, as from `repertoire.openSession()`', 'step', 'call')

export const repertoireKind: OptionKind = withMethods(
  "a repertoire, as from `await openSkills('.agents/skills')`",
  'openSession',
)

export const watchKind: OptionKind = tableOf<{ by?: string; interval?: number }>({
  by: withDefault('events', oneOf('events', 'polling')),
  interval: withDefault(2_000, number('milliseconds', { above: 0, to: MAX_TIMER_MS })),
})

/** A function. `expects` says which. */
export function functionOf(expects: string): OptionKind {
  return kindOf(expects, (value) => typeof value === 'function')
}

/** One of a few strings. */
export function oneOf(...values: readonly string[]): OptionKind {
  const names = values.map((value) => `"${value}"`)
  const expects = names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
  return kindOf(expects, (value) => (values as readonly unknown[]).includes(value))
}

interface NumberRange {
  /** The least value. Default: any. */
  readonly from?: number
  /** A limit that the value is above. Default: none. */
  readonly above?: number
  /** The greatest value. Default: any finite one. */
  readonly to?: number
  readonly isWhole?: boolean
  /** Whether `Infinity` may be given, for no limit. */
  readonly isUnlimited?: boolean
}

/** A number. `what` is what it counts, such as `milliseconds`. */
export function number(what: string, range: NumberRange): OptionKind {
  const { from, above, to = Infinity, isWhole = false, isUnlimited = false } = range
  const isInside = (value: unknown): boolean =>
    typeof value === 'number' &&
    (value < Infinity || (isUnlimited && to === Infinity)) &&
    (!isWhole || Number.isSafeInteger(value) || value === Infinity) &&
    value <= to &&
    (from === undefined || value >= from) &&
    (above === undefined || value > above)
  return kindOf(
    `${isWhole ? 'a whole number' : 'a number'}${what === '' ? '' : ` of ${what}`}${words(range)}`,
    isInside,
  )
}

function words({ from, above, to, isUnlimited }: NumberRange): string {
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}`
  const least = from !== undefined ? `, ${from} or more` : above !== undefined ? `, more than ${above}` : ''
  const most = to === undefined ? '' : `${least === '' ? ',' : ' and'} at most ${to}`
  return `${least}${most}${isUnlimited === true ? '; Infinity for no limit' : ''}`
}

/** A time in milliseconds, more than 0 or `Infinity`. */
export const timeLimit: OptionKind = number('milliseconds', { above: 0, isUnlimited: true })

/** A list of values of one kind. */
export function listOf(kind: OptionKind, expects = `a list; each item is ${kind.expects}`): OptionKind {
  return {
    expects,
    problem: (value, path) => {
      if (!Array.isArray(value)) return wrong(path, value, expects)
      return firstOf(value.entries(), ([index, item]) => kind.problem(item, `${path}[${index}]`))
    },
    copy: (value) => (Array.isArray(value) ? value.map((item: unknown) => copyOf(kind, item)) : value),
  }
}

/** A list that names nothing twice. */
export function distinctListOf(kind: OptionKind, expects: string): OptionKind {
  const list = listOf(kind, expects)
  const problem: OptionKind['problem'] = (value, path) => {
    const items = Array.isArray(value) ? value : []
    const twice: unknown = items.find((item, index) => items.indexOf(item) !== index)
    const repeats = twice === undefined ? undefined : `\`${path}\` names ${described(twice)} twice. Name it once.`
    return list.problem(value, path) ?? repeats
  }
  return { ...list, problem }
}

/** An object whose keys are the caller's, with values of one kind. */
export function recordOf(kind: OptionKind, expects = `an object; each value is ${kind.expects}`): OptionKind {
  return {
    expects,
    problem: (value, path) => {
      if (!isObject(value)) return wrong(path, value, expects)
      return firstOf(Object.entries(value), ([name, item]) => kind.problem(item, joined(path, name)))
    },
    copy: (value) =>
      isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyOf(kind, item)]))
        : value,
  }
}

export function tableOf<Options extends object>(table: OptionTable<Options>): OptionKind {
  const options: AnyTable = table
  return {
    expects: `an object { ${Object.keys(options).join(', ')} }`,
    problem: (value, path) => tableProblem(options, value, path),
    copy: (value) => copyTable(options, value),
    options,
  }
}

/** A value of any of several kinds. */
export function either(...kinds: readonly OptionKind[]): OptionKind {
  const expects = kinds.map((kind) => kind.expects).join(', or ')
  return {
    expects,
    problem: (value, path) => {
      if (kinds.some((kind) => kind.problem(value, path) === undefined)) return undefined
      const isNear = (kind: OptionKind): boolean => kind.problem(value, path) !== wrong(path, value, kind.expects)
      // A kind that says more than that the value is no such thing was meant.
      return kinds.findLast(isNear)?.problem(value, path) ?? wrong(path, value, expects)
    },
    copy(value) {
      const copies = kinds.map((kind) => ({ kind, copy: copyOf(kind, value) }))
      return (copies.find(({ kind, copy }) => kind.problem(copy, '') === undefined) ?? { copy: value }).copy
    },
    options: kinds.find((kind) => kind.options !== undefined)?.options,
  }
}

/** A value of the host's, such as a client. Nothing in it is read beyond `test`. Default: object, function or text. */
export function foreign(expects: string, test: (value: unknown) => boolean = isGiven): OptionKind {
  return kindOf(expects, test)
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== '' && ['object', 'function', 'string'].includes(typeof value)
}

/** Environment variables, by name. One that is undefined is not set. */
export const variables: OptionKind = recordOf(
  either(
    anyText,
    foreign('undefined', (value) => value === undefined),
  ),
  'an object of variables, such as { NAME: "value" }',
)

/** Whatever the host gives: it is judged later, with its own error, or passed on. */
export const anything: OptionKind = foreign('any value', () => true)

/** An object of the host's that has some methods. */
export function withMethods(expects: string, ...methods: readonly string[]): OptionKind {
  return {
    expects,
    problem: (value, path) => {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null)
        return wrong(path, value, expects)
      const isMissing = (name: string): boolean => typeof (value as Record<string, unknown>)[name] !== 'function'
      const missing = methods.find(isMissing)
      if (missing !== undefined && !isMissing('then')) return `\`${path}\` is a promise. Await it, and give ${expects}.`
      return missing === undefined ? undefined : `\`${path}\` has no \`${missing}\`. Give ${expects}.`
    },
  }
}

function kindOf(expects: string, test: (value: unknown) => boolean): OptionKind {
  return { expects, problem: (value, path) => (test(value) ? undefined : wrong(path, value, expects)) }
}
