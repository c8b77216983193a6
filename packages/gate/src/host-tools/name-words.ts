/** The words of a tool's name: `mcp__fs__moveFile` is mcp, fs, move, file; `FSMove` is fs, move. */
export function nameWords(name: string): readonly string[] {
  const parts = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
  return parts
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}
