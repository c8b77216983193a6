/** What a manifest's path says of it. */
export interface ManifestPlace {
  readonly path: string
  readonly folderName: string
  readonly fileName: string
}

/** @param path as a skill has it: a file in a folder, so that both names are there */
export function placeOfManifest(path: string): ManifestPlace {
  const [folderName = '', fileName = ''] = path.split(/[/\\]/).slice(-2)
  return { path, folderName, fileName }
}
