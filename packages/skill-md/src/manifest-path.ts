/** A manifest's path and its last two parts. */
export interface ManifestPath {
  readonly path: string
  readonly folderName: string
  readonly fileName: string
}

/** @param path a skill's `path`: a file in a folder, so that it has both names */
export function parseManifestPath(path: string): ManifestPath {
  const end = lastSeparator(path, path.length)
  // Without a separator the whole path counts as the folder's name.
  if (end === -1) return { path, folderName: path, fileName: '' }
  return { path, folderName: path.slice(lastSeparator(path, end) + 1, end), fileName: path.slice(end + 1) }
}

/** Returns the index of the last `/` or `\` before `end`; -1 for none. */
function lastSeparator(path: string, end: number): number {
  return end === 0 ? -1 : Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1))
}
