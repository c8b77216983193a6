import { parse, type Script } from 'unbash'
import { MAX_HERE_DOCUMENTS } from '../limits.ts'

/** Parses a text as a shell would; undefined where it is not in a shell's language, or too much of it. */
export function parseScript(text: string): Script | undefined {
  if (text.split('<<', MAX_HERE_DOCUMENTS + 2).length > MAX_HERE_DOCUMENTS + 1) return undefined
  try {
    const script = parse(text)
    return (script.errors?.length ?? 0) > 0 ? undefined : script
  } catch {
    // It is nested too deep for the parser.
    return undefined
  }
}

/** Parses a text when it is first asked for, and once. */
export type LazyScript = () => Script | undefined
