import { list, type Program } from './program.ts'

/** Shells of databases. Of their own commands only some that show something are covered. */
export const DATABASES: readonly Program[] = [
  {
    names: ['sqlite3'],
    unsafe: {
      shape:
        /^--?(?:cmd|init|A.*|vfs)$|^\s*\.(?!\.?\/|(?:changes|databases|dump|echo|explain|fullschema|headers?|help|indexes|indices|mode|nullvalue|schema|separator|show|stats|tables|timer|version|width)(?:\s|$))|\b(?:attach|load_extension|writefile)\b|\bedit\s*\(|\bvacuum\b.*\binto\b/ims,
    },
    examples: {
      permitted: ["sqlite3 x.db 'select * from t'", 'sqlite3 x.db .tables'],
      refused: ["sqlite3 x.db '.shell id'", 'sqlite3 -init x y'],
    },
  },
  {
    names: ['psql'],
    unsafe: {
      options: ['--output', '--log-file'],
      letters: 'Lo',
      valued: 'cdfhpUv',
      // What is between backticks runs in a shell, after any command.
      shape: /`|\\(?!(?:d\w*\+?|l|x|timing|conninfo|pset|echo|q)(?:\s|$))|\bprogram\b|\blo_export\b/i,
    },
    examples: { permitted: ["psql -c 'select 1'"], refused: ["psql -c '\\! id'", 'psql -o x'] },
  },
  {
    names: ['mysql', 'mariadb'],
    unsafe: {
      options: list('--pager --tee --plugin-dir --init-command --defaults-file --defaults-extra-file'),
      shape: /\\[!TPe]|\b(?:system|outfile|dumpfile|tee|pager)\b/i,
    },
    examples: { permitted: ["mysql -e 'show tables'"], refused: ["mysql -e 'system id'", 'mysql --pager=id'] },
  },
  {
    names: ['redis-cli'],
    unsafe: { options: ['--rdb', '--functions-rdb'] },
    examples: { permitted: ['redis-cli get x'], refused: ['redis-cli --rdb x'] },
  },
]
