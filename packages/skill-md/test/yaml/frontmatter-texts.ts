import * as fc from 'fast-check'

/** Shapes of real frontmatters, each with another way of writing values. */
export const REAL = [
  'name: pdf\ndescription: Reads PDF files. Use it for forms, too.\n',
  'name: pdf\ndescription: "Say \\"yes\\": \\u2014 or \\ud83d\\ude80 no"\nlicense: \'it\'\'s MIT\'\n',
  'name: pdf\ndescription: |\n  One.\n\n    - two\n  three\nlicense: MIT\n',
  'name: pdf\ndescription: >-\n  One\n  two.\n\n  Three\n    deeper\n  back\nversion: 1.10\n',
  'name: pdf\ndescription: one\n  two\n\n  three # comment\nversion: 2\n',
  'name: pdf\ndescription: "one\n  two\n\n  three\\\n  four"\nother: \'a\n  b\'\n',
  'name: pdf\ndescription:\n  on its own line\nallowed-tools:\n  - Read\n  - Bash(git:*)\n',
  'name: pdf\ntags: [a, "b c", \'d\', 3, true]\nmetadata: {"a":{"b":["c",1],"d":null},"e":"f"}\n',
  'name: pdf\nmetadata: {\n  "a": 1,\n  "b": [\n    "c"\n  ]\n}\ntags: [\n  a,\n  b,\n]\n',
  '# a comment\nname: pdf # another\n\nmetadata:\n  author: me\n\n  # inner\n  version: "1.0"\n  tags:\n  - a\n  - b\n',
  'name: pdf\r\ndescription: x\r\n  y\r\nmetadata:\r\n  a: |\r\n    b\r\n    c\r\n',
  'hooks:\n  pre:\n    - run: a\n      with: b\n    - - c\n      - d\n    -\n    - "e": f\nempty:\nlast: ~\n',
  'a: 0o7\nb: 1e3\nc: .5\nd: +1\ne: ~\nf: null\ng: True\nh: 2024-01-01\ni: 0x1F\nj: -.INF\nk: 1.\nl: .nan\nm: 012\nn: -0\n',
  'a: b\n# c\nd: e\n\n# f\n\ng: "h"\n# i\n',
  'a:\n-\nb: c\n',
  'a:\n-\n- b\n- "c"\n- [d, e]\nf: true\ng: nulls\nh: Null\ni: falsehood\nj: FALSE\n',
  'a:\n  - b\n  - c: d\n    e: f\n  - "g: h"\ni:\n  j: k\n\n  l: \'m: n # o\'\np: q\n',
  'a: "\\n\\t\\/\\b\\f\\r\\\\\\"\\u00e9" # b\nc: ["\\"", "\\\\"]\n',
  'description: Überblick – 技能 \u{1F680}\nname: é\n',
] as const

/** Pieces that turn one shape into another, or into none. */
const PIECES = [
  ['\n', ' ', '  ', '    ', ':', ': ', '- ', '-', '#', ' #', '"', "'", "''", '[', ']', '{', '}', ',', '? ', '?'],
  ['|', '>', '|-', '>-', '|+', '|2', '&a ', '*a', '!t ', '%', '@', '`', '---', '...', '\t', '\r\n', '\r', '\\', '\\n'],
  ['\u00A0', '\u0085', '\u2028', '\uFEFF', '\u3000', '\\u00e9', '\\ud83d\\ude00', '\\ud83d', '\\x41', '\\0', '\\\n'],
  [
    '0o7',
    '1e3',
    '.5',
    '+1',
    '~',
    'null',
    'True',
    '2024-01-01',
    '.inf',
    '.nan',
    '0x1F',
    '-0',
    '12e03',
    '<<',
    '__proto__',
  ],
  [
    '\n\n',
    '\n ',
    '\n  ',
    '\n    ',
    '\n- ',
    '\n  - ',
    '\n# c\n',
    '\n  # c\n',
    'a',
    'b:',
    'a: b',
    'key: ',
    '""',
    '[]',
    '{}',
  ],
  ['{a: b}', '[a, b]', '"a":1', 'http://x', 'é', '\u{1F600}', 'name: again\n', 'x: y: z\n', 'constructor: x\n'],
].flat()

