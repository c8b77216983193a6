import { normalForm, unicodeExpression } from '@repertoire/skill-md/internal'

/** Passwords, as people and programs spell them, in the languages that most people write. */
export const PASSWORD =
  'pass[_-]?wor[dt]|passwd|pass[_-]?phrase|pass[_-]?code|kennwort|mot[ _-]de[ _-]passe|contraseña|senha|wachtwoord|' +
  'lösenord|hasło|şifre|пароль|密码|密碼|パスワード|비밀번호'

/** Words that a secret's name ends with. */
export const NAMES =
  `${PASSWORD}|pwd|secret|token|credentials?|connection[_-]?string|` +
  'api[_-]?key|(?:access|account|auth|private|secret|shared|signing|encryption|master|storage|subscription)[_-]?key|secret[_-]key[_-]base|' +
  'session[_-]?id|x-amz-signature|x-amz-credential'

/** Names that are too short for a sentence, and mean a secret where a value is assigned to them: `DB_PASS=`, `jwt:`. */
export const ASSIGNED = `${NAMES}|[_-]pass|db[_-]?pass|[_-]pw|sshpass|pgpass|access[_-]?signature|jwt|(?<![a-z])(?:t?otp|psk|pw)|(?:mfa|otp|one[_-]time)[_-]code`

/** What may follow a secret's name: `password_hash`, `token2`. */
export const AFTER_NAME = String.raw`(?:[_-]?(?:hash|hashed|digest|salt|value|plain|plaintext|base64|b64|old|new|confirm|confirmation)|[_-]?\d{1,3})?`

/** What an object calls the name and the value of a pair: variables of containers, headers, parameters. */
export const PAIR_NAME = 'name|key|field|header|variable|parameter'
export const PAIR_VALUE = 'value|val|content|data'

const SECRET_NAME = new RegExp(
  `(?:^|[^a-z])(?:${ASSIGNED}|authorization|cookie)${AFTER_NAME}s?$|(?:${ASSIGNED}|authorization|_auth)${AFTER_NAME}$|^(?:pass|pin|bearer|sid|sessid|phpsessid|jsessionid)$`,
  'i',
)
/** A word of its own by its capital alone. */
const SECRET_WORD = /[a-z](?:Pass|Pw|Otp|Pin)$/
/** A field of a page that a person's password is typed into, as tools for browsers name it. */
const IS_FIELD = /^(?:element|selector|locator|target|label|placeholder|id)$/i
const IS_PASSWORD_FIELD = new RegExp(`${PASSWORD}|passw|api[ _-]?key|secret`, 'i')
const IS_PAIR_NAME = new RegExp(`^(?:${PAIR_NAME})$`, 'i')
const IS_PAIR_VALUE = new RegExp(`^(?:${PAIR_VALUE}|text)$`, 'i')

/** Whether the value of an object is a secret by the name in it: `{ name: 'DB_PASSWORD', value: '…' }`. */
export function isSecretPair(entries: readonly (readonly [name: string, value: unknown])[]): boolean {
  return entries.some(
    ([name, value]) =>
      typeof value === 'string' &&
      ((IS_PAIR_NAME.test(name) && isSecretName(value)) || (IS_FIELD.test(name) && IS_PASSWORD_FIELD.test(value))),
  )
}

/** Whether a property holds the value of a pair. */
export function isPairValue(name: string): boolean {
  return IS_PAIR_VALUE.test(name)
}

/** Whether a text under `auth` holds credentials: as Docker writes them for a registry, or a user and a password. */
export function isAuth(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false
  return (
    (name === 'auth' && /^[\w+/=-]{8,}$/.test(value)) || (/^(?:basic_?)?auth$/i.test(name) && /^[^\s:]+:\S/.test(value))
  )
}

const BEGIN_OF_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/
const END_OF_KEY = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY/

/**
 * Returns which items of a list are secrets by what precedes them: the lines of a private key, the value after an
 * option, the second of two whose first is a secret's name.
 */
