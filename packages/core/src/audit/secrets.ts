/** What replaces a secret. */
export const REDACTED = '[redacted]'

/** A character that was made visible before (`\u{A}`) ends a value as the character itself does. */
const ESCAPED = String.raw`\\u\{[0-9A-F]{1,6}\}`
/** A value without quotes. What was redacted in it before is a part of it. */
const PLAIN = String.raw`(?:\[redacted\]|(?!${ESCAPED})[^\s"'\`,;&<>(){}\[\]])+`
/** A value in quotes, in escaped ones (JSON inside a string), or plain. */
const VALUE = String.raw`(?:\\"(?:(?!\\").)*(?:\\")?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|${PLAIN})`

/** Passwords, as people and programs spell them, in the languages that most people write. */
const PASSWORD = 'pass[_-]?wor[dt]|passwd|pass[_-]?phrase|pass[_-]?code|kennwort|mot[ _-]de[ _-]passe|contraseña'

/** Words that a secret's name ends with. */
const NAMES =
  `${PASSWORD}|pwd|secret|token|credentials?|connection[_-]?string|` +
  'api[_-]?key|(?:access|account|auth|private|secret|shared|signing|encryption|master|storage)[_-]?key|' +
  'session[_-]?id|x-amz-signature|x-amz-credential'

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

/**
 * Tokens that their issuers gave a beginning of its own, so that they are recognised anywhere. By the issuers'
 * documentation; a token of a kind that is not here is still removed where its name precedes it.
 */
const KNOWN_TOKENS = [
  // Model providers: OpenAI and Anthropic (sk-), Groq, xAI, Replicate, Perplexity, Hugging Face, Google.
  String.raw`sk-[\w-]{16,}`,
  String.raw`(?:gsk|pplx|hf|r8)[_-]\w{20,}`,
  String.raw`xai-\w{20,}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`GOCSPX-[\w-]{20,}`,
  // Source code and packages: GitHub, GitLab, npm, PyPI, Docker.
  String.raw`gh[pousr]_[\w.-]{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`gl(?:pat|dt|rt|ptt|cbt|soat)-[\w-]{15,}`,
  String.raw`npm_\w{30,}`,
  String.raw`pypi-[\w-]{30,}`,
  String.raw`dckr_pat_[\w-]{20,}`,
  // Clouds: AWS key ids, DigitalOcean, Vault, Vercel, Cloudflare, Databricks, Tailscale.
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`,
  String.raw`do[opr]_v1_[0-9a-f]{32,}`,
  String.raw`hv[sbr]\.[\w-]{20,}`,
  String.raw`vc[piark]_\w{20,}`,
  String.raw`cf(?:k|ut|at)_\w{40,}`,
  String.raw`dapi[0-9a-fA-F]{32}`,
  String.raw`tskey-[a-z]{2,20}-[\w-]{20,}`,
  // Services: Slack, Stripe, SendGrid, Shopify, Linear, Notion, Figma, Sentry, Grafana, Square, Telegram, 1Password, age.
  String.raw`xox[a-z](?:-[\w.]+)+`,
  String.raw`xapp-[\w-]{10,}`,
  String.raw`(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`,
  // With a digit: "secret_manager-client-library" is a name.
  String.raw`(?:lin_api|ntn|secret|figd|sntrys|sntryu)_(?=[\w-]*\d)[\w-]{24,}`,
  String.raw`gl(?:c|sa)_[\w+/=]{20,}`,
  String.raw`(?:EAAA|sq0[a-z]{3}-)[\w-]{22,}`,
  String.raw`\d{8,10}:AA[\w-]{32,}`,
  String.raw`ops_eyJ[\w+/=-]{20,}`,
  String.raw`AGE-SECRET-KEY-1[0-9A-Z]{20,}`,
]

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
  [
    new RegExp(String.raw`([\w.-]{0,64}(?:${NAMES})s?)(\\?["']?\s{0,3}(?:=>|:=|[:=])\s{0,3})(${VALUE})`, 'gi'),
    (all, name = '', separator = '', value = '') =>
      isCount(name, value) ? all : `${name}${separator}${inQuotesOf(value)}`,
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
  // JSON Web Tokens and their encrypted kind.
  [/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){2,4}/g, REDACTED],
  [new RegExp(String.raw`(?<![A-Za-z0-9])(?:${KNOWN_TOKENS.join('|')})`, 'g'), REDACTED],
]

/**
 * A text without what looks like a secret. A net with holes: a password of plain letters in a sentence has no shape. It
 * takes time that grows with the square of the text's length at worst, so give it bounded ones.
 */
export function withoutSecrets(text: string): string {
  let clean = text
  for (const [shape, by] of SHAPES) clean = clean.replace(shape, by as string)
  return clean
}

const SECRET_NAME = new RegExp(`(?:^|[^a-z])(?:${NAMES}|authorization|cookie)s?$|(?:${NAMES}|authorization)$`, 'i')

/** Whether the value under a name in an object is a secret by that name: `apiKey`, `DB_PASSWORD`, `Authorization`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.slice(-80))
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
