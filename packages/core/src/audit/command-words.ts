import { programName } from '@repertoire/gate/internal/programs'
import { isSecretName, REDACTED } from './secret-names.ts'

/** What of the value of an option is a secret. */
type SecretPart =
  /** All of it. */
  | 'all'
  /** What stands behind the first `:`, `%` or `,`: the password of a user. */
  | 'password'
  /** All of it if it holds `=`: otherwise it names a file. */
  | 'cookies'

/** How a program is given a secret by an option of one letter. */
interface SecretOption {
  readonly programs: readonly string[]
  readonly letters: string
  readonly part: SecretPart
  /** The letters of options without a value, which may stand before it in the same word. */
  readonly flags?: string
  /** The value is in the same word. What stands in the next one is something else. */
  readonly isJoined?: true
  /** The value is the next word: a longer word is another option. */
  readonly isWholeWord?: true
  /** Only behind this subcommand. */
  readonly subcommand?: string
}

const list = (words: string): readonly string[] => words.split(' ')

const CURL_FLAGS = 'fgGiIjklLnNOpqRsSvZ#0123456'

const OPTIONS: readonly SecretOption[] = [
  {
    programs: list(
      'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysql_upgrade mysqlsh',
    ),
    letters: 'p',
    part: 'all',
    isJoined: true,
  },
  {
    programs: list('mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check mariadb-show mariadb-binlog'),
    letters: 'p',
    part: 'all',
    isJoined: true,
  },
  { programs: list('7z 7za 7zr rar unrar'), letters: 'p', part: 'all', flags: 'h', isJoined: true },
  { programs: list('sshpass'), letters: 'p', part: 'all', flags: 'v' },
  {
    programs: list('docker podman nerdctl buildah skopeo helm az oc crane oras cf ibmcloud heroku argocd'),
    letters: 'p',
    part: 'all',
    subcommand: 'login',
  },
  {
    programs: list('mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop'),
    letters: 'p',
    part: 'all',
  },
  { programs: list('redis-cli keydb-cli valkey-cli'), letters: 'a', part: 'all' },
  {
    programs: list('ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami ldapcompare'),
    letters: 'w',
    part: 'all',
    flags: 'xvnLZ',
  },
  { programs: list('ldappasswd'), letters: 'as', part: 'all' },
  { programs: list('snmpget snmpwalk snmpset snmpbulkwalk'), letters: 'AXc', part: 'all' },
  { programs: list('openssl'), letters: 'kK', part: 'all', isWholeWord: true },
  { programs: list('security'), letters: 'w', part: 'all', subcommand: 'add-generic-password' },
  { programs: list('security'), letters: 'w', part: 'all', subcommand: 'add-internet-password' },
  { programs: list('security'), letters: 'p', part: 'all', subcommand: 'unlock-keychain' },
  { programs: list('xcrun'), letters: 'p', part: 'all', subcommand: 'altool' },
  { programs: list('dotnet nuget'), letters: 'k', part: 'all', subcommand: 'push' },
  { programs: list('dotnet nuget'), letters: 'p', part: 'all', subcommand: 'source' },
  { programs: list('twine poetry expo rabbitmqadmin beeline psexec winrs'), letters: 'p', part: 'all' },
  { programs: list('influx doctl vercel'), letters: 't', part: 'all' },
  { programs: list('uv'), letters: 't', part: 'all', subcommand: 'publish' },
  { programs: list('zip unzip'), letters: 'P', part: 'all', flags: 'rqjoe' },
  { programs: list('sqlcmd osql bcp ipmitool'), letters: 'P', part: 'all' },
  { programs: list('cqlsh tsql clickhouse-client influx'), letters: 'p', part: 'all' },
  { programs: list('tsql isql'), letters: 'P', part: 'all' },
  { programs: list('ssh-keygen'), letters: 'NP', part: 'all', flags: 'qpy' },
  { programs: list('useradd usermod'), letters: 'p', part: 'all', flags: 'mr' },
  { programs: list('curl'), letters: 'uUE', part: 'password', flags: CURL_FLAGS },
  { programs: list('curl'), letters: 'b', part: 'cookies', flags: CURL_FLAGS },
  { programs: list('http https xh xhs'), letters: 'a', part: 'all', flags: 'vhbfj' },
  { programs: list('smbclient smbget rpcclient net'), letters: 'U', part: 'password' },
  { programs: list('lftp'), letters: 'u', part: 'password' },
  { programs: list('ftp ncftpput ncftpget ncftp'), letters: 'p', part: 'all' },
  { programs: list('mosquitto_pub mosquitto_sub mqtt'), letters: 'P', part: 'all' },
  { programs: list('xfreerdp rdesktop'), letters: 'p', part: 'all' },
]

const BY_PROGRAM = new Map<string, readonly SecretOption[]>()
for (const option of OPTIONS) {
  for (const program of option.programs) BY_PROGRAM.set(program, [...(BY_PROGRAM.get(program) ?? []), option])
}

