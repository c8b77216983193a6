import type { Manifest } from '@repertoire/core'
import { UsageError } from '../usage-error.ts'

/**
 * Separates the operands of a command from what is passed on.
 * @param operands all of them, without `--`
 * @param args everything that was given, with `--`
 */
export function splitAtDashes(operands: readonly string[], args: readonly string[]) {
  const at = args.indexOf('--')
  const count = at < 0 ? 0 : args.length - at - 1
  return { before: operands.slice(0, operands.length - count), behind: operands.slice(operands.length - count) }
}

const PAIR = /^([^\s="'{]+)=([^]*)$/

/**
 * Returns the arguments of a skill that is executed: `name=value` for each as a JSON object, anything else as it is.
 * @returns undefined if there are no arguments
 * @throws {UsageError} some are `name=value` and others are not, or one name is given twice
 */
export function parametersText(args: readonly string[], parameters: Manifest['parameters']): string | undefined {
  if (args.length === 0) return undefined
  const [first = ''] = args
  if (args.length === 1 && !PAIR.test(first)) return first
  const pairs = args.map((arg) => PAIR.exec(arg))
  if (pairs.every((pair) => pair === null)) return args.map(quoted).join(' ')
  const schemas = Object(parameters?.['properties']) as Readonly<
    Record<string, { readonly type?: unknown } | undefined>
  >
  const values = new Map<string, unknown>()
  for (const [index, pair] of pairs.entries()) {
    if (pair === null)
      throw new UsageError(
        `Behind --, "${args[index]}" is not NAME=VALUE, as others are. Give all so, or one JSON object.`,
      )
    const [, name = '', text = ''] = pair
    if (values.has(name)) throw new UsageError(`The parameter "${name}" is given twice.`)
    values.set(name, typed(text, Object.hasOwn(schemas, name) ? schemas[name]?.type : undefined))
  }
  return JSON.stringify(Object.fromEntries(values))
}

/** Converts the text to the parameter's type if possible. Core judges whether it fits. */
function typed(text: string, type: unknown): unknown {
  if (type === undefined || [type].flat().includes('string')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** One word for `splitWords` of core, which reads quotes as a shell does. */
function quoted(word: string): string {
  return /^[\w./:@%+,-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
