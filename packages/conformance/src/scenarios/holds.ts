/** The content of a file, as the end of a sentence. */
export function holds(content: string | undefined): string {
  return content === undefined ? 'is not there.' : `holds ${JSON.stringify(content.slice(0, 200))}.`
}
