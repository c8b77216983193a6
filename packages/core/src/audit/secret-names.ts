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
