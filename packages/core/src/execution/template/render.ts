import type * as Engine from 'liquidjs'
import type { Context, Liquid, Operators } from 'liquidjs'
import { shown } from '@repertoire/skill-md/internal'
import type { Parameters } from '../parameters/validate.ts'
import { filledText } from '../../text/hash.ts'

/** The text of a template; or what is wrong with it, with the line in the template if it is known. */
export type Rendered = { readonly text: string } | TemplateProblem

export interface TemplateProblem {
  /** As a sentence. */
  readonly problem: string
  /** 1-based, in the template. Absent: it is not known. */
  readonly line?: number
}

const MAX_TEMPLATE_CHARS = 1_000_000

const TIMEOUT_MS = 1_000

/** What values, lists and texts one template may make, as its engine counts them: about characters and items. */
const MAX_MADE = 2_000_000

/** The longest text that a template may become. */
const MAX_TEXT_CHARS = 1_000_000

/**
 * The filters that there are. Each takes time that grows with its input, and reads no property that a template names.
 */
const FILTERS: ReadonlySet<string> = new Set(
  (
    'abs append at_least at_most capitalize ceil date default divided_by downcase escape first floor join json last lstrip ' +
    'minus modulo newline_to_br plus prepend remove remove_first remove_last replace replace_first replace_last reverse ' +
    'round rstrip size slice split strip strip_newlines times truncate truncatewords upcase url_encode'
  ).split(' '),
)

/** Tags that read other files. They are not there at all. */
const READING_TAGS = ['include', 'render', 'layout', 'block'] as const

let engine: Promise<Liquid> | undefined

function strictEngine(): Promise<Liquid> {
  return (engine ??= import('liquidjs').then(createEngine))
}

function createEngine({ Liquid, defaultOperators }: typeof Engine): Liquid {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    // Without this, the engine reads files of the working folder.
    templates: {},
    parseLimit: MAX_TEMPLATE_CHARS,
    renderLimit: TIMEOUT_MS,
    memoryLimit: MAX_MADE,
    outputEscape: filledText,
    operators: timedOperators(defaultOperators),
  })
  for (const tag of READING_TAGS) delete liquid.tags[tag]
  for (const name of Object.keys(liquid.filters)) if (!FILTERS.has(name)) delete liquid.filters[name]
  return liquid
}

/** Returns what is wrong with a template whatever it is given; undefined if nothing is. */
export async function templateProblem(template: string): Promise<TemplateProblem | undefined> {
  const liquid = await strictEngine()
  try {
    liquid.parse(template)
    return undefined
  } catch (error) {
    return problemOf(error)
  }
}

/** Returns the names of the variables that a template uses and does not assign itself. */
export async function templateVariables(template: string): Promise<readonly string[]> {
  const liquid = await strictEngine()
  return liquid.globalVariablesSync(liquid.parse(template))
}

/**
 * Renders a Liquid template. It runs no code and reads no file; a variable that is not there is an error. Values are
 * inserted as they are: nothing in them is read as a template.
 * @param parameters data of JSON, and nothing else
 */
export async function renderTemplate(template: string, parameters: Parameters): Promise<Rendered> {
  const liquid = await strictEngine()
  try {
    // Nothing in it waits: the same in steps is several times slower, and lets nothing else have its turn either.
    const text: unknown = liquid.renderSync(liquid.parse(template), { ...parameters })
    if (typeof text !== 'string') return { problem: 'It did not become text.' }
    if (text.length <= MAX_TEXT_CHARS) return { text }
    return { problem: `It becomes ${text.length} characters of at most ${MAX_TEXT_CHARS}.` }
  } catch (error) {
    return problemOf(error)
  }
}

const LIMITS: ReadonlyMap<string, string> = new Map([
  ['template render limit exceeded', `takes longer than ${TIMEOUT_MS} ms`],
  ['memory alloc limit exceeded', 'makes more than it may'],
  ['parse length limit exceeded', `is longer than ${MAX_TEMPLATE_CHARS} characters`],
  ['Invalid string length', 'makes more than it may'],
])

function problemOf(error: unknown): TemplateProblem {
  const { message, line } = describe(error)
  const limit = LIMITS.get(message)
  const where = line === undefined ? {} : { line }
  if (limit !== undefined) return { problem: `It ${limit}.`, ...where }
  const unknown = /^undefined variable: (.*)$/s.exec(message)?.[1]
  if (unknown !== undefined)
    return { problem: `It uses the variable "${shown(unknown)}", which is not there.`, ...where }
  return { problem: `It is not a Liquid template that can be used here: ${shown(message)}.`, ...where }
}

/** The engine puts the place behind its messages, and keeps the plain one and the place beside. */
function describe(error: unknown): { readonly message: string; readonly line: number | undefined } {
  const { message, originalError, token } = Object(error) as {
    readonly message?: unknown
    readonly originalError?: { readonly message?: unknown }
    readonly token?: { readonly getPosition?: () => readonly number[] }
  }
  const plain = originalError?.message ?? message
  let line: number | undefined
  try {
    line = token?.getPosition?.()[0]
  } catch {
    // Not all of its errors have a place.
  }
  return { message: String(plain).replace(/, line:\d+, col:\d+$/, ''), line }
}

/**
 * Returns operators that are not begun when the time is over: `contains` and `==` go through lists and texts. The
 * engine looks at the time between the parts of a template alone.
 */
function timedOperators(operators: Operators): Operators {
  const timed = Object.entries(operators).map(([name, operator]) => {
    const run = operator as (...operands: unknown[]) => unknown
    return [
      name,
      (...operands: unknown[]) => {
        const context = operands.at(-1) as Partial<Context> | undefined
        if (context?.renderLimit !== undefined) checkTime(context as Context)
        return run(...operands)
      },
    ]
  })
  return Object.fromEntries(timed) as Operators
}

function checkTime({ renderLimit }: Context): void {
  renderLimit.check(performance.now())
}
