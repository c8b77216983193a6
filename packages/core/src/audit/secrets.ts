/** What stands where a secret stood. */
export const REDACTED = '[redacted]'

/** A character that was made visible before (`\u{A}`) ends a value as the character itself does. */
const ESCAPED = String.raw`\\u\{[0-9A-F]{1,6}\}`
/** A value without quotes. What was redacted in it before is a part of it. */
const PLAIN = String.raw`(?:\[redacted\]|(?!${ESCAPED})[^\s"'\`,;&<>(){}\[\]])+`
/** A value in quotes, in escaped ones (JSON inside a string), or plain. */
const VALUE = String.raw`(?:\\"(?:(?!\\").)*(?:\\")?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|${PLAIN})`

/** Words that a secret's name ends with, as people and programs spell them. */
const NAMES =
  'pass[_-]?word|passwd|pass[_-]?phrase|pass[_-]?code|pwd|secret|token|credentials?|connection[_-]?string|' +
  'api[_-]?key|(?:access|account|auth|private|secret|shared|signing|encryption|master|storage)[_-]?key|' +
  'session[_-]?id|x-amz-signature|x-amz-credential'

/**
 * Tokens that their issuers gave a beginning of its own, so that they are known wherever they stand. By the issuers'
 * documentation; a token of a kind that is not here is still taken out where its name stands before it.
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
  String.raw`gh[pousr]_\w{20,}`,
  String.raw`github_pat_\w{20,}`,
  String.raw`gl(?:pat|dt|rt|ptt|cbt|soat)-[\w-]{15,}`,
  String.raw`npm_\w{30,}`,
  String.raw`pypi-[\w-]{30,}`,
  String.raw`dckr_pat_[\w-]{20,}`,
  // Clouds: AWS key ids, DigitalOcean, Vault, Azure's storage (by name) and shared access signatures.
  String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}`,
  String.raw`do[opr]_v1_[0-9a-f]{32,}`,
  String.raw`hv[sbr]\.[\w-]{20,}`,
  // Services: Slack, Stripe, SendGrid, Shopify, Linear, Notion, Square, Telegram, 1Password, age.
  String.raw`xox[a-z](?:-[\w.]+)+`,
  String.raw`xapp-[\w-]{10,}`,
  String.raw`(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}`,
  String.raw`(?:lin_api|ntn|secret|figd|sntrys|sntryu)_\w{24,}`,
  String.raw`(?:EAAA|sq0[a-z]{3}-)[\w-]{22,}`,
  String.raw`\d{8,10}:AA[\w-]{32,}`,
  String.raw`ops_eyJ[\w+/=-]{20,}`,
  String.raw`AGE-SECRET-KEY-1[0-9A-Z]{20,}`,
]

/** The shapes, in the order in which they are taken out: the widest first, so that no half of one is left. */
const SHAPES: readonly (readonly [
  RegExp,
  string | ((all: string, name: string, between: string, value: string) => string),
])[] = [
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
    (all, name, separator, value) => (isCount(name, value) ? all : `${name}${separator}${inQuotesOf(value)}`),
  ],
  [
    new RegExp(String.raw`(?<![\w-])(--?[\w-]{0,40}(?:${NAMES}))(\s{1,3})(?!-)(${VALUE})`, 'gi'),
    (_all, name, gap, value) => `${name}${gap}${inQuotesOf(value)}`,
  ],
  [
    new RegExp(String.raw`(?<![\w-])(-u|--user|--proxy-user)(\s{1,3}|=)(["']?[\w.@-]{1,80}:)${PLAIN}`, 'g'),
    `$1$2$3${REDACTED}`,
  ],
  [/([?&](?:sig|signature|key|auth|code)=)(?:\[redacted\]|[^\s"'&#<>\\[\]])+/gi, `$1${REDACTED}`],
  [/\b(hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]+/gi, `$1${REDACTED}`],
  // JSON Web Tokens and their encrypted kind.
  [/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){2,4}/g, REDACTED],
  [new RegExp(String.raw`(?<![A-Za-z0-9])(?:${KNOWN_TOKENS.join('|')})`, 'g'), REDACTED],
]

/**
 * A text without what looks like a secret. A net with holes: a password in prose has no shape. It takes time that grows
 * with the square of the text's length at worst, so give it bounded ones.
 */
export function withoutSecrets(text: string): string {
  let clean = text
  for (const [shape, by] of SHAPES) clean = clean.replace(shape, by as string)
  return clean
}

const SECRET_NAME = new RegExp(`(?:^|[^a-z])(?:${NAMES}|authorization|cookie)s?$|(?:${NAMES}|authorization)$`, 'i')

/** Whether what stands under a name in an object is a secret by that name: `apiKey`, `DB_PASSWORD`, `Authorization`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.slice(-80))
}

/** How many tokens there may be is no secret. */
function isCount(name: string, value: string): boolean {
  return /tokens$/i.test(name) && /^\d+$/.test(value)
}

function inQuotesOf(value: string): string {
  const quote = value.startsWith('\\"') ? '\\"' : value.startsWith('"') || value.startsWith("'") ? value[0]! : ''
  return `${quote}${REDACTED}${quote}`
}
