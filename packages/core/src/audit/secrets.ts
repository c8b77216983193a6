import { KNOWN_TOKENS } from './known-tokens.ts'
import { NAMES, PAIR_NAME, PAIR_VALUE, PASSWORD } from './secret-names.ts'
import { unicodeExpression } from '../text/unicode-expression.ts'

/** What replaces a secret. */
export const REDACTED = '[redacted]'

/** A character that was made visible before (`\u{A}`) ends a value as the character itself does. */
const ESCAPED = String.raw`\\u\{[0-9A-F]{1,6}\}`
/** A value without quotes. What was redacted in it before is a part of it. */
const plainOf = (max: string): string => String.raw`(?:\[redacted\]|(?!${ESCAPED})[^\s"'\`,;&<>(){}\[\]]){1,${max}}`
/** A value in quotes, in escaped ones (JSON inside a string), or plain, of at most so many characters. */
const valueOf = (max: string): string =>
  String.raw`(?:\\"(?:(?!\\").){0,${max}}(?:\\")?|"(?:[^"\\]|\\.){0,${max}}"?|'(?:[^'\\]|\\.){0,${max}}'?|${plainOf(max)})`
const PLAIN = plainOf('')
const VALUE = valueOf('')
/** A value before a name: each of its ends is tried, which would take time that grows with the square of a long one. */
const SHORT_VALUE = valueOf('500')

/** Programs that take a password by one letter, and the letter; after it a blank, where there may be one. */
const PROGRAMS: readonly (readonly [program: string, letter: string, blank: string])[] = [
  // With a blank, what follows is the database.
  [String.raw`(?:mysql|mariadb)[\w-]*`, 'p', ''],
  ['sshpass', 'p', String.raw`\s{0,3}`],
  [String.raw`(?:docker|podman|nerdctl|helm|az|oc)\b[^\n]{0,80}?\blogin`, 'p', String.raw`\s{1,3}`],
  [String.raw`mongo(?:sh|dump|restore|export|import|stat|top)?`, 'p', String.raw`\s{0,3}`],
  ['redis-cli', 'a', String.raw`\s{1,3}`],
  [String.raw`ldap(?:search|modify|add|delete|passwd|whoami|compare)`, 'w', String.raw`\s{0,3}`],
  [String.raw`(?:7z[ar]?|rar|unrar)`, 'p', ''],
  ['(?:un)?zip', 'P', String.raw`\s{0,3}`],
]

/** A line end: as it is, as JSON writes it in a string, and as it was made visible before. */
const NEWLINE = String.raw`(?:\r?\n|(?:\\r)?\\n|(?:\\u\{D\})?\\u\{A\})`
const REST_OF_LINE = `(?:(?!${NEWLINE})[^\\n])*`

/** Between the two halves of a pair: the end of the first one's quote, a comma or a line, the next one's quote. */
const PAIR_GAP = String.raw`\\?["']?\s{0,3},?(?:${NEWLINE}|\s){0,40}\\?["']?`
const PAIR_COLON = String.raw`\\?["']?\s{0,3}[:=]\s{0,3}`

/** What a shape is replaced by; a function is given its groups. */
type Replacement = string | ((all: string, ...groups: string[]) => string)

/** What links a secret to its name in a sentence: "is", "was changed to", "lautet". */
const IS = String.raw`:?\s{1,3}(?:is|was|ist|war|lautet|est|es)(?:\s{1,3}(?:now|still|set|changed|reset|jetzt|to|auf)){0,3}`
/** A value in a sentence: in quotes, or up to the mark that ends a clause. */
const SAID = String.raw`\\?["'\`][^"'\`\n]{1,200}(?:\\?["'\`])?|(?:(?!${ESCAPED})[^\s"'\`])*(?!${ESCAPED})[^\s"'\`.,;:)\]]`