export function secretItems(items: readonly unknown[]): readonly boolean[] {
  let isInKey = false
  return items.map((item, index) => {
    const before = items[index - 1]
    if (typeof item !== 'string') return false
    const wasInKey = isInKey
    if (BEGIN_OF_KEY.test(item)) isInKey = true
    if (END_OF_KEY.test(item)) isInKey = false
    if (wasInKey) return true
    if (typeof before !== 'string' || !isSecretName(before)) return false
    const isOption = before.startsWith('-') && !item.startsWith('-')
    const isSet = /^(?:set|add|put|setx)$/.test(String(items[index - 2]))
    return isOption || isSet || items.length === 2
  })
}

/** Whether the value under a name in an object is a secret by that name: `apiKey`, `DB_PASSWORD`, `Authorization`. */
export function isSecretName(name: string): boolean {
  // A name that only looks like another one: full-width letters, something invisible inside.
  const plain = withoutIgnorable(normalForm(name.slice(-80), 'NFKC'))
  return SECRET_NAME.test(plain) || SECRET_WORD.test(plain)
}

const IGNORABLE = unicodeExpression(String.raw`\p{Default_Ignorable_Code_Point}`, 'gu')

/** Returns a text without the characters that nobody sees. */
export function withoutIgnorable(text: string): string {
  return text.replaceAll(IGNORABLE(), '')
}

/** What replaces a secret. */
export const REDACTED = '[redacted]'

/** A character that was made visible before (`\u{A}`) ends a value as the character itself does. */
export const ESCAPED = String.raw`\\u\{[0-9A-F]{1,6}\}`
/** A value without quotes. What was redacted in it before is a part of it. */
const plainOf = (max: string): string => String.raw`(?:\[redacted\]|(?!${ESCAPED})[^\s"'\`,;&<>(){}\[\]]){1,${max}}`
/** A value in quotes, in escaped ones (JSON inside a string), or plain, of at most so many characters. */
const valueOf = (max: string): string =>
  String.raw`(?:\\{1,7}"(?:(?!\\").){0,${max}}(?:\\{1,7}")?|"(?:[^"\\]|\\.){0,${max}}"?|'(?:[^'\\]|\\.){0,${max}}'?|\`[^\`\s][^\`\n]{0,${max}}\`|${plainOf(max)})`
export const PLAIN = plainOf('')
export const VALUE = valueOf('')
/** A value before a name: each of its ends is tried, which would take time that grows with the square of a long one. */
export const SHORT_VALUE = valueOf('500')

/** What a shape is replaced by; a function is given its groups. */
export type Replacement = string | ((all: string, ...groups: string[]) => string)

/** A shape of a secret, and what replaces it. */
export type Shape = readonly [shape: RegExp, by: Replacement]

/** Replaces a value, and keeps its quotes. */
export function inQuotesOf(value: string): string {
  const quote = IN_QUOTES.exec(value)?.[0] ?? ''
  return `${quote}${REDACTED}${quote}`
}

