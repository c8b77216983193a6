/** As `engines` in package.json says. */
const OLDEST = [22, 13] as const

/** What is wrong with a version of Node such as `20.11.1`, or nothing. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `This is Node ${version}, and repertoire needs ${oldestMajor}.${oldestMinor} or newer. Install a newer Node and run it again.`
}
