import { list, type Program } from './program.ts'
import { isPlainSql } from './sql.ts'

/** A file, an address, a name: nothing that a database could read as a statement. */
const PLAIN_WORD = /^[\w/:@%+=,~?&-](?:[\w./:@%+=,~?&-]*)$|^\.{1,2}\/[\w./:@%+=,~-]*$/

/** Of sqlite3's own commands, those that only show something. */
const SQLITE_COMMAND =
  /^\.(?:changes|databases|dump|echo|explain|fullschema|headers?|help|indexes|indices|mode|nullvalue|schema|separator|show|stats|tables|timer|version|width)(?:[ \t][\w .,*%-]*)?$/

function isUnsafeSqlite(word: string): boolean {
  if (word.startsWith('-') || PLAIN_WORD.test(word)) return false
  return !SQLITE_COMMAND.test(word) && !isPlainSql(word, { quotes: 'backtick' })
}

/** Of psql's own commands, those that only show something, alone in their line. */
const PSQL_COMMAND = /^\\(?:d\w*\+?|l\+?|x|timing|conninfo|echo|q)(?:[ \t]+[\w .*-]*)?$/

/** Options of psql with a command behind them in the same word. */
const PSQL_COMMAND_OPTION = /^(?:--com(?:m(?:and?|a|an)?)?=|-[Atxq1]*c)(?=.)/s

/** Which database, and as whom: a list of settings that name no program and no library. */
const CONNECTION =
  /^(?:(?:host|hostaddr|port|dbname|user|password|sslmode|connect_timeout|application_name)=[\w.:@%+/-]*(?: |$))+$/

function isUnsafePsql(word: string): boolean {
  const command = word.replace(PSQL_COMMAND_OPTION, '')
  if (command === word && word.startsWith('-')) return false
  if (CONNECTION.test(command)) return false
  return !PLAIN_WORD.test(command) && !PSQL_COMMAND.test(command) && !isPlainSql(command, { quotes: 'none' })
}

/** Options of mysql with a statement behind them in the same word. */
const MYSQL_COMMAND_OPTION = /^(?:--execute=|-[BNtsvrE]*e)(?=.)/s

function isUnsafeMysql(word: string): boolean {
  const command = word.replace(MYSQL_COMMAND_OPTION, '')
  if (command === word && word.startsWith('-')) return false
  if (MYSQL_COMMAND.test(command)) return true
  return !PLAIN_WORD.test(command) && !isPlainSql(command, { quotes: 'backtick' })
}

/** Commands of mysql's own, where they are a whole word. */
const MYSQL_COMMAND = /^(?:edit|nopager|notee|pager|source|system|tee)$/i

/**
 * Shells of databases. They are languages with functions and commands that run programs and write files, so that only
 * statements are covered of which each word is known.
 */
export const DATABASES: readonly Program[] = [
  {
    names: ['sqlite3', 'sqlite', 'sqlcipher', 'duckdb'],
    runsCode: true,
    unsafe: {
      known:
        /^--?(?:ascii|bail|batch|box|column|csv|echo|header|noheader|help|html|json|line|list|markdown|newline|nullvalue|quote|readonly|safe|separator|stats|table|tabs|version)$/,
      shape: { test: isUnsafeSqlite },
    },
    examples: {
      permitted: [
        "sqlite3 x.db 'select count(*), lower(a) from t where b in (1, 2)'",
        'sqlite3 -json ./x.db .tables',
        "sqlite3 x.db 'create table if not exists t (a varchar(9)); insert into t (a) values (1)'",
      ],
      refused: [
        "sqlite3 x.db '.shell id'",
        'sqlite3 -init x y',
        `sqlite3 x.db 'select "edit"(a)'`,
        "sqlite3 x.db 'select edit/**/(a)'",
        "sqlite3 x.db 'select [edit] (a)'",
        "sqlite3 x.db 'attach y as z'",
      ],
    },
  },
  {
    names: ['psql'],
    runsCode: true,
    unsafe: {
      known:
        /^(?:-[AtxqXnSwWel1b]*(?:[cdhpUFPRTv].*)?|-[?V]|--(?:command|dbname|host|port|username|no-password|password|tuples-only|no-align|csv|html|expanded|quiet|no-psqlrc|single-transaction|echo-errors|list|field-separator|record-separator|set|variable|version|help)(?:=.*)?)$/s,
      shape: { test: isUnsafePsql },
    },
    examples: {
      permitted: [
        "psql 'host=127.0.0.1 port=5432 sslmode=disable' -c 'select 1'",
        "psql -c 'select 1'",
        "psql -At -U u -d x -c 'select count(*) from t'",
        "psql -c '\\dt+ public.*'",
      ],
      refused: [
        "psql 'host=a sslkey=engine:x'",
        "psql -c '\\! id'",
        'psql -o x',
        'psql -f x',
        'psql -1f x',
        "psql '-cselect lo_export(1)'",
      ],
    },
  },
  {
    names: ['mysql', 'mariadb'],
    runsCode: true,
    unsafe: {
      known:
        /^(?:-[BNtsvrECH]*(?:[eDhPu].*)?|-p.*|-[?V]|--(?:batch|compress|column-names|skip-column-names|table|silent|verbose|raw|vertical|html|xml|execute|database|host|port|user|password|protocol|default-character-set|ssl-mode|connect-timeout|version|help)(?:=.*)?)$/s,
      shape: { test: isUnsafeMysql },
    },
    examples: {
      permitted: ["mysql -e 'show tables'", "mysql -u root -Ne 'select `a` from t'"],
      refused: [
        "mysql -e 'system id'",
        "mysql -e 'source f'",
        "mysql '-esource f'",
        'mysql --pager=id',
        'mysql --loose-pager=id',
        "mysql -e 'select 1 into outfile x'",
      ],
    },
  },
  {
    names: ['redis-cli', 'valkey-cli'],
    unsafe: {
      options: list('--rdb --functions-rdb --eval --pipe'),
      letters: 'x',
      // The server writes files, or runs what it is given.
      shape:
        /^(?:acl|bgrewriteaof|bgsave|config|debug|eval(?:sha)?(?:_ro)?|fcall(?:_ro)?|function|migrate|module|replicaof|restore|save|script|shutdown|slaveof)$/i,
    },
    examples: { permitted: ['redis-cli get x'], refused: ['redis-cli --rdb x', 'redis-cli CONFIG set dir x'] },
  },
]
