import {
  MAX_DESCRIPTION_CHARS,
  MAX_FRONTMATTER_BYTES,
  MAX_MANIFEST_BYTES,
  MAX_NAME_CHARS,
  MAX_YAML_DEPTH,
  MAX_YAML_NODES,
} from './limits.ts'

/** A finding about a file: data, so that a terminal, an editor and a log can each show it in their own way. */
export interface Diagnostic {
  /**
   * What was found. The set is closed, so that a program can handle every case: a custom source uses the code that fits
   * best, see `DIAGNOSTIC_CODES`.
   */
  readonly code: DiagnosticCode
  /** `error`: the skill was not loaded. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly path: string
  /** 1-based. */
  readonly line?: number
  /** What is wrong, with the offending value. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
}

const KIB = 1024

/** Codes of diagnostics about manifests. */
export const MANIFEST_CODES = {
  MANIFEST_MISNAMED: 'The file is not named exactly SKILL.md.',
  MANIFEST_TOO_LARGE: `The file is larger than ${MAX_MANIFEST_BYTES / KIB} KiB.`,
  ENCODING_INVALID: 'The file is not UTF-8 text, or holds a character that text never holds, such as NUL.',
  FRONTMATTER_MISSING: 'The file does not begin with a "---" line.',
  FRONTMATTER_LATE: 'Blank lines precede the opening "---" line.',
  FRONTMATTER_UNCLOSED: 'The frontmatter has no closing "---" line.',
  FRONTMATTER_TOO_LARGE: `The frontmatter does not end within the first ${MAX_FRONTMATTER_BYTES / KIB} KiB of the file.`,
  FENCE_INVALID: 'The first line begins with "---" but has more text, so it is not a fence.',
  YAML_INVALID: 'The frontmatter is not valid YAML.',
  YAML_REPAIRED: 'A value that is not valid YAML was read as the text it can only be.',
  YAML_NOT_MAPPING: 'The frontmatter is YAML, but not a mapping of fields.',
  YAML_ALIAS: 'The frontmatter uses an anchor or an alias, which are not accepted.',
  YAML_TAG: 'The frontmatter uses a YAML tag, which is not accepted.',
  YAML_DIRECTIVE: 'The frontmatter holds a YAML directive, which is not accepted.',
  YAML_DOCUMENTS: 'The frontmatter holds more than one YAML document, or a mark that ends one.',
  YAML_KEY_DUPLICATE: 'A key occurs twice in one mapping.',
  YAML_KEY_INVALID: 'A key is a merge key, a collection, or a name that JavaScript reserves.',
  YAML_TOO_COMPLEX: `The frontmatter is nested deeper than ${MAX_YAML_DEPTH} levels or holds more than ${MAX_YAML_NODES} values.`,
  NAME_MISSING: 'The skill has no name.',
  NAME_UNSAFE: 'The name could be taken for a path, a device, or another name than it shows.',
  NAME_PATTERN: 'The name holds more than lowercase letters, digits and single inner hyphens.',
  NAME_TOO_LONG: `The name is longer than ${MAX_NAME_CHARS} characters.`,
  NAME_FOLDER_MISMATCH: "The name differs from the folder's name.",
  NAME_NORMALIZED: 'The name was changed into a stable one.',
  NAME_NOT_PORTABLE: 'The name holds other letters than a to z, which not every client accepts.',
  DESCRIPTION_MISSING: 'The skill has no description.',
  DESCRIPTION_TOO_LONG: `The description is longer than ${MAX_DESCRIPTION_CHARS} characters.`,
  ALLOWED_TOOLS_INVALID: 'A rule of allowed-tools is malformed. Such a skill is never loaded.',
  DISALLOWED_TOOLS_INVALID: 'A rule of disallowed-tools is malformed. Such a skill is never loaded.',
  ALLOWED_TOOLS_FORMAT: 'The rules of allowed-tools are not one space-separated string.',
  METADATA_VALUE: 'A value under metadata is a list or a mapping; it was kept as JSON text.',
  FIELD_TYPE: 'The value of a field has the wrong type.',
  FIELD_VALUE: 'A field has a value that it does not accept.',
  FIELD_EMPTY: 'A field has no value.',
  FIELD_TOO_LONG: 'A field is longer than the standard allows.',
  FIELD_UNKNOWN: 'A field is not known. It is kept and never acted on.',
  FIELD_MISSPELLED: 'A field is not known, and its name resembles a known one.',
  FIELD_LEFT_OUT: 'An optional field cannot be read, and was left out. Only in the profile lenient.',
  FIELD_WITHOUT_EFFECT: 'A field has an effect only together with another, which is absent.',
  DEFINITION_MISSING: 'The body of a composite, a script or a template has no code block that defines it.',
  DEFINITION_INVALID: 'The code block that defines a composite, a script or a template cannot be read with certainty.',
  PARAMETERS_UNUSABLE:
    'The parameters of a script, template or composite skill are a schema that is not read here. Its calls are refused.',
  TRIGGER_PATTERN_INVALID: 'A trigger pattern is not an RE2 expression, or is too large. It has no effect.',
  HIDDEN_CHARACTERS: 'A text holds characters that are not shown and can carry or hide a message.',
} as const

/** Codes of advice for authors. None of them prevents a skill from being loaded. */
const ADVICE_CODES = {
  BODY_LONG: 'The body has more lines than the standard advises.',
  BODY_MANY_TOKENS: 'The body has more tokens, by estimate, than the standard advises.',
  LINK_BROKEN: "A link leads to nothing that is available in the skill's folder.",
  RULE_UNBOUNDED: 'A rule of allowed-tools hands out all that a program can do.',
  RULE_PERMITS_NOTHING: 'A rule of allowed-tools permits no call at all.',
  RULE_DENIES_OPTION: 'A rule of disallowed-tools names an option, which matches only as it is written.',
} as const

/** Codes that building or reloading a catalog can report. */
const CATALOG_CODES = {
  SKILL_SHADOWED: 'Another skill of the same name is used instead.',
  SKILL_NOT_ADMITTED: 'A skill asks for more than the host admits, so it was not loaded.',
  SOURCE_FAILED: 'A source failed as a whole; the skills that it had shown before are kept.',
  SKILL_KEPT: 'A skill cannot be read any more, and is kept as it was read last.',
  RELOAD_FAILED: 'A reload that a change called for failed; the catalog before it stays.',
  WATCH_LIMITED: 'The system cannot report more changes, so the source is scanned for changes at intervals instead.',
  WATCH_FAILED: 'A source cannot be watched, so a change of it is seen at the next reload only.',
} as const

/** Codes that a directory or package source can report. */
export const SOURCE_CODES = {
  WORKSPACE_UNTRUSTED: 'The folder belongs to a workspace that is not trusted, so no skill of it was loaded.',
  PLACE_NOT_SEARCHED: 'A folder of another client has skills, and is not searched.',
  LEFTOVER_FOUND: 'A change of skills is unfinished, and something of it is left that no program uses.',
  LOCK_DIFFERS: 'The files of a locked skill are not those that were installed.',
  LOCKED_SKILL_MISSING: 'A skill is in the lock, and its folder is missing.',
  LOCK_UNREADABLE: 'A lock cannot be read, so skills are not compared with it.',
  ENTRY_REFUSED: 'An entry of a list of skills breaks its rules, or names more than is read, so it was not loaded.',
  ROOT_MISSING: 'A folder of skills that the program named does not exist.',
  ROOT_WITHOUT_SKILLS: 'A folder, a package or a server that the program named holds no skill.',
  ROOT_NOT_A_FOLDER: 'The root of a source is a file, not a folder.',
  FOLDER_UNREADABLE: 'A folder could not be read, so skills in it are not known.',
  SKILL_FOLDER_LINKED: 'A folder is a link, and the source does not follow links.',
  MANIFEST_LINKED: 'The manifest is a link, which is never followed.',
  MANIFEST_NOT_A_FILE: 'The manifest is a folder, a pipe, a device or a socket.',
  MANIFEST_UNREADABLE: 'The manifest could not be opened.',
  MANIFEST_SPELLINGS: 'The folder holds several spellings of SKILL.md, and only one of them is read.',
  PACKAGE_JSON_INVALID: 'A package.json cannot be read, so skills that it leads to are not known.',
  PACKAGE_NOT_FOUND: 'A package whose skills are wanted is not installed.',
  SCAN_DEPTH_REACHED: 'Folders below the depth of the scan were not searched.',
  SCAN_FOLDERS_REACHED: 'The source holds more folders than the scan may search.',
} as const

/** Codes that a search can report. */
const SEARCH_CODES = {
  BODY_NOT_SEARCHED: 'The body of a skill could not be read, so it is found by its name, description and tags alone.',
  RANK_FAILED: 'The option `catalog.rank` failed, so that a search went by words alone.',
} as const

/** Every code of this package's diagnostics with its meaning. Semver applies to the codes. */
export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, string>> = {
  ...MANIFEST_CODES,
  ...ADVICE_CODES,
  ...CATALOG_CODES,
  ...SOURCE_CODES,
  ...SEARCH_CODES,
}

/** The code of a diagnostic. */
export type DiagnosticCode =
  | keyof typeof MANIFEST_CODES
  | keyof typeof ADVICE_CODES
  | keyof typeof CATALOG_CODES
  | keyof typeof SOURCE_CODES
  | keyof typeof SEARCH_CODES
