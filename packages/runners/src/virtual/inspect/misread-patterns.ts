import { type SeenConstruct, type SeenScript, wordText } from './seen.ts'

const NEGATED = /\[!(?!\][^\]]*$)[^\]]*\]|\[!\][^\]]*\]/
const REMEDY = 'is read without its "!"'

/** Where a pattern that is not one of file names is, or may be, read otherwise: `[!…]` as if it were not negated, `\\*` as `*`. */
export function misreadPatterns({ patterns, commands, texts }: SeenScript): readonly SeenConstruct[] {
  const found: SeenConstruct[] = []
  let computed: string | undefined
  for (const { word, where, line } of patterns) {
    // What is quoted or escaped in a pattern is literal.
    const globs = word.parts.filter((part) => part.type === 'Glob' || part.type === 'Literal')
    const shown = NEGATED.exec(wordText({ ...word, parts: globs }))?.[0]
    const escaped = where === 'case' && word.parts.find((part) => part.type === 'Escaped' && '*?['.includes(part.value))
    if (escaped && escaped.type === 'Escaped')
      found.push({ reason: `\\${escaped.value} in a pattern of case is read without its backslash`, line })
    if (shown !== undefined) found.push({ reason: `${shown} in a pattern of ${where} ${REMEDY}`, line })
    if (word.parts.some(({ type }) => type === 'ParameterExpansion' || type === 'CommandSubstitution'))
      computed ??= where
  }
  for (const { name, args, line } of commands) {
    const shown = name === 'find' ? args.map((arg) => NEGATED.exec(arg)?.[0]).find(Boolean) : undefined
    if (shown !== undefined) found.push({ reason: `${shown} in a pattern of find ${REMEDY}`, line })
  }
  if (found.length > 0 || computed === undefined) return found
  const source = texts.find(({ text }) => NEGATED.test(text))
  if (source === undefined) return []
  const shown = NEGATED.exec(source.text)![0]
  return [
    { reason: `${shown} ${REMEDY} if it comes into the pattern of ${computed} that is computed`, line: source.line },
  ]
}