const indent = fc.constantFrom('', '', '', ' ', '  ', '  ', '   ', '    ')
const lead = fc.constantFrom(
  ...[
    ['a: ', 'b: ', 'c:', '"d": ', "'e': ", 'f:\n', '- ', '- g: ', '- - ', '-\n', 'h: |\n', 'i: >-\n', 'j: [', 'k: {'],
    ['l: "', "m: '", ''],
    [''],
  ].flat(),
)
export const piece = fc.constantFrom(...PIECES)
const rest = fc.constantFrom(
  '',
  '',
  'x',
  'word word',
  'y: z',
  '# c',
  ' # c',
  ']',
  '}',
  '"',
  "'",
  '"}',
  ', ',
  'w]',
  'q: 1}',
)
const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n', '\n # c\n', '\n   \n', '')
export const line = fc.tuple(indent, lead, piece, rest, end).map((parts) => parts.join(''))
/** `K` becomes its own key for each line. */
const sound = fc.constantFrom(
  ...[
    [
      'K: b\n',
      'K: "b c"\n',
      "K: 'b' # c\n",
      'K:\n',
      '  K: b\n',
      '  more\n',
      '- b\n',
      '- K: b\n',
      '  - b\n',
      '    K: b\n',
    ],
    [
      'K: [a, {b: c}]\n',
      'K: {"a":1}\n',
      'K: |\n',
      'K: >-\n',
      '  text: or key\n',
      '\n',
      '# c\n',
      'K: b\r\n',
      'K: [\n',
      '  a,\n',
      ']\n',
    ],
  ].flat(),
)
export const frontmatter = fc
  .array(fc.oneof({ weight: 5, arbitrary: sound }, { weight: 1, arbitrary: line }), { maxLength: 9 })
  .map((parts) => parts.map((part, index) => part.replace('K', `k${index}`)).join(''))

/** What a value on one line may look like at a glance, and what may follow it: most of them are what they look like. */
const glance = fc.constantFrom(
  ...[
    ['b', 'word word', 'n', 'null', 'nullable', 'true', 'True', 'tRue', 'false', 'f', 'FALSE', '1', '1.0', '1 2', '0x'],
    ['b:', 'b :', 'b: c', 'b:c', 'b #', 'b # c', 'b#c', 'b ', 'b  ', 'http://b', 'b\\', "it's", 'b"c', 'b, [c]', 'B}'],
    [
      '"b"',
      '"b" ',
      '"b: c # d"',
      '"b""',
      '"b"c"',
      '"\\"',
      '"b\\"c"',
      '""',
      '"',
      '"b',
      '"b":',
      "'b'",
      "''",
      "'b''c'",
      "'b",
    ],
    [
      '[b]',
      '[b, c]',
      '[b,c]',
      '[b, 1, true]',
      '[b, c',
      '[]',
      '[b]c',
      '[b, c] #',
      '["b"]',
      '',
      ' ',
      '-',
      '- b',
      '?',
      '\u00A0b',
    ],
  ].flat(),
)
const follows = fc.constantFrom(
  '',
  '',
  '',
  '',
  '  b',
  '    b',
  ' ',
  '#',
  '# c',
  ' # c',
  '  # c',
  '- b',
  '  - b',
  '-',
  '...',
  '---',
)
export const glanced = fc.tuple(
  fc.constantFrom('', '', '', '', '  ', '    '),
  fc.constantFrom(
    'K: ',
    'K: ',
    'K: ',
    'K:',
    '- ',
    '- K: ',
    '-',
    'K : ',
    '"K": ',
    'K:  ',
    'constructor: ',
    'a: ',
    'b: ',
  ),
  glance,
  fc.constantFrom('\n', '\n', '\n', '\r\n'),
  follows,
)