/** The shapes, in the order in which they are removed: the widest first, so that no part of one is left. */
const SHAPES: readonly (readonly [RegExp, Replacement])[] = [
  // To the end of the text where the end of the key is missing.
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
    REDACTED,
  ],
  [new RegExp(String.raw`\b((?:set-)?cookie\s{0,3}:\s{0,3})(?:(?!${ESCAPED})[^\r\n"'])+`, 'gi'), `$1${REDACTED}`],
  [
    new RegExp(
      String.raw`\b((?:proxy-)?authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)(?:[A-Za-z][\w-]{1,30}\s{1,3}(?=\S))?${PLAIN}`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  // With a digit in it: "Bearer authentication" is prose.
  [
    new RegExp(String.raw`\b(bearer|basic|token)(\s{1,3})(?=[\w.~+/=-]*\d)(?=[\w.~+/=-]{12})${PLAIN}`, 'gi'),
    `$1$2${REDACTED}`,
  ],
  // The last "@" before the path: a password may hold one.
  [/\b([a-z][a-z0-9+.-]{1,30}:\/\/)(?!git@)[^\s/?#"'<>]{1,400}@/gi, `$1${REDACTED}@`],
  // A block of YAML: every line that is indented as its first one.
  [
    new RegExp(
      String.raw`((?:${NAMES})s?\\?["']?\s{0,3}:\s{0,3}[|>][+-]?\d?[+-]?[ \t]{0,3}${NEWLINE}([ \t]{1,40}))(?=\S)${REST_OF_LINE}(?:${NEWLINE}(?:\2${REST_OF_LINE}|(?=${NEWLINE})))*`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [
    new RegExp(
      String.raw`([\w.-]{0,64}(?:${NAMES})s?)(\\?["']?\s{0,3}(?:=>|:=|[:=])\s{0,3})(?![|>][+-]?\d?[+-]?\s)(${VALUE})`,
      'gi',
    ),
    (all, name = '', separator = '', value = '') =>
      isCount(name, value) ? all : `${name}${separator}${inQuotesOf(value)}`,
  ],
  // A pair of a name and a value, in either order.
  [
    new RegExp(
      String.raw`((?<![\w-])(?:${PAIR_NAME})${PAIR_COLON}\\?["']?[\w.-]{0,64}(?:${NAMES}|authorization|cookie)s?${PAIR_GAP}(?<![\w-])(?:${PAIR_VALUE})${PAIR_COLON})(${VALUE})`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value)}`,
  ],
  [
    new RegExp(
      String.raw`((?<![\w-])(?:${PAIR_VALUE})${PAIR_COLON})(${SHORT_VALUE})(${PAIR_GAP}(?<![\w-])(?:${PAIR_NAME})${PAIR_COLON}\\?["']?[\w.-]{0,64}(?:${NAMES}|authorization|cookie)s?(?![\w-]))`,
      'gi',
    ),
    (_all, before = '', value = '', after = '') => `${before}${inQuotesOf(value)}${after}`,
  ],
  // The credentials of a registry: Docker's in JSON, npm's in its settings.
  [/((?<![\w-])\\?["']auth\\?["']\s{0,3}:\s{0,3}\\?["'])[\w+/=-]{8,}/g, `$1${REDACTED}`],
  [new RegExp(String.raw`((?<![A-Za-z0-9])_auth\\?["']?\s{0,3}[:=]\s{0,3})(${VALUE})`, 'g'), `$1${REDACTED}`],
  // `aws configure set aws_secret_access_key …`, `npm config set …:_authToken …`, `setx API_KEY …`.
  [
    new RegExp(
      String.raw`((?<![\w-])(?:(?:config(?:ure)?|secrets?|npm|pnpm|yarn)\s{1,3}(?:set|add|put)|setx)(?:\s{1,3}--?[\w-]{1,40}(?:[ =][\w.][\w.-]{0,60})?){0,5}\s{1,3}[\w.:/@-]{0,120}(?:${NAMES}|_auth)\s{1,3})(?!-)(${VALUE})`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value)}`,
  ],
  [
    new RegExp(String.raw`(?<![\w-])(--?(?:[\w-]{0,40}(?:${NAMES})|pass(?:in|out)?))(\s{1,3})(?!-)(${VALUE})`, 'gi'),
    (_all, name = '', gap = '', value = '') => `${name}${gap}${inQuotesOf(value)}`,
  ],
  ...PROGRAMS.map(
    ([program, letter, blank]) =>
      [
        new RegExp(
          String.raw`((?<![\w-])${program}(?:\.exe)?(?:(?!${ESCAPED})[^\n;|&]){0,300}?\s-${letter}${blank})(?![-\s])(${VALUE})`,
          'g',
        ),
        (_all: string, before = '', value = '') => `${before}${inQuotesOf(value)}`,
      ] as const,
  ),
  // In a sentence: with what no plain word has, or in quotes.
  [
    new RegExp(
      String.raw`(?<![\w=/-])(${NAMES.replaceAll('[_-]', '[ _-]')})(s?(?:\s{1,3}(?:for|of|on|at|f\u00FCr|von|zu|pour|para)(?:\s{1,3}[\w.@-]{1,40}){1,3}?)?)(${IS}|\s{1,3}to|:|)(\s{1,3})(${SAID})`,
      'gi',
    ),
    (all, name = '', whose = '', link = '', gap = '', value = '') =>
      isSaid(name, link.trim(), value) && !isCount(`${name}${whose.slice(0, 1)}`, value)
        ? `${name}${whose}${link}${gap}${inQuotesOf(value)}`
        : all,
  ],
  // Two numbers are a user and a group.
  [
    new RegExp(
      String.raw`(?<![\w-])((?:-u|--user|--proxy-user)(?:\s{1,3}|=)?)(?!\d+:\d+(?![^\s]))(?:(\\?["'])([\w.@+-]{1,80}:)(?:(?!\2|${ESCAPED}).)+|([\w.@+-]{1,80}:)${PLAIN})`,
      'g',
    ),
    (_all, option = '', quote = '', quoted = '', user = '') => `${option}${quote}${quoted}${user}${REDACTED}`,
  ],
  [/([?&](?:sig|signature|key|auth|code)=)(?:\[redacted\]|[^\s"'&#<>\\[\]])+/gi, `$1${REDACTED}`],
  [/\b(hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]+/gi, `$1${REDACTED}`],
  [/\b(discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks\/)[\w/-]+/gi, `$1${REDACTED}`],
  // JSON Web Tokens and their encrypted kind.
  [/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){2,4}/g, REDACTED],
  [new RegExp(String.raw`(?<![A-Za-z0-9])(?:${KNOWN_TOKENS.join('|')})`, 'g'), REDACTED],
]

/**
 * A text without what looks like a secret. A net with holes: a password of plain letters in a sentence has no shape. It
 * takes time that grows with the square of the text's length at worst, so give it bounded ones.
 */
export function withoutSecrets(text: string): string {
  const clean = redacted(text)
  // An invisible character breaks a shape, but not the secret. If a secret is found without them, they are removed too.
  const plain = withoutIgnorable(text)
  if (plain === text) return clean
  const cleanPlain = redacted(plain)
  return cleanPlain === plain ? clean : cleanPlain
}

function redacted(text: string): string {
  let clean = text
  for (const [shape, by] of SHAPES) clean = clean.replace(shape, by as string)
  return clean
}

const IGNORABLE = unicodeExpression(String.raw`\p{Default_Ignorable_Code_Point}`, 'gu')
const MADE_VISIBLE = /\\u\{([0-9A-F]{1,6})\}/g

/** A text without invisible characters, also those that were made visible before. */
function withoutIgnorable(text: string): string {
  const seen = text.replaceAll(IGNORABLE(), '')
  if (!seen.includes('\\u{')) return seen
  return seen.replaceAll(MADE_VISIBLE, (written, digits: string) => {
    const code = Number.parseInt(digits, 16)
    return code <= 0x10_ff_ff && String.fromCodePoint(code).replaceAll(IGNORABLE(), '') === '' ? '' : written
  })
}

/** How many tokens there may be is not a secret. */
function isCount(name: string, value: string): boolean {
  return /tokens$/i.test(name) && /^\d+$/.test(value)
}

const IN_QUOTES = /^\\?["'`]/
const IS_PASSWORD = new RegExp(`^(?:${PASSWORD})$`, 'i')

/** Whether a word of a sentence is a secret: "the password is required" and "the password field" hold none. */
function isSaid(name: string, link: string, value: string): boolean {
  const said = value.replaceAll(/^\\?["'`]|\\?["'`]$/g, '')
  // A variable, an address and a path only say where it is.
  if (/^(?:\$|[a-z]+:\/\/|[~.]*\/|[~.]\w)/i.test(said)) return false
  const isWord = said.length < 4 || !/\d|[a-z][A-Z]|[!@#$%^&?]/.test(said)
  // With a plain "is", whatever is in quotes; in backticks stand the names of things too.
  if (link !== '' && link !== ':' && link !== 'to') return !isWord || /^\\?["']/.test(value)
  // Else less may be said of it: "the password to hunter2", and in .netrc "password hunter2".
  return !isWord && /^(?=\w).*\d/.test(said) && /[a-z]/i.test(said) && (link === ':' || IS_PASSWORD.test(name))
}

function inQuotesOf(value: string): string {
  const quote = IN_QUOTES.exec(value)?.[0] ?? ''
  return `${quote}${REDACTED}${quote}`
}
