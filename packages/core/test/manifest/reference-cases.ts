/**
 * What the reference library of the Agent Skills standard accepts and refuses, case by case, beside what the profile
 * `strict` does. Where the two differ, the case says why.
 */
export interface ReferenceCase {
  readonly title: string
  readonly folder: string
  /** Default `SKILL.md`. */
  readonly fileName?: string
  readonly content: string | Uint8Array
  /** Its verdict. `unstated`: the case comes from the standard, and what the library does with it is not on record. */
  readonly reference: 'valid' | 'invalid' | 'crash' | 'unstated'
  /** The codes of our errors under `strict`, in their order. None: valid. */
  readonly errors: readonly string[]
  /** What we read, as far as the case is about it. */
  readonly reads?: object
  /** Given where the verdicts differ, or where the library reads something else than we do. */
  readonly why?: string
}

const BODY = '# Body\n'

/** A file with these frontmatter lines. */
const file = (...lines: readonly string[]) => `---\n${lines.join('\n')}\n---\n${BODY}`

/** A file with this name, in a folder of the same. */
const named = (name: string, folder = name) => ({ folder, content: file(`name: ${name}`, 'description: A skill.') })

/** A file with a sound name, in its folder, and these lines besides. */
const pdf = (...lines: readonly string[]) => ({ folder: 'pdf', content: file('name: pdf', ...lines) })
const whole = (...lines: readonly string[]) => pdf('description: A skill.', ...lines)

const valid = { reference: 'valid', errors: [] } as const
const invalid = (...errors: readonly string[]) => ({ reference: 'invalid', errors }) as const

const NAMES: readonly ReferenceCase[] = [
  { title: 'a name of one letter', ...named('a'), ...valid },
  { title: 'a name of letters, digits and hyphens', ...named('pdf-2-text'), ...valid },
  { title: 'a name that begins with a digit', ...named('3d-model'), ...valid },
  { title: 'a name of 64 characters', ...named('a'.repeat(64)), ...valid },
  { title: 'a name of 65 characters', ...named('a'.repeat(65)), ...invalid('NAME_TOO_LONG') },
  { title: 'a name of 70 characters', ...named('a'.repeat(70)), ...invalid('NAME_TOO_LONG') },
  // One letter less than could be: file systems hold names of 255 bytes.
  { title: 'a name of 64 code points in 127 units', ...named(`a${'\u{20000}'.repeat(63)}`), ...valid },
  { title: 'a Chinese name', ...named('技能'), ...valid },
  { title: 'a Russian name', ...named('мой-навык'), ...valid },
  { title: 'a Russian name in uppercase', ...named('НАВЫК'), ...invalid('NAME_PATTERN') },
  { title: 'a name with an uppercase letter', ...named('Pdf'), ...invalid('NAME_PATTERN') },
  { title: 'a name with an underscore', ...named('my_skill'), ...invalid('NAME_PATTERN') },
  { title: 'a name with a blank', ...named('my skill'), ...invalid('NAME_PATTERN') },
  { title: 'a name with a dot', ...named('my.skill'), ...invalid('NAME_PATTERN') },
  { title: 'a name with a combining mark that no letter has', ...named('हिन्दी'), ...invalid('NAME_PATTERN') },
  { title: 'a name that begins with a hyphen', ...named('-my-skill'), ...invalid('NAME_PATTERN') },
  { title: 'a name that ends with a hyphen', ...named('my-skill-'), ...invalid('NAME_PATTERN') },
  { title: 'a name with two hyphens in a row', ...named('my--skill'), ...invalid('NAME_PATTERN') },
  { title: 'a name with blanks around it', ...named('"  pdf "', 'pdf'), ...valid, reads: { name: 'pdf' } },
  {
    title: 'a decomposed name in a composed folder',
    ...named('cafe\u0301', 'caf\u00E9'),
    ...valid,
    reads: { name: 'caf\u00E9' },
  },
  {
    title: 'a name in fullwidth letters, which NFKC makes plain',
    ...named('ｐｄｆ', 'pdf'),
    ...valid,
    reads: { name: 'pdf' },
  },
  { title: 'a name that is not the folder', ...named('pdf', 'other'), ...invalid('NAME_FOLDER_MISMATCH') },
]

