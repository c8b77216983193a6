/** Returns the content of a file as the end of a sentence: `it does not exist.`, `it contains "a".` */
export function contentText(content: string | undefined): string {
  return content === undefined ? 'it does not exist.' : `it contains ${JSON.stringify(content.slice(0, 200))}.`
}
