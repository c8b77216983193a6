/** Endings of documents, data, pictures, sounds, fonts and plain templates: what no interpreter runs by itself. */
const DATA: ReadonlySet<string> = new Set(
  (
    'md markdown txt text rst adoc tex bib csv tsv json jsonl json5 yaml yml toml xml xsd dtd ini cfg conf properties ' +
    'log pdf docx xlsx pptx odt ods odp epub rtf png jpg jpeg gif webp avif bmp ico tif tiff heic mp3 wav ogg flac mp4 ' +
    'webm mov ttf otf woff woff2 css hbs mustache j2 jinja liquid tmpl proto graphql avsc lock po'
  ).split(' '),
)

/** Files without an ending that are documents by convention. */
const DOCUMENTS: ReadonlySet<string> = new Set(
  'license licence notice readme changelog authors contributors copying version .gitignore .gitattributes .gitkeep .placeholder'.split(
    ' ',
  ),
)

/** Whether a file is certainly not meant to be run: by its name, and without a run bit. An unknown ending is not certain. */
export function isDataFile({ path, executable }: { readonly path: string; readonly executable: boolean }): boolean {
  if (executable) return false
  const name = (path.split('/').at(-1) ?? '').toLowerCase()
  const dot = name.lastIndexOf('.')
  return DOCUMENTS.has(name) || (dot > 0 && DATA.has(name.slice(dot + 1)))
}