const FIELDS: readonly ReferenceCase[] = [
  { title: 'name and description alone', ...whole(), ...valid, reads: { name: 'pdf', description: 'A skill.' } },
  {
    title: 'all the fields of the standard',
    ...whole(
      'license: MIT',
      'compatibility: Needs git',
      'allowed-tools: Bash(git:*) Read',
      'metadata:',
      '  author: me',
    ),
    ...valid,
    reads: {
      license: 'MIT',
      compatibility: 'Needs git',
      allowedTools: [{ tool: 'Bash', pattern: 'git:*' }, { tool: 'Read' }],
      metadata: { author: 'me' },
    },
  },
  { title: 'a comment', ...whole('# a comment'), ...valid },
  { title: 'a value in quotes', ...pdf('description: "A: b"'), ...valid, reads: { description: 'A: b' } },
  {
    title: 'a description of several lines',
    ...pdf('description: |', '  One.', '  Two.'),
    ...valid,
    reads: { description: 'One.\nTwo.' },
  },
  { title: 'a description of 1,024 characters', ...pdf(`description: ${'x'.repeat(1024)}`), ...valid },
  {
    title: 'a description of 1,024 code points in 2,048 units',
    ...pdf(`description: ${'\u{20000}'.repeat(1024)}`),
    ...valid,
  },
  {
    title: 'a description of 1,025 characters',
    ...pdf(`description: ${'x'.repeat(1025)}`),
    ...invalid('DESCRIPTION_TOO_LONG'),
  },
  { title: 'no name', folder: 'pdf', content: file('description: A skill.'), ...invalid('NAME_MISSING') },
  {
    title: 'an empty name',
    folder: 'pdf',
    content: file('name: ""', 'description: A skill.'),
    ...invalid('NAME_MISSING'),
  },
  { title: 'no description', ...pdf('license: MIT'), ...invalid('DESCRIPTION_MISSING') },
  { title: 'an empty description', ...pdf('description: ""'), ...invalid('DESCRIPTION_MISSING') },
  { title: 'a blank description', ...pdf('description: "   "'), ...invalid('DESCRIPTION_MISSING') },
  {
    title: 'neither name nor description',
    folder: 'pdf',
    content: file('license: MIT'),
    ...invalid('NAME_MISSING', 'DESCRIPTION_MISSING'),
  },
  { title: 'a compatibility of 500 characters', ...whole(`compatibility: ${'x'.repeat(500)}`), ...valid },
  {
    title: 'a compatibility of 501 characters',
    ...whole(`compatibility: ${'x'.repeat(501)}`),
    ...invalid('FIELD_TOO_LONG'),
  },
  {
    title: 'an empty compatibility',
    ...whole('compatibility: ""'),
    reference: 'valid',
    errors: ['FIELD_EMPTY'],
    why: 'The standard has 1 to 500 characters.',
  },
  { title: 'an unknown field', ...whole('version: "1"'), ...invalid('FIELD_UNKNOWN') },
  { title: 'two unknown fields', ...whole('author: me', 'tags: x'), ...invalid('FIELD_UNKNOWN', 'FIELD_UNKNOWN') },
  { title: 'a field of ours', ...whole('type: script'), ...invalid('FIELD_UNKNOWN') },
  { title: 'a field of another client', ...whole('argument-hint: "[file]"'), ...invalid('FIELD_UNKNOWN') },
  { title: 'a field in uppercase', ...whole('License: MIT'), ...invalid('FIELD_MISSPELLED') },
  {
    title: 'metadata whose values are spelled like numbers, booleans and nulls',
    ...whole('metadata:', '  a: 1.0', '  b: 1.10', '  c: true', '  d: null', '  e: 1e3'),
    reference: 'valid',
    errors: ['METADATA_VALUE', 'METADATA_VALUE', 'METADATA_VALUE', 'METADATA_VALUE', 'METADATA_VALUE'],
    why: 'The standard has text as values. Other readers of YAML lose the spelling, so that 1.10 becomes 1.1.',
  },
  {
    title: 'metadata that is nested',
    ...whole('metadata:', '  author:', '    name: me'),
    reference: 'unstated',
    errors: ['METADATA_VALUE'],
  },
  {
    title: 'allowed-tools as a flow list',
    ...whole('allowed-tools: [Read, Write]'),
    ...invalid('ALLOWED_TOOLS_FORMAT'),
  },
  {
    title: 'allowed-tools with commas',
    ...whole('allowed-tools: Read, Write'),
    reference: 'unstated',
    errors: ['ALLOWED_TOOLS_FORMAT'],
  },
]

