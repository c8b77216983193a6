/**
 * How often each shape occurs, counted over 11,108 different SKILL.md files of 84 public repositories. A tree of easy
 * shapes alone flatters: a reader that greps for `description:` looks right on it.
 */
export const RATES = {
  description: {
    plain: 0.49,
    plainLines: 0.02,
    double: 0.36,
    single: 0.067,
    singleLines: 0.003,
    block: 0.05,
    next: 0.01,
  },
  /** Of the block scalars. */
  block: { '>': 0.29, '>-': 0.46, '|': 0.24, '|-': 0.01 },
  nonAscii: 0.18,
  /** Top-level keys that the standard does not know: `version`, `author`, `tags`, `triggers` and the like. */
  unknownKeys: 0.52,
  metadata: { none: 0.72, block: 0.12, nested: 0.09, json: 0.07 },
  license: 0.12,
  compatibility: 0.03,
  allowedTools: { none: 0.9485, comma: 0.0313, flow: 0.0048, list: 0.0048, space: 0.0051, single: 0.0055 },
  /** Of the values of `allowed-tools`, those with a pattern such as `Bash(git:*)`. */
  toolPattern: 0.075,
  comment: 0.004,
  nameOffFolder: 0.145,
  namePattern: 0.045,
  /** Whole files. `colon`: an unquoted `: ` that only a repair reads. `broken`: no repair helps. */
  file: { sound: 0.9781, colon: 0.0074, broken: 0.001, none: 0.0135 },
  crlf: 52 / 11_108,
  bom: 3 / 11_108,
  noFinalNewline: 0.0146,
  /** A rule in the Markdown that looks like the end of the frontmatter. */
  ruleInBody: 0.3,
} as const
