/**
 * Returns a function that returns a regular expression with Unicode properties, compiled on first use. An engine needs up
 * to half a millisecond to parse one, and parses all literals of a file on import, even in functions that are never
 * called.
 *
 * Every call returns the same object. Use one with the flag `g` only with `match`, `matchAll`, `replaceAll` and `search`:
 * `exec` and `test` would continue at the end of the previous match.
 */
export function unicodeExpression(source: string, flags = 'u'): () => RegExp {
  let compiled: RegExp | undefined
  return () => (compiled ??= new RegExp(source, flags))
}
