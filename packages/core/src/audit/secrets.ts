import { redactCommands } from './command-words.ts'
import { KNOWN_TOKENS } from './known-tokens.ts'
import {
  AFTER_NAME,
  ASSIGNED,
  COMMAND_SHAPES,
  ESCAPED,
  NAMES,
  PAIR_NAME,
  PAIR_VALUE,
  PASSWORD,
  PLAIN,
  REDACTED,
  type Replacement,
  SHORT_VALUE,
  VALUE,
  inQuotesOf,
  redactInserts,
  withoutIgnorable as withoutUnseen,
} from './secret-names.ts'

/** A line end: as it is, as JSON writes it in a string, and as it was made visible before. */
const NEWLINE = String.raw`(?:\r?\n|(?:\\r)?\\n|(?:\\u\{D\})?\\u\{A\})`
const REST_OF_LINE = `(?:(?!${NEWLINE})[^\\n])*`

/** Tags and anchors of YAML before a value. */
const YAML_PREFIX = String.raw`(?:[!&][\w!:/.-]{0,60}[ \t]{1,3}){0,3}`

/** Between the two halves of a pair: the end of the first one's quote, a comma or a line, the next one's quote. */
const PAIR_GAP = String.raw`\\?["']?\s{0,3},?(?:${NEWLINE}|\s){0,40}\\?["']?`
const PAIR_COLON = String.raw`\\?["']?\s{0,3}[:=]\s{0,3}`

