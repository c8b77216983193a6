import { parse, type Script } from 'unbash'

/** Parses a text as a shell would; undefined where it is not in a shell's language, or too much of it. */
export function parseScript(text: string): Script | undefined {
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
