/** A file that a model makes. */
export interface ModelFile {
  readonly mediaType: string
  /** In base64. */
  readonly data: string
}