const IN_QUOTES = /^\\{0,7}["'`]/

const BLANK = String.raw`\s{1,3}`
const MAYBE_BLANK = String.raw`\s{0,3}`

/** A command up to what ends it. */
const WITHIN = String.raw`(?:(?!${ESCAPED})[^\n;|&]){0,300}?`

/** What comes before a value, and the value itself. */
const BEFORE: readonly string[] = [
  // The name of the user and the password in one word.
  String.raw`smb\w{1,20}${WITHIN}\s-U${MAYBE_BLANK}["']?[\w.\\@-]{1,80}%`,
  String.raw`lftp${WITHIN}\s-u${BLANK}[\w.@-]{1,80},`,
  String.raw`sqlplus(?:${BLANK}-\w{1,10}){0,5}${BLANK}["']?[\w$#.-]{1,80}/`,
  String.raw`(?:sqlldr|rman|expdp|impdp)${WITHIN}\s["']?[\w$#.-]{1,80}/(?=[^\s@]{1,200}@)`,
  String.raw`jdbc:oracle:\w{1,20}:[\w$#.-]{1,80}/(?=[^\s@]{1,200}@)`,
  // Options of Windows.
  String.raw`(?:cmdkey|net|runas|psexec|[wx]freerdp)${WITHIN}\s/p(?:ass(?:word)?)?:`,
  String.raw`schtasks${WITHIN}\s/rp${BLANK}`,
  String.raw`signtool${WITHIN}\s/p${BLANK}`,
  String.raw`ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?(?!-)`,
  // By their position, or with a name that the user chose.
  String.raw`htpasswd${WITHIN}\s-\w{0,5}b\w{0,5}${WITHIN}\s[^\s;|&]{1,200}\s{1,3}[^\s;|&]{1,80}\s{1,3}(?!-)(?=[^\s;|&]{1,200}\s{0,3}(?:$|[;|&\n]))`,
  String.raw`htpasswd${BLANK}-(?=\w{0,5}n)\w{0,5}b\w{0,5}${BLANK}[^\s;|&]{1,80}${BLANK}(?!-)`,
  String.raw`(?:(?:cargo|wandb)${BLANK}login|bw${BLANK}unlock|rclone${BLANK}obscure|(?:add-)?authtoken)${BLANK}(?!-)`,
  String.raw`(?:(?:bw|ionic)${BLANK}login|cf${BLANK}auth|rabbitmqctl${BLANK}(?:add_user|change_password)|net${BLANK}user|dscl${BLANK}\S{1,80}${BLANK}-passwd)${BLANK}[^\s;|&]{1,200}${BLANK}(?![-/])`,
  String.raw`net${BLANK}use${BLANK}(?:[\w*]:?${BLANK})?\\\S{1,200}${BLANK}(?![-/])`,
  String.raw`smbclient${BLANK}["']?(?://|\\)\S{1,200}${BLANK}(?!-)`,
  String.raw`(?:redis|valkey|keydb)-cli${WITHIN}\s(?:AUTH|auth)${BLANK}(?:[\w.-]{1,80}${BLANK}(?=[^\s;|&]))?`,
  String.raw`(?:CONFIG|config)${BLANK}(?:SET|set)${BLANK}(?:requirepass|masterauth)${BLANK}`,
  String.raw`(?:openssl${BLANK}passwd|mkpasswd)(?:${BLANK}(?:-(?:salt|m|S)${BLANK}\S{1,80}|--?[\w=-]{1,40})){0,5}${BLANK}(?!-)`,
  String.raw`mc${BLANK}alias${BLANK}set(?:${BLANK}[^\s;|&]{1,200}){3}${BLANK}(?!-)`,
  String.raw`rclone${BLANK}config${BLANK}(?:create|update)${WITHIN}\s[\w-]{0,60}(?:key|pass|secret|token)${BLANK}`,
  String.raw`connect${BLANK}to${BLANK}\S{1,80}${BLANK}user${BLANK}\S{1,80}${BLANK}using${BLANK}`,
  String.raw`(?:user|owner)_pw${BLANK}`,
  String.raw`ENV${BLANK}[A-Z\d_]{0,60}(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|API_KEY)${BLANK}`,
  String.raw`user-secrets${BLANK}set${BLANK}[\w.:-]{1,100}${BLANK}(?!-)`,
  String.raw`wpa_passphrase\s{1,3}[^\s;|&]{1,80}\s{1,3}`,
  String.raw`vault\s{1,3}login\s{1,3}(?!-|[\w-]{1,40}=)`,
  String.raw`--from-literal[=\s]\s{0,3}["']?[\w.-]{1,100}=`,
  String.raw`secrets?\s{1,3}(?:set|put|add)\s{1,3}[\w.-]{1,100}(?:=|\s{1,3}(?:--body|-b)(?:\s{1,3}|=|))`,
  String.raw`(?:put-parameter|create-secret|put-secret-value|keyvault${BLANK}secret${BLANK}set)${WITHIN}\s--(?:value|secret-string)(?:\s{1,3}|=)`,
  String.raw`curl(?:\.exe)?${WITHIN}\s(?:-b${MAYBE_BLANK}|--cookie(?:\s{1,3}|=))\\?["']?[\w.-]{1,80}=`,
  // From a text that the shell hands over.
  String.raw`(?:sudo|chpasswd|passwd|login|secret(?:s|-tool)?|pass|auth|luks\w{2,12})${WITHIN}<<<\s{0,3}`,
]

/** What reads a password from its input. */
export const READERS = String.raw`password-stdin|--stdin\b|--with-token|sudo\s[^|\n]{0,40}-\w{0,5}S|chpasswd|secrets?\s{1,3}(?:set|put)|luks\w{2,12}`

/** A name and a value of a command, not one that is read from a file. */
const PAIR = new RegExp(String.raw`(\s[\w.-]{1,100}=)(?!@)${VALUE}`, 'g')

/** The shapes of secrets in command lines. */
export const COMMAND_SHAPES: readonly Shape[] = [
  ...BEFORE.map(
    (before) =>
      [
        new RegExp(`((?<![\\w-])${before})(${VALUE})`, 'g'),
        (_all: string, start = '', value = '') => `${start}${inQuotesOf(value)}`,
      ] as const,
  ),
  [
    new RegExp(
      String.raw`((?<![\w-])(?:echo|printf)\s(?:\s{0,3}(?:-\w{1,5}|["']?%s(?:\\n)?["']?)\s){0,3}\s{0,3})(?!\[redacted\])(${VALUE})(?=\s{0,3}\|[^\n]{0,200}?(?:${READERS}))`,
      'g',
    ),
    (_all, start = '', value = '') => `${start}${inQuotesOf(value)}`,
  ],
  // Each of the pairs.
  [
    /((?<![\w-])vault\s{1,3}(?:kv\s{1,3})?(?:put|patch|write)\s{1,3}[^\s;|&]{1,300})([^\n;|&]{1,2000})/g,
    (_all, start = '', pairs = '') => `${start}${pairs.replaceAll(PAIR, `$1${REDACTED}`)}`,
  ],
]

/** A text in quotes, doubled or escaped quotes in it. */
const QUOTED = String.raw`'(?:[^'\\]|''|\\.)*'?|\\?"(?:[^"\\]|\\[^"])*\\?"?`

const INSERT = new RegExp(
  String.raw`(\b(?:insert|replace)\s{1,3}(?:\w{1,20}\s{1,3}){0,2}?into\s{1,3}[^\s(]{1,200}\s{0,3}\(([^()]{1,2000})\)\s{0,9}values\s{0,9})((?:${QUOTED}|[^'";])+)`,
  'gi',
)

/** A bracket, a comma, or what stands between them. */
const PIECE = new RegExp(String.raw`(?:${QUOTED}|[^,()'"])+|[,()'"]`, 'g')

/** Returns a text whose INSERT statements have no values in columns that are named like a secret. */
export function redactInserts(text: string): string {
  return text.replaceAll(INSERT, (all: string, start: string, columns: string, rows: string) => {
    const secret = columns.split(',').map((column) => isSecretName(column.replaceAll(/[\s"'`[\]\\]/g, '')))
    return secret.includes(true) ? start + redactRows(rows, secret) : all
  })
}

function redactRows(rows: string, secret: readonly boolean[]): string {
  let depth = 0
  let column = 0
  return rows.replaceAll(PIECE, (piece) => {
    if (piece === '(') {
      if (depth++ === 0) column = 0
    } else if (piece === ')') depth--
    else if (piece === ',') {
      if (depth === 1) column++
    } else if (depth > 0 && secret[column] === true && isValue(piece)) {
      return /^\s*/.exec(piece)![0] + (piece.trimStart().startsWith("'") ? `'${REDACTED}'` : REDACTED)
    }
    return piece
  })
}

/** Whether a piece holds a value, and not a place for one. */
function isValue(piece: string): boolean {
  return !/^\s*(?:null|default|\?|\$\d+|:\w+|%s|'?\[redacted\]'?)?\s*$/i.test(piece)
}
