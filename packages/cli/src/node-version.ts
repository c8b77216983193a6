/** As in `engines` of package.json. */
const OLDEST = [22, 13] as const

/** Why a version of Node such as `20.11.1` is not supported; undefined if it is. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined
  return `This is Node ${version}, and repertoire needs ${oldestMajor}.${oldestMinor} or newer. Install a newer Node and run it again.`
}