/** Options by their whole name whose value holds a password, or may. */
const LONG: ReadonlyMap<string, SecretPart> = new Map([
  ['--user', 'password'],
  ['--proxy-user', 'password'],
  ['--login', 'password'],
  ['--auth', 'password'],
  ['--creds', 'password'],
  ['--src-creds', 'password'],
  ['--dest-creds', 'password'],
  ['--cookie', 'cookies'],
  ['--oauth2-bearer', 'all'],
  ['--requirepass', 'all'],
  ['--masterauth', 'all'],
  ['--cert', 'password'],
  ['--pass', 'all'],
  ['-passin', 'all'],
  ['-passout', 'all'],
  ['-upw', 'all'],
  ['-opw', 'all'],
  ['-hmac', 'all'],
  ['--storepass', 'all'],
  ['--keypass', 'all'],
])

/**
 * Returns the words of a command without the secrets that its options hold. What an option of one letter means depends
 * on the last known program before it, so that `docker run -p 8080:80` stays as it is.
 */
export function redactWords(words: readonly string[]): readonly string[] {
  let options: readonly SecretOption[] = []
  let sinceProgram = 0
  let next: SecretPart | undefined
  return words.map((word, index) => {
    const pending = next
    next = undefined
    if (pending !== undefined) return redactPart(word, pending)
    const known = BY_PROGRAM.get(programName(word.replace(/^.*["'`\\{(,:=]/s, '')))
    if (known !== undefined) {
      options = known
      sinceProgram = index
      return word
    }
    if (!word.startsWith('-')) return word
    const [name = '', value] = splitOption(word)
    const part = LONG.get(name) ?? (/^-[\w-]{2}/.test(name) && isSecretName(name) ? 'all' : undefined)
    if (part !== undefined) {
      if (value !== undefined) return `${name}=${redactPart(value, part)}`
      next = part
      return word
    }
    if (word.startsWith('--')) return word
    const earlier = words.slice(sinceProgram, index)
    for (const option of options) {
      if (option.subcommand !== undefined && !earlier.includes(option.subcommand)) continue
      const at = letterAt(word, option)
      if (at === undefined || (option.isWholeWord === true && at < word.length)) continue
      const joined = word.slice(at)
      if (joined !== '') return word.slice(0, at) + redactPart(joined.replace(/^=/, ''), option.part)
      if (option.isJoined !== true) next = option.part
      return word
    }
    return word
  })
}

function splitOption(word: string): readonly string[] {
  const at = word.indexOf('=')
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)]
}

/** Returns where the value begins in a word such as `-su`; undefined if the word is not this option. */
function letterAt(word: string, { letters, flags = '' }: SecretOption): number | undefined {
  for (let at = 1; at < word.length; at++) {
    if (letters.includes(word[at]!)) return at + 1
    if (!flags.includes(word[at]!)) return undefined
  }
  return undefined
}

function redactPart(value: string, part: SecretPart): string {
  // An option in its place, or a value that is read from elsewhere.
  if (value === '' || value.includes(REDACTED)) return value
  if (part === 'all') return REDACTED
  if (part === 'cookies') return value.includes('=') ? REDACTED : value
  // Two numbers are a user and a group.
  if (/^\d+:\d+$/.test(value)) return value
  const at = value.search(/[:%,]/)
  return at < 0 || at === value.length - 1 ? value : `${value.slice(0, at + 1)}${REDACTED}`
}

/** A word of a command as it is written, and what ends a command. */
const WORD = /(?:\\?"(?:[^"\\]|\\[^"])*\\?"?|'[^']*'?|\\.|[^\s"'\\;|&()<>`])+|[;|&()\n`]/g

/** Commands in quotes in commands that are searched: `bash -c "…"`, and a command in JSON. */
const MAX_LEVELS = 4

const IN_QUOTES = /(\\?")((?:[^"\\]|\\[^"])*)(\\?")|'([^']*)'/g

/** Returns a text without the secrets that the options of the commands in it hold. */
export function redactCommands(text: string, level = 0): string {
  if (!/\s--?[A-Za-z]/.test(text)) return text
  const commands: RegExpExecArray[][] = [[]]
  for (const word of text.matchAll(WORD)) {
    if (/^[;|&()\n`]$/.test(word[0])) commands.push([])
    else commands.at(-1)!.push(word)
  }
  let redacted = ''
  let end = 0
  for (const written of commands) {
    const words = written.map(([word]) => plainWord(word))
    const shown = redactWords(words)
    for (const [index, { 0: raw, index: at }] of written.entries()) {
      const word = shown[index] === words[index] ? redactInside(raw, level) : inQuotes(raw, shown[index]!)
      redacted += text.slice(end, at) + word
      end = at + raw.length
    }
  }
  return redacted + text.slice(end)
}

/** A word whose parts in quotes are searched for commands. */
function redactInside(word: string, level: number): string {
  if (level >= MAX_LEVELS || !/["']/.test(word)) return word
  return word.replaceAll(IN_QUOTES, (_all, open: string | undefined, double: string, close: string, single: string) =>
    open === undefined
      ? `'${redactCommands(single, level + 1)}'`
      : `${open}${redactCommands(double, level + 1)}${close}`,
  )
}

/** A word without its quotes, as its program gets it. */
function plainWord(raw: string): string {
  return raw.replaceAll(/\\?["']/g, '')
}

/** A word in the quotes that it was in. */
function inQuotes(raw: string, word: string): string {
  const quote = /^\\?["']/.exec(raw)?.[0]
  return quote !== undefined && raw.length > quote.length && raw.endsWith(quote) ? `${quote}${word}${quote}` : word
}