const FILES: readonly ReferenceCase[] = [
  { title: 'no frontmatter', folder: 'pdf', content: BODY, ...invalid('FRONTMATTER_MISSING') },
  { title: 'an empty file', folder: 'pdf', content: '', ...invalid('FRONTMATTER_MISSING') },
  {
    title: 'a frontmatter that is not closed',
    folder: 'pdf',
    content: '---\nname: pdf\ndescription: A skill.\n\n# Body\n',
    ...invalid('FRONTMATTER_UNCLOSED'),
  },
  { title: 'invalid YAML', ...whole('license: [MIT'), ...invalid('YAML_INVALID') },
  { title: 'an unquoted colon', ...pdf('description: Use when: reading'), ...invalid('YAML_INVALID') },
  {
    title: 'a frontmatter that is a list',
    folder: 'pdf',
    content: file('- name: pdf'),
    ...invalid('YAML_NOT_MAPPING'),
  },
  { title: 'a frontmatter that is text', folder: 'pdf', content: file('name'), ...invalid('YAML_NOT_MAPPING') },
  { title: 'an empty frontmatter', folder: 'pdf', content: '---\n---\n', ...invalid('YAML_NOT_MAPPING') },
  { title: 'an empty body', folder: 'pdf', content: whole().content.replace(BODY, ''), ...valid },
  {
    title: 'a "---" line in the body',
    folder: 'pdf',
    content: `${whole().content}---\nname: other\n---\n`,
    ...valid,
    reads: { name: 'pdf' },
  },
  { title: 'no final newline', folder: 'pdf', content: whole().content.trimEnd(), reference: 'unstated', errors: [] },
  {
    title: 'lines that end in CR LF',
    folder: 'pdf',
    content: whole('license: MIT').content.replaceAll('\n', '\r\n'),
    reference: 'unstated',
    errors: [],
    reads: { description: 'A skill.', license: 'MIT' },
  },
  {
    title: 'a "---" inside a value',
    ...pdf('description: a --- b'),
    ...valid,
    reads: { description: 'a --- b' },
    why: 'The library splits at it and reads "a"; a fence is a whole line.',
  },
  {
    title: 'an indented "---" in a block of text',
    ...pdf('description: |', '  One.', '  ---', '  Two.'),
    ...valid,
    reads: { description: 'One.\n---\nTwo.' },
    why: 'The library ends the frontmatter there; a fence stands at the beginning of its line.',
  },
  {
    title: 'an indented "---" that is to close the frontmatter',
    folder: 'pdf',
    content: whole().content.replace('\n---\n', '\n ---\n'),
    reference: 'valid',
    errors: ['FRONTMATTER_UNCLOSED'],
    why: 'It may be part of a value above it, so what is body would depend on the reader.',
  },
  {
    title: 'a byte order mark',
    folder: 'pdf',
    content: `\uFEFF${whole().content}`,
    reference: 'invalid',
    errors: [],
    reads: { name: 'pdf' },
    why: 'Editors add it unseen, it means UTF-8, and it changes nothing of the text.',
  },
  {
    title: 'bytes that are not UTF-8',
    folder: 'pdf',
    content: Uint8Array.from([...new TextEncoder().encode(whole().content), 0xff, 0xfe]),
    reference: 'crash',
    errors: ['ENCODING_INVALID'],
    why: 'A file that cannot be read is a finding with a line, not an exception.',
  },
  {
    title: 'a file named skill.md',
    ...whole(),
    fileName: 'skill.md',
    reference: 'valid',
    errors: ['MANIFEST_MISNAMED'],
    why: 'The standard names SKILL.md, and other clients look for exactly that; the profile "lenient" takes it.',
  },
]

/** Every case, names first. */
export const REFERENCE_CASES: readonly ReferenceCase[] = [...NAMES, ...FIELDS, ...FILES]
