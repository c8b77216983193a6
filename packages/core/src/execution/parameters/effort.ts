import { isObject, type Schema } from '../../manifest/parameter-schema.ts'

/** What comparing parameters with a schema may take, in schemas that are compared with a value: a fraction of a second. */
const MAX_EFFORT = 100_000

/** What one comparison of two values takes, such as with one of `enum`. */
const COMPARISON = 0.1

/** What one comparison of two items of a list takes, which must all be different. */
const PAIR = 0.01

/**
 * Whether comparing a value with a schema is certain to end soon. Both are limited by themselves, and together they are
 * multiplied: 10,000 values, each compared with 500 alternatives, took a minute.
 * @param schema as `readSchema` gives it
 */
export function isQuick(schema: Schema, value: unknown): boolean {
  let left = MAX_EFFORT

  const visit = (each: unknown, at: unknown): void => {
    if (!isObject(each)) return
    left -= 1
    if (Array.isArray(each['enum'])) left -= each['enum'].length * COMPARISON * sizeOf(at)
    if (each['const'] !== undefined) left -= COMPARISON * sizeOf(at)
    if (left < 0) return
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) visitAll(each[keyword], at)
    if (each['not'] !== undefined) visit(each['not'], at)
    if (Array.isArray(at)) visitItems(each, at)
    else if (isObject(at)) visitProperties(each, at)
  }

  const visitAll = (schemas: unknown, at: unknown): void => {
    if (Array.isArray(schemas)) for (const each of schemas) if (left >= 0) visit(each, at)
  }

  const visitItems = ({ items, uniqueItems }: Schema, list: readonly unknown[]): void => {
    if (uniqueItems === true) left -= (PAIR * list.length * sizeOf(list)) / 2
    if (items !== undefined) for (const item of list) if (left >= 0) visit(items, item)
  }

  const visitProperties = ({ properties, additionalProperties }: Schema, values: Schema): void => {
    for (const [name, each] of Object.entries(values)) {
      if (left < 0) return
      const own = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties
      visit(own, each)
    }
  }

  const sizeOf = (at: unknown): number => {
    if (typeof at !== 'object' || at === null) return 1
    let size = 1
    for (const each of Object.values(at)) size += sizeOf(each)
    left -= size * PAIR
    return size
  }

  visit(schema, value)
  return left >= 0
}
