/**
 * An expression with Unicode properties, made when it is first asked for. Such a one takes an engine up to half a
 * millisecond to read, and of literals every one is read as soon as its file is imported, even in a function that is
 * never called.
 *
 * All who ask get the same object, so that one with the flag `g` is for `match`, `matchAll`, `replaceAll` and `search`:
 * `exec` and `test` would go on where the last of them ended.
 */
export function unicodeExpression(source: string, flags = 'u'): () => RegExp {
  let made: RegExp | undefined
  return () => (made ??= new RegExp(source, flags))
}
