import { SCRIPT_ARGUMENT_LIMITS } from '../ports/limits.ts'
import { quote } from '../text/quote.ts'

const { count: MAX_ARGUMENTS, oneBytes: MAX_ARGUMENT_BYTES, allBytes: MAX_TOTAL_BYTES } = SCRIPT_ARGUMENT_LIMITS

const encoder = new TextEncoder()

/** Returns what keeps arguments from being passed to a program, as a sentence; undefined where nothing does. */
export function argumentsProblem(args: readonly unknown[]): string | undefined {
  if (args.length > MAX_ARGUMENTS) return `There are ${args.length} arguments; a script takes at most ${MAX_ARGUMENTS}.`
  let total = 0
  for (const [index, arg] of args.entries()) {
    const which = `Argument ${index + 1}`
    if (typeof arg !== 'string') return `${which} is not a string. Give a list of strings.`
    if (arg.includes('\0')) return `${which} (${quote(arg)}) holds the character NUL, which no program can be given.`
    if (!arg.isWellFormed()) return `${which} (${quote(arg)}) is not a valid text: it holds half of a character.`
    // A text has at least as many bytes as code units: one that is far too long is not encoded.
    const bytes = arg.length > MAX_ARGUMENT_BYTES ? arg.length : encoder.encode(arg).length
    if (bytes > MAX_ARGUMENT_BYTES) {
      return `${which} is longer than ${MAX_ARGUMENT_BYTES} bytes. Write it to a file, and pass the file's path.`
    }
    total += bytes
  }
  return total > MAX_TOTAL_BYTES
    ? `The arguments are longer than ${MAX_TOTAL_BYTES} bytes together. Write them to a file, and pass the file's path.`
    : undefined
}
