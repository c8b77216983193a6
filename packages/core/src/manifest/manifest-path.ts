/** What a manifest's path says of it. */
export interface ManifestPath {
  readonly path: string
  readonly folderName: string
  readonly fileName: string
}

/** @param path as a skill has it: a file in a folder, so that both names are there */
export function parseManifestPath(path: string): ManifestPath {
  const end = lastSeparator(path, path.length)
  // Without one, the whole of it is the first of the two.
  if (end === -1) return { path, folderName: path, fileName: '' }
  return { path, folderName: path.slice(lastSeparator(path, end) + 1, end), fileName: path.slice(end + 1) }
}

/** Where the last `/` or `\` before `end` stands; -1 for none. */
function lastSeparator(path: string, end: number): number {
  return end === 0 ? -1 : Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1))
}
