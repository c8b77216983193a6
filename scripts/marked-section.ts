/**
 * What is between `<!-- NAME:begin -->` and `<!-- NAME:end -->`, without the line breaks around it.
 * @param file how messages name the document
 * @throws {TypeError} where the markers do not stand there once each and in this order
 */
export function sectionOf(text: string, name: string, file: string): string {
  const { start, end } = placeOf(text, name, file)
  return text.slice(start, end).trim()
}

/**
 * The document with something else between its markers.
 * @throws {TypeError} see `sectionOf`
 */
export function withSection(text: string, name: string, content: string, file: string): string {
  const { start, end } = placeOf(text, name, file)
  return `${text.slice(0, start)}\n\n${content.trim()}\n\n${text.slice(end)}`
}

function placeOf(text: string, name: string, file: string): { readonly start: number; readonly end: number } {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`]
  const [before, after, ...more] = text.split(begin)
  const parts = after?.split(end) ?? []
  if (before === undefined || more.length > 0 || parts.length !== 2 || before.includes(end)) {
    throw new TypeError(`${file} needs the lines "${begin}" and "${end}", once each and in this order.`)
  }
  const start = before.length + begin.length
  return { start, end: start + parts[0]!.length }
}
