const NOT_FOUND = /(?:^|: )([^\s:]+): command not found$/gm

/** A sentence that says which commands the virtual shell lacks, for who reads the output of the script. Empty: none. */
export function missingCommands(stderr: string): string {
  const names = [...new Set([...stderr.matchAll(NOT_FOUND)].map(([, name = '']) => `"${name}"`))]
  if (names.length === 0) return ''
  return `The virtual shell has no ${names.join(', no ')}. A runner with the programs of a system, such as bubblewrap, may have what is missing.\n`
}