/** What links a secret to its name in a sentence: "is", "was changed to", "lautet". */
const IS = String.raw`:?\s{1,3}(?:is|was|ist|war|lautet|est|es)(?:\s{1,3}(?:now|still|set|changed|reset|jetzt|to|auf)){0,3}:?`
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
      String.raw`(?:\b|(?<=\s-H))((?:proxy-)?authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?)(?:[A-Za-z][\w-]{1,30}\s{1,3}(?=\S))?${PLAIN}`,
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
  [
    new RegExp(
      String.raw`(\b(?:${PASSWORD}|secret)\s{1,3}(?:hash\s{1,3}|like\s{1,3}|in\s{0,3}\(\s{0,3}|(?:<>|!=)\s{0,3})?)(N?'(?:[^']|''){1,500}'?)`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value.replace(/^N/i, ''))}`,
  ],
  // In SQL, where a function may stand around it.
  [
    new RegExp(
      String.raw`(\b(?:pragma\s{1,3}(?:re|hex)?key\s{0,3}=|attach\s[^;]{1,200}?\skey\s|(?:crypt|pgp_sym_\w{1,20})\((?:[^()',]{1,80},)?(?=\s{0,3}')|identified\s{1,3}(?:with\s{1,3}\S{1,60}\s{1,3})?by|set\s{1,3}password(?:\s{1,3}for\s{1,3}\S{1,120})?\s{0,3}=)\s{0,3}(?:\w{1,40}\s{0,3}(?=\())?\(?\s{0,3})(${VALUE})`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value)}`,
  ],
  // In XML: the text of an element, and its attribute.
  [
    new RegExp(
      String.raw`(<[\w:.-]{0,64}(?:${NAMES})s?(?:\s[^<>]{0,200})?>)(?:<!\[CDATA\[[\s\S]{0,4000}?\]\]>|[^<>]{1,4000})(?=<)`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [
    new RegExp(
      String.raw`(<[\w:.-]{0,64}(?:${NAMES})s?\s(?:[^<>]{0,200}\s)?(?:${PAIR_VALUE})\s{0,3}=\s{0,3})(${VALUE})`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value)}`,
  ],
  [
    new RegExp(
      String.raw`((?:<(?!input|button|label)[\w:.-]{1,64}\s(?:[^<>]{0,100}\s)?(?:name|key)\s{0,3}=\s{0,3}\\?["'][^"'<>]{0,64}(?:${NAMES})\\?["'][^<>]{0,200}|<key>[^<>]{0,64}(?:${NAMES})</key>\s{0,40}<\w{1,20})(?<!/)>)[^<>]{1,4000}(?=<)`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  // The value after a name in a call: `setenv("API_KEY", "…")`, `fill("#password", "…")`.
  [
    new RegExp(
      String.raw`(\w\(\s{0,3}\\?["'][\w.#:[\]= -]{0,64}(?:${NAMES})\]?\\?["']\s{0,3},\s{0,3})(?=\\?["'])(${VALUE})`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value)}`,
  ],
  // Three quotes, of TOML and Python.
  [
    new RegExp(
      String.raw`((?:${ASSIGNED})${AFTER_NAME}s?\\?["']?\s{0,3}[:=]\s{0,3})(\\?"\\?"\\?"|'{3})[\s\S]*?(?:\2|$)`,
      'gi',
    ),
    (_all, before = '', quotes = '') => `${before}${quotes}${REDACTED}${quotes}`,
  ],
  // A list, between brackets or one item a line.
  [
    new RegExp(
      String.raw`((?:${ASSIGNED})${AFTER_NAME}s?\\?["']?\s{0,3}[:=]\s{0,3})\[(?!redacted\])(?![\d\s,.]*\])[^\]]{0,4000}\]?`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [
    new RegExp(
      String.raw`((?:${ASSIGNED})${AFTER_NAME}s?\\?["']?\s{0,3}:[ \t]{0,3})((?:${NEWLINE}[ \t]{0,40}-[ \t]{1,3}(?!\w{1,40}:\s)${REST_OF_LINE}){1,100})`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  // A block of YAML: every line that is indented as its first one.
  [
    new RegExp(
      String.raw`((?:${ASSIGNED})${AFTER_NAME}s?\\?["']?\s{0,3}:\s{0,3}${YAML_PREFIX}[|>][+-]?\d?[+-]?[ \t]{0,3}${NEWLINE}([ \t]{1,40}))(?=\S)${REST_OF_LINE}(?:${NEWLINE}(?:\2${REST_OF_LINE}|(?=${NEWLINE})))*`,
      'gi',
    ),
    `$1${REDACTED}`,
  ],
  [
    new RegExp(
      String.raw`([\w.-]{0,64}(?:${ASSIGNED})${AFTER_NAME}s?)(\\{0,7}["'\`]?\]?\s{0,3}(?:=>|:=|%3[AD](?:%20)?|[:=\uFF1A\uFF1D])\s{0,3}${YAML_PREFIX}(?:(?:\w{1,40}\(\s{0,3}|[$@\w]{1,2})(?=\\?["']))?)(?![|>][+-]?\d?[+-]?\s)(${VALUE})`,
      'gi',
    ),
    (all, name = '', separator = '', value = '') =>
      isCount(name, value) || NO_SECRET.test(value) ? all : `${name}${separator}${inQuotesOf(value)}`,
  ],
  // Short names that mean a secret only where a value is assigned to them: `pass=`, `sid=`, `PHPSESSID=`.
  [
    new RegExp(
      String.raw`((?<![A-Za-z])(?:pass|(?:[A-Za-z.-]{0,40}[_.-])?(?:sid|sess|session)|[A-Za-z]{0,40}sess(?:ion)?[_-]?id)\s?=\s?)(?!\d{1,3}(?![\w.-]))(${VALUE})`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value)}`,
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
      String.raw`((?<![\w-])(?:(?:config(?:ure)?|secrets?|npm|pnpm|yarn)\s{1,3}(?:set|add|put)|(?:git|poetry)\s{1,3}config|setx|setenv|env:set|set(?=\s{1,3}-))(?:\s{1,3}--?[\w-]{1,40}(?:[ =][\w.][\w.-]{0,60})?){0,5}\s{1,3}(?:[\w.:/@-]{0,120}(?:${NAMES}|_auth)|[\w-]{1,40}-token\.[\w-]{1,40}|(?<=--secret\s{1,3})\[redacted\])\s{1,3})(?!-)(${VALUE})`,
      'gi',
    ),
    (_all, before = '', value = '') => `${before}${inQuotesOf(value)}`,
  ],
  [
    new RegExp(
      String.raw`(?<![\w-])(--?(?:[\w-]{0,40}(?:${NAMES})|(?:(?:dest|src)?(?:store|key))?pass(?:in|out)?))(\s{1,3})(?!-)(${VALUE})`,
      'gi',
    ),
    (_all, name = '', gap = '', value = '') => `${name}${gap}${inQuotesOf(value)}`,
  ],
  ...COMMAND_SHAPES,
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
  [/((?<![\w-])(?:-x|--proxy)(?:\s{1,3}|=)\\?["']?)[^\s/@:"']{1,100}:[^\s/"']{1,200}@/g, `$1${REDACTED}@`],
  [/([?&](?:sig|signature|key|auth|code)=)(?:\[redacted\]|[^\s"'&#<>\\[\]])+/gi, `$1${REDACTED}`],
  [/\b(hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]+/gi, `$1${REDACTED}`],
  [/\b(hooks\.zapier\.com\/hooks\/catch\/\d+\/|outlook\.office(?:365)?\.com\/webhook\w*\/)[\w@/-]+/gi, `$1${REDACTED}`],
  // The private part of a key in JSON, and PuTTY's.
  [/(\\?["']d\\?["']\s{0,3}:\s{0,3}\\?["'])[\w-]{20,}/g, `$1${REDACTED}`],
  [/\b(Private-Lines: \d+)[\s\S]*/g, `$1 ${REDACTED}`],
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
  let clean = redactInserts(redactCommands(text))
  for (const [shape, by] of SHAPES) clean = clean.replace(shape, by as string)
  return clean
}

const MADE_VISIBLE = /\\u\{([0-9A-F]{1,6})\}/g

/** A text without invisible characters, also those that were made visible before. */
function withoutIgnorable(text: string): string {
  const seen = withoutUnseen(text)
  if (!seen.includes('\\u{')) return seen
  return seen.replaceAll(MADE_VISIBLE, (written, digits: string) => {
    const code = Number.parseInt(digits, 16)
    return code <= 0x10_ff_ff && withoutUnseen(String.fromCodePoint(code)) === '' ? '' : written
  })
}

/** How many tokens there may be is not a secret. */
function isCount(name: string, value: string): boolean {
  return /tokens$/i.test(name) && /^\d+$/.test(value)
}

/** What stands for a value in code, or says whether there is one. */
const NO_SECRET = /^(?:true|false|null|none|undefined|string|boolean|number)$/i

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
