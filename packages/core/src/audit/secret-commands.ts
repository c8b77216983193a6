import { ESCAPED, inQuotesOf, isSecretName, REDACTED, type Shape, VALUE } from './secret-names.ts'

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
