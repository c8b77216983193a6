/** As in `engines` of package.json. */
const MIN_VERSION = [22, 13] as const

/** Returns why a version of Node such as `20.11.1` is not supported; undefined if it is. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor, minMinor] = MIN_VERSION
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return undefined
  return `This is Node ${version}, and repertoire needs ${minMajor}.${minMinor} or newer. Install a newer Node and run it again.`
}
