import type { Context, FilterImplOptions, Operators } from 'liquidjs'

/** Filters whose first argument is the name of a property. They read it for each item. */
const OF_PROPERTIES: ReadonlySet<string> = new Set(
  'sort sort_natural map sum where reject group_by has find find_index compact'.split(' '),
)

/** The longest name of a property. */
const MAX_NAME_CHARS = 200

/** Filters that evaluate an expression for each item, or take more than linear time: how many items they take. */
const MAX_ITEMS: ReadonlyMap<string, number> = new Map(
  'sample where_exp reject_exp group_by_exp has_exp find_exp find_index_exp'.split(' ').map((name) => [name, 20_000]),
)

/**
 * Returns a filter that is not begun when the time is over. The engine looks at the time between the parts of a template
 * alone: a filter that evaluates an expression for each item of a list, which itself goes through the list, went on for
 * minutes.
 */
export function timedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  const { handler, raw = false } = typeof filter === 'function' ? { handler: filter } : filter
  return {
    raw,
    handler(value: unknown, ...args: unknown[]) {
      checkTime(this.context)
      if (OF_PROPERTIES.has(name)) checkName(name, args[0])
      checkItems(name, value)
      return handler.call(this, value, ...args) as unknown
    },
  }
}

/** Returns operators that are not begun when the time is over: `contains` and `==` go through lists and texts. */
export function timedOperators(operators: Operators): Operators {
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

function checkName(filter: string, property: unknown): void {
  const isLong = typeof property === 'string' && property.length > MAX_NAME_CHARS
  if (isLong || (typeof property === 'object' && property !== null)) {
    throw new TypeError(`the filter "${filter}" takes the name of a property, of at most ${MAX_NAME_CHARS} characters`)
  }
}

function checkItems(filter: string, value: unknown): void {
  const most = MAX_ITEMS.get(filter) ?? Infinity
  const count = Array.isArray(value) || typeof value === 'string' ? value.length : 0
  if (count > most) throw new RangeError(`the filter "${filter}" takes at most ${most} items`)
}
