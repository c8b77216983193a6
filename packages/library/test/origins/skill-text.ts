/** A SKILL.md that is loaded. */
export function skillText(name: string, body = 'Do it.'): string {
  return `---\nname: ${name}\ndescription: For ${name}. Use when there is one.\n---\n${body}\n`
}
